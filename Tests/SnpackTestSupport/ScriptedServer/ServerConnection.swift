import Foundation
import Synchronization

/// One connection: reads heads, asks the script, plays the answers.
struct ServerConnection {
    let floor: ServerFloor
    let descriptor: Int32
    let number: Int
    private var unread: [UInt8] = []

    init(floor: ServerFloor, descriptor: Int32, number: Int) {
        self.floor = floor
        self.descriptor = descriptor
        self.number = number
    }

    /// Until the client or the script has had enough.
    mutating func serve() {
        while let head = readHead() {
            let request = floor.log.withLock { log -> ScriptedRequest? in
                let request = ScriptedRequest(head: head, number: log.requests.count, connection: number)
                if let request { log.requests.append(request) }
                return request
            }
            guard let request, play(floor.script(request), isHead: request.method == "HEAD") else { return }
        }
    }

    /// The bytes up to the blank line; requests with bodies are not spoken here.
    private mutating func readHead() -> [UInt8]? {
        let blankLine: [UInt8] = [13, 10, 13, 10]
        while true {
            if let end = unread.firstRange(of: blankLine) {
                defer { unread.removeSubrange(..<end.upperBound) }
                return Array(unread[..<end.lowerBound])
            }
            guard unread.count < 1 << 16, let more = receive(from: descriptor), !more.isEmpty else { return nil }
            unread += more
        }
    }

    /// True if the connection can carry another request.
    private func play(_ response: ScriptedResponse, isHead: Bool) -> Bool {
        guard wait(response.delay) else { return false }
        var (isChunked, isLast) = (false, response.isLast)
        var lines = ["HTTP/1.1 \(response.status) Scripted"]
        lines += response.headers.map { "\($0.name): \($0.value)" }
        switch response.framing {
        case .length: lines.append("Content-Length: \(response.parts.reduce(0) { $0 + $1.byteCount })")
        case .declared(let texts): lines += texts.map { "Content-Length: \($0)" }
        case .chunked:
            lines.append("Transfer-Encoding: chunked")
            isChunked = true
        case .untilClose: isLast = true
        case .raw: lines = []
        }
        if isLast { lines.append("Connection: close") }
        if case .raw = response.framing {
        } else {
            guard send(Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)) else { return false }
            if isHead { return !isLast }
        }
        for part in response.parts where !play(part, isChunked: isChunked) { return false }
        if isChunked, !send(Array("0\r\n\r\n".utf8)) { return false }
        return !isLast
    }

    private func play(_ part: ScriptedResponse.Part, isChunked: Bool) -> Bool {
        switch part {
        case .bytes(let bytes): return sendBody(bytes, isChunked: isChunked)
        case .repeated(let block, let times):
            for _ in 0..<times where !sendBody(block, isChunked: isChunked) { return false }
            return true
        case .endless(let block):
            while sendBody(block, isChunked: isChunked) {}
            return false
        case .pause(let duration): return wait(duration)
        case .hangUp: return false
        case .reset:
            resetOnClose(descriptor)
            return false
        }
    }

    private func sendBody(_ bytes: [UInt8], isChunked: Bool) -> Bool {
        if bytes.isEmpty { return true }
        let framed = isChunked ? Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + [13, 10] : bytes
        return send(framed)
    }

    private func send(_ bytes: [UInt8]) -> Bool {
        let isSent = sendAll(bytes, to: descriptor)
        if isSent { floor.log.withLock { $0.sentByteCount += bytes.count } }
        return isSent
    }

    /// False if the server was stopped meanwhile.
    private func wait(_ duration: Duration) -> Bool {
        let end = ContinuousClock.now + duration
        while ContinuousClock.now < end {
            if floor.isStopped { return false }
            let left = end - ContinuousClock.now
            Thread.sleep(forTimeInterval: min(left, .milliseconds(20)) / .seconds(1))
        }
        return !floor.isStopped
    }
}
