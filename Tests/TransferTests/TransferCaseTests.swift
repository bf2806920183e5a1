import Diagnostics
import Foundation
import SnpackTestSupport
import Synchronization
import Testing
import Transfer

/// The field failures under "http and cdn", as far as they are the transfer's to prevent.
@Suite(.timeLimit(.minutes(3))) struct TransferCaseTests {
    private let bytes = sampleBytes(2_000)

    @Test("Case 69: a server that ignores Range sends the file once, and it is taken from zero")
    func case069_rangeIgnored() throws {
        let framings: [ScriptedResponse.Framing] = [.length, .untilClose, .chunked]
        for framing in framings {
            let server = try ScriptedServer { [bytes] _ in .ok(bytes).framed(framing) }
            defer { server.stop() }
            // The part so far, 1,000 wrong bytes, must be cut off at the head.
            var part = [UInt8](repeating: 0xEE, count: 1_000)
            let request = try server.request(size: .exactly(2_000), range: 1_000..<2_000)
            try impatientClient(retries: 3).fetch(request) { head in
                part.removeSubrange(Int(head.firstByte)...)
                return .takeFromStart
            } consume: {
                part += $0
            }
            #expect(part == bytes)
            #expect(server.requests.count == 1)
        }
    }

    @Test("Case 71: 200 with the bytes of a part is refused before a byte is taken")
    func case071_partialBodyUnder200() throws {
        let half = Array(bytes[1_000...])
        let server = try ScriptedServer { _ in .ok(half).header("Content-Range", "bytes 1000-1999/2000") }
        defer { server.stop() }
        let client = impatientClient(retries: 3)
        let uses: [HTTPClient.BodyUse] = [.take, .takeFromStart]
        for use in uses {
            for range in [1_000..<2_000, nil] as [Range<UInt64>?] {
                let request = try server.request(size: .exactly(2_000), range: range)
                let fault = error { () throws(SnpackError) in _ = try client.collect(request, use: use) }
                #expect(fault?.code == .transferRangeContradicted)
            }
        }
        #expect(server.requests.count == 4, "no loop")
    }

    @Test("Case 73: halves of two versions are never joined silently where a strong tag tells")
    func case073_contentChanged() throws {
        let old = sampleBytes(200_000)
        let new = old.map { ~$0 }
        func outcome(
            _ oldTag: String?, _ newTag: String?, honoursIfRange: Bool, use: HTTPClient.BodyUse
        ) throws -> (code: ErrorCode?, bytes: [UInt8], ifRange: String?) {
            let server = try ScriptedServer { request in
                if request.number == 0 { return .file(old, for: request, entityTag: oldTag).breakingOff(after: 70_000) }
                var answer = ScriptedResponse.file(new, for: request, entityTag: newTag)
                if !honoursIfRange, let range = request.range {
                    answer.status = 206
                    answer.parts = [.bytes(Array(new[range]))]
                    if answer.headers.allSatisfy({ $0.name != "Content-Range" }) {
                        answer = answer.header("Content-Range", "bytes \(range.lowerBound)-199999/200000")
                    }
                }
                return answer
            }
            defer { server.stop() }
            let request = try server.request(size: .exactly(200_000))
            var fetched = Fetched()
            let fault = error { () throws(SnpackError) in
                fetched = try impatientClient(retries: 2).collect(request, use: use)
            }
            return (fault?.code, fetched.bytes, server.requests.last?["If-Range"])
        }
        // A strong tag: the server sends the new file whole; the caller decides.
        let restarted = try outcome("\"a\"", "\"b\"", honoursIfRange: true, use: .takeFromStart)
        #expect(restarted.code == nil && restarted.bytes == new && restarted.ifRange == "\"a\"")
        let refused = try outcome("\"a\"", "\"b\"", honoursIfRange: true, use: .take)
        #expect(refused.code == .transferRangeIgnored)
        // 206 in spite of a failed If-Range.
        let lied = try outcome("\"a\"", "\"b\"", honoursIfRange: false, use: .takeFromStart)
        #expect(lied.code == .transferContentChanged)
        // Weak tags and none are not sent: what comes is for the hash to judge.
        for tags in [("W/\"a\"", "W/\"b\""), (nil, nil)] as [(String?, String?)] {
            let joined = try outcome(tags.0, tags.1, honoursIfRange: true, use: .take)
            #expect(joined.code == nil && joined.ifRange == nil && joined.bytes != new && joined.bytes != old)
        }
    }

    @Test("Case 75: hosts without ranges, hosts that gzip everything, hosts that refuse HEAD")
    func case075_dumbHosts() throws {
        // `printf 'snpack\n%.0s' {1..400} | gzip -n`, decompressed 2,800 bytes.
        let text = Array(String(repeating: "snpack\n", count: 400).utf8)
        let compressed = try #require(
            Data(base64Encoded: "H4sIAAAAAAAAAyvOK0hMzuYqHqVGqVFqlBqlRqlRapQapUap4UgBABDc+63wCgAA"))
        let server = try ScriptedServer { request in
            if request.method == "HEAD" { return .status(405) }
            return .ok(Array(compressed)).header("Content-Encoding", "gzip").header("ETag", "\"z\"")
        }
        defer { server.stop() }
        let client = impatientClient()
        #expect(try client.collect(server.request(size: .exactly(2_800))).bytes == text)
        let ranged = try server.request(size: .exactly(2_800), range: 700..<1_400)
        #expect(try client.collect(ranged, use: .takeFromStart).bytes == text)
        let fault = error { () throws(SnpackError) in _ = try client.collect(ranged) }
        #expect(fault?.code == .transferRangeIgnored)
        let bomb = try server.request(size: .atMost(1_000))
        #expect(error { () throws(SnpackError) in _ = try client.collect(bomb) }?.code == .transferTooLarge)
    }

    @Test("Case 77: one range a request, never more")
    func case077_neverMultiRange() throws {
        let server = try ScriptedServer { [bytes] request in
            .file(bytes, for: request).breakingOff(after: 100)
        }
        defer { server.stop() }
        let client = impatientClient(retries: 3)
        for start in [0, 500, 1_500] as [UInt64] {
            _ = try? client.collect(server.request(size: .exactly(2_000), range: start..<start + 450))
        }
        let ranges = server.requests.compactMap { $0["Range"] }
        #expect(ranges.count > 3)
        #expect(ranges.allSatisfy { $0.wholeMatch(of: /bytes=\d+-\d+/) != nil })
    }

    @Test("Case 79: Content-Length is missing or a lie, and nothing is allocated by it")
    func case079_contentLengthLies() throws {
        let ten = sampleBytes(10)
        let lies: [(ScriptedResponse.Framing, size: HTTPRequest.Size, code: ErrorCode?)] = [
            (.chunked, .exactly(10), nil),
            (.untilClose, .exactly(10), nil),
            (.declared(["9000000000000"]), .exactly(10), .transferLengthDiffers),
            (.declared(["9000000000000"]), .atMost(1_000), .transferTooLarge),
            (.declared(["9000000000000"]), .atMost(1 << 50), .transferBodyShort),
            (.declared(["9223372036854775808"]), .exactly(10), .transferAnswerMalformed),
            (.declared(["99999999999999999999999"]), .exactly(10), .transferAnswerMalformed),
            (.declared(["-1"]), .exactly(10), .transferAnswerMalformed),
            (.declared(["abc"]), .exactly(10), .transferAnswerMalformed),
            (.declared(["10", "11"]), .exactly(10), .transferAnswerMalformed),
            (.declared(["10", "10"]), .exactly(10), nil),
            (.declared(["9"]), .exactly(10), .transferLengthDiffers),
        ]
        let before = try peakMemory()
        for (framing, size, code) in lies {
            let server = try ScriptedServer { _ in .ok(ten).framed(framing).closing() }
            defer { server.stop() }
            let request = try server.request(size: size)
            var fetched = Fetched()
            let fault = error { () throws(SnpackError) in fetched = try impatientClient().collect(request) }
            #expect(fault?.code == code, "\(framing) \(size)")
            if code == nil { #expect(fetched.bytes == ten) }
        }
        #expect(try peakMemory() - before < 64 << 20)
    }

    @Test("Case 113: a gigabyte passes through flat memory")
    func case113_memoryIsFlat() throws {
        let block = [UInt8](repeating: 0, count: 1 << 20)
        let server = try ScriptedServer { _ in .parts([.repeated(block, times: 1 << 10)], framing: .length) }
        defer { server.stop() }
        let before = try peakMemory()
        var count: UInt64 = 0
        let request = try server.request(size: .exactly(1 << 30))
        try impatientClient().fetch(request) { count += UInt64($0.count) }
        #expect(count == 1 << 30)
        #expect(try peakMemory() - before < 100 << 20)
    }

    @Test("Case 113: so does what gzip makes large")
    func case113_gzippedMemoryIsFlat() throws {
        let compressed = try output(of: "/bin/sh", "-c", "head -c 268435456 /dev/zero | gzip -1")
        let server = try ScriptedServer { _ in .ok(compressed).header("Content-Encoding", "gzip") }
        defer { server.stop() }
        let before = try peakMemory()
        var count: UInt64 = 0
        let request = try server.request(size: .exactly(1 << 28))
        try impatientClient().fetch(request) { count += UInt64($0.count) }
        #expect(count == 1 << 28)
        #expect(try peakMemory() - before < 64 << 20)
    }

    @Test("Case 113: a slow consumer holds the server back")
    func case113_slowConsumer() throws {
        let server = try ScriptedServer { _ in .parts([.endless(sampleBytes(1 << 16))]) }
        defer { server.stop() }
        let (before, cancel) = (try peakMemory(), CancelToken())
        var taken = 0
        let request = try server.request(size: .atMost(1 << 40))
        _ = error { () throws(SnpackError) in
            try impatientClient().fetch(request, cancel: cancel) { bytes in
                taken += bytes.count
                Thread.sleep(forTimeInterval: 0.01)
                if taken > 1 << 20 { cancel.cancel() }
            }
        }
        #expect(server.sentByteCount < taken + (32 << 20), "only the kernel's buffers lie between")
        #expect(try peakMemory() - before < 64 << 20)
    }

    @Test("Case 119: 500 small downloads, 20 at once, through trouble of every kind, end exactly once each")
    func case119_manySmallDownloads() throws {
        let server = try ScriptedServer { request in
            switch request.target {
            case "/mid": .ok(sampleBytes(5_000)).breakingOff(after: 100)
            case "/head": .ok(sampleBytes(5_000)).breakingOff(after: 0)
            case "/none": .hangUp
            case "/reset": .parts([.bytes([1]), .reset])
            case "/loop": .redirect("/loop", status: 301)
            default: .ok(sampleBytes(Int(request.path.dropFirst()) ?? 0))
            }
        }
        defer { server.stop() }
        let client = impatientClient()
        let expected: [String: Set<ErrorCode>] = [
            "/mid": [.transferBodyShort], "/head": [.transferBodyShort], "/none": [.transferConnectionLost],
            "/reset": [.transferConnectionLost, .transferBodyShort], "/loop": [.transferRedirectLoop],
        ]
        let good = Mutex(0)
        let bad = Mutex(0)
        let base = server.url("")
        inThreads(20) { thread in
            for turn in 0..<25 {
                let number = thread * 25 + turn
                let path =
                    number % 10 == 0 ? ["/mid", "/head", "/none", "/reset", "/loop"][number / 10 % 5] : "/\(number)"
                do throws(SnpackError) {
                    let body = try client.get(HTTPURL(parsing: base + path), limit: 10_000).body
                    #expect(body == sampleBytes(number), "\(path)")
                    good.withLock { $0 += 1 }
                } catch {
                    #expect(expected[path]?.contains(error.code) == true, "\(path): \(error)")
                    bad.withLock { $0 += 1 }
                }
            }
        }
        #expect(good.withLock { $0 } == 450)
        #expect(bad.withLock { $0 } == 50)
    }

    @Test("Case 119: a name that does not exist is an error and no hang")
    func case119_noSuchHost() throws {
        let url = try HTTPURL(parsing: "http://no-such-host.invalid/")
        // Twice: the second call takes the handle of the first.
        let client = impatientClient()
        for _ in 1...2 {
            let fault = error { () throws(SnpackError) in _ = try client.get(url, limit: 10) }
            #expect(fault?.code == .transferHostUnknown || fault?.code == .transferProxyFailed)
        }
    }

    /// The process's high-water mark.
    private func peakMemory() throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
        return try #require(line.split(separator: " ").compactMap { Int($0) }.first) << 10
    }
}
