package import Diagnostics
package import DurableFiles
import Hashing
import Synchronization
import TerritoryPackage
package import Transfer

/// A channel on the web, read as its clients see it. The head of every answer is judged as it comes.
package final class ServedChannel: ChannelReader {
    package let url: ChannelURL
    let client: HTTPClient
    let cancel: CancelToken
    let headCheck: HeadCheck
    let found = FoundFaults()
    /// The files at the top are asked for more than once.
    private let top = Mutex<[String: [UInt8]?]>([:])
    private let pulse = ServerPulse()

    package init(_ url: ChannelURL, client: HTTPClient, cancel: CancelToken) {
        self.url = url
        self.client = client
        self.cancel = cancel
        headCheck = HeadCheck(isGateway: url.layout != .files)
    }

    /// True for what is a URL and no path on this disk.
    package static func isOne(_ text: String) -> Bool {
        SourceReference.isURL(text[...]) && FileIdentity.at(text) == nil
    }

    package var shownPath: String {
        let text = url.base.description
        return text.hasSuffix("/") ? String(text.dropLast()) : text
    }

    package func document(_ path: String, limit: Int) throws(SnpackError) -> [UInt8]? {
        let kind = ChannelFileKind(ofPath: path)
        if kind == .index, let kept = top.withLock({ $0[path] }) { return kept }
        let bytes = try fetch(path, limit: limit)
        if kind == .index { top.withLock { $0[path] = .some(bytes) } }
        return bytes
    }

    private func fetch(_ path: String, limit: Int) throws(SnpackError) -> [UInt8]? {
        let address = try url.url(of: path)
        do throws(SnpackError) {
            let (head, body) = try pulse.watch { () throws(SnpackError) in
                try client.documentAnswer(address, limit: limit, cancel: cancel)
            }
            judge(head, path, blake3: .of(body))
            return body
        } catch  where error.code == .transferNotFound { return nil }
    }

    func judge(_ head: HTTPResponse, _ path: String, blake3: Blake3Digest?) {
        let kind = ChannelFileKind(ofPath: path)
        found.add(headCheck.verdict(on: head, of: kind, blake3: blake3, path: self.path(of: path)), kind)
    }

    /// A small file fetched again, past caches.
    func freshDocument(_ path: String, limit: Int) -> [UInt8]? {
        guard let address = try? url.url(of: path) else { return nil }
        return try? client.documentAnswer(address, limit: limit, isPastCaches: true, cancel: cancel).body
    }

    package func blob(_ path: String) throws(SnpackError) -> any RandomAccess {
        let address = try url.url(of: path)
        do throws(SnpackError) {
            let head = try pulse.watch { () throws(SnpackError) in try client.head(address, cancel: cancel) }
            judge(head, path, blake3: nil)
            guard let byteCount = head.contentLength else {
                throw SnpackError(
                    .transferAnswerMalformed, "the server does not tell the file's size",
                    hint: "serve blobs as static files", path: self.path(of: path))
            }
            return ServedFile(
                name: self.path(of: path), byteCount: byteCount, address: address, client: client, pulse: pulse,
                cancel: cancel)
        } catch  where error.code == .transferNotFound {
            throw SnpackError(.fileMissing, "it is not there", path: self.path(of: path))
        }
    }

    package func identity(of path: String) -> FileIdentity? { nil }
}

/// Whether the server still lives. After some failures in a row of the way to it, nothing more is asked: each request
/// would wait for its own end.
final class ServerPulse: Sendable {
    private static let patience = 3
    private static let signs: Set<ErrorCode> = [
        .transferHostUnknown, .transferConnectFailed, .transferTimedOut, .transferTooSlow,
    ]
    private let state = Mutex<(count: Int, last: SnpackError?)>((0, nil))

    func watch<Result>(_ body: () throws(SnpackError) -> Result) throws(SnpackError) -> Result {
        if let gone = state.withLock({ $0.count >= Self.patience ? $0.last : nil }) { throw gone }
        do throws(SnpackError) {
            let result = try body()
            state.withLock { $0.count = 0 }
            return result
        } catch {
            state.withLock { $0 = Self.signs.contains(error.code) ? ($0.count + 1, error) : (0, nil) }
            throw error
        }
    }
}
