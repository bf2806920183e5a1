import Diagnostics
import SnpackTestSupport
import Testing
import Transfer

@Suite(.timeLimit(.minutes(2))) struct DistortedAnswerTests {
    /// Sound answers with a few bytes changed, lost or doubled: an error or exactly the range asked for, and an end.
    @Test func distortedAnswersNeverGiveAWrongLengthOrHang() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        let half = RangeLie.half
        let answers = [
            "HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 1000-1999/2000\r\nContent-Length: 1000\r\n\r\n",
            "HTTP/1.1 206 P\r\nContent-Range: bytes 1000-1999/2000\r\nTransfer-Encoding: chunked\r\n\r\n3e8\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: 2000\r\nETag: \"x\"\r\n\r\n",
            "HTTP/1.1 302 Found\r\nLocation: /again\r\nContent-Length: 0\r\n\r\n",
            "HTTP/1.1 429 X\r\nRetry-After: 5\r\nDate: Sun, 06 Nov 1994 08:49:37 GMT\r\nContent-Length: 0\r\n\r\n",
        ]
        let server = try ScriptedServer { request in
            var random = SplitMix(state: seed &+ UInt64(request.number))
            let index = Int.random(in: 0..<answers.count, using: &random)
            var head = Array(answers[index].utf8)
            for _ in 0..<Int.random(in: 0...3, using: &random) {
                let place = Int.random(in: 0..<head.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: head[place] = UInt8.random(in: 0...255, using: &random)
                case 1: head.remove(at: place)
                case 2: head.insert(head[place], at: place)
                default: head[place] ^= 0x20
                }
            }
            let tail = index == 1 ? Array("\r\n0\r\n\r\n".utf8) : []
            let body = index == 2 ? RangeLie.file : index < 2 ? half + tail : []
            return .parts([.bytes(head + body)], framing: .raw).closing()
        }
        defer { server.stop() }
        let client = impatientClient(patience: .seconds(3))
        let request = try server.request(size: .exactly(2_000), range: 1_000..<2_000)
        var successes = 0
        for _ in 0..<600 {
            var taken: [UInt8] = []
            let fault = error { () throws(SnpackError) in try client.fetch(request) { taken += $0 } }
            if fault == nil { successes += 1 }
            #expect(fault != nil || taken.count == 1_000, "seed \(seed)")
            #expect(taken.count <= 1_000, "seed \(seed)")
        }
        #expect(successes > 0, "seed \(seed)")
    }
}

private struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
