import Diagnostics
import Foundation
import SnpackTestSupport
import Testing
import Transfer

@Suite struct FetchTests {
    @Test func keepsOneConnectionAlive() throws {
        let bytes = sampleBytes(5_000)
        let server = try ScriptedServer { .file(bytes, for: $0) }
        defer { server.stop() }
        let client = impatientClient()
        for start in stride(from: UInt64(0), to: 5_000, by: 50) {
            let request = try server.request(size: .exactly(5_000), range: start..<start + 50)
            #expect(try client.collect(request).bytes == Array(bytes[Int(start)..<Int(start) + 50]))
        }
        #expect(server.requests.count == 100)
        #expect(server.connectionCount == 1)
    }

    @Test func saysWhoItIsAndWhatItWants() throws {
        let server = try ScriptedServer { .file([1, 2, 3], for: $0, entityTag: "\"x\"") }
        defer { server.stop() }
        let client = impatientClient()
        _ = try client.collect(server.request(size: .exactly(3), range: 1..<3, ifRange: EntityTag(parsing: "\"x\"")))
        _ = try? client.collect(server.request(size: .exactly(3), range: 1..<3, ifRange: EntityTag(parsing: "W/\"x\"")))
        _ = try client.get(HTTPURL(parsing: server.url()), limit: 10, isPastCaches: true)
        let requests = server.requests
        #expect(requests.allSatisfy { $0["User-Agent"] == "snpack/0.0.0-test" && $0["Accept-Encoding"] == "identity" })
        #expect(requests.allSatisfy { $0["Cookie"] == nil && $0["Authorization"] == nil })
        #expect(requests[0]["Range"] == "bytes=1-2" && requests[0]["If-Range"] == "\"x\"")
        #expect(requests[1]["If-Range"] == nil)
        #expect(requests.last?["Cache-Control"] == "no-cache" && requests.last?["Range"] == nil)
    }

    @Test func remembersNoCookies() throws {
        let server = try ScriptedServer { _ in .ok("x").header("Set-Cookie", "a=b") }
        defer { server.stop() }
        let client = impatientClient()
        for _ in 0..<2 { _ = try client.get(HTTPURL(parsing: server.url()), limit: 10) }
        #expect(server.requests.allSatisfy { $0["Cookie"] == nil })
    }

    @Test func headReadsNoBody() throws {
        let server = try ScriptedServer { request in
            request.path == "/" ? .ok("hello").header("ETag", "\"e\"").header("Accept-Ranges", "bytes") : .status(405)
        }
        defer { server.stop() }
        let client = impatientClient()
        let head = try client.head(HTTPURL(parsing: server.url()))
        #expect(head.contentLength == 5 && head.entityTag?.text == "\"e\"" && head.acceptsRanges == true)
        let fault = error { () throws(SnpackError) in _ = try client.head(HTTPURL(parsing: server.url("/other"))) }
        #expect(fault?.code == .transferStatusUnexpected)
    }

    @Test func emptyBodiesAreBodies() throws {
        let server = try ScriptedServer { request in
            switch request.path {
            case "/empty": .ok("")
            case "/chunked": .parts([], framing: .chunked)
            case "/closed": .parts([])
            default: .raw("HTTP/1.1 204 No Content\r\n\r\n")
            }
        }
        defer { server.stop() }
        let client = impatientClient()
        for path in ["/empty", "/chunked", "/closed"] {
            #expect(try client.get(HTTPURL(parsing: server.url(path)), limit: 10).body == [])
        }
        let fault = error { () throws(SnpackError) in
            _ = try client.get(HTTPURL(parsing: server.url("/none")), limit: 10)
        }
        #expect(fault?.code == .transferStatusUnexpected)
    }

    @Test func theConsumersErrorComesOutUnchanged() throws {
        let server = try ScriptedServer { _ in .ok(sampleBytes(100_000)) }
        defer { server.stop() }
        let mine = SnpackError(.interrupted, "the disk is full", hint: "buy one", path: "/mnt")
        let client = impatientClient(retries: 3)
        let request = try server.request()
        let fromConsume = error { () throws(SnpackError) in
            try client.fetch(request) { (_) throws(SnpackError) in throw mine }
        }
        let fromBegin = error { () throws(SnpackError) in
            try client.fetch(request) { (_) throws(SnpackError) in
                throw mine
            } consume: { _ in
            }
        }
        #expect(fromConsume == mine)
        #expect(fromBegin == mine)
        #expect(server.requests.count == 2)
    }

    @Test func beginMayStopAfterTheHead() throws {
        let server = try ScriptedServer { _ in .parts([.endless(sampleBytes(1_000))]).header("ETag", "\"e\"") }
        defer { server.stop() }
        let fetched = try impatientClient().collect(server.request(), use: .stop)
        #expect(fetched.bytes.isEmpty && fetched.heads.first?.entityTag?.text == "\"e\"")
    }

    @Test func anEndlessBodyStopsAtTheLimit() throws {
        let framings: [ScriptedResponse.Framing] = [.untilClose, .chunked]
        for framing in framings {
            let server = try ScriptedServer { _ in .parts([.endless(sampleBytes(1_000))], framing: framing) }
            defer { server.stop() }
            let client = impatientClient(retries: 3)
            let start = ContinuousClock.now
            let fault = error { () throws(SnpackError) in
                _ = try client.get(HTTPURL(parsing: server.url()), limit: 1_024)
            }
            #expect(fault?.code == .transferTooLarge)
            #expect(ContinuousClock.now - start < .seconds(3))
            #expect(server.requests.count == 1)
        }
    }

    @Test func anEndlessHeadStops() throws {
        let line = "X-Filler: \(String(repeating: "x", count: 1_000))\r\n"
        let server = try ScriptedServer { request in
            let block = request.path == "/hints" ? "HTTP/1.1 103 Early Hints\r\n\(line)\r\n" : line
            return .parts([.bytes(Array("HTTP/1.1 200 OK\r\n".utf8)), .endless(Array(block.utf8))], framing: .raw)
        }
        defer { server.stop() }
        for path in ["/lines", "/hints"] {
            let fault = error { () throws(SnpackError) in
                _ = try impatientClient().get(HTTPURL(parsing: server.url(path)), limit: 10)
            }
            #expect(fault?.code == .transferHeadTooLarge || fault?.code == .transferAnswerMalformed, "\(path)")
        }
    }

    @Test func takesTheFinalHeadAfterInterimOnes() throws {
        let server = try ScriptedServer { _ in
            .raw("HTTP/1.1 103 Early Hints\r\nETag: \"no\"\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        }
        defer { server.stop() }
        let (response, body) = try impatientClient().get(HTTPURL(parsing: server.url()), limit: 10)
        #expect(body == Array("ok".utf8) && response.status == 200 && response.entityTag == nil)
    }

    @Test func cancellingEndsAWaitWithinASecondOrSo() throws {
        let server = try ScriptedServer { _ in .silence(.seconds(30)) }
        defer { server.stop() }
        let (cancel, client, request) = (CancelToken(), impatientClient(), try server.request())
        let start = ContinuousClock.now
        inThreads(2) { index in
            if index == 0 {
                Thread.sleep(forTimeInterval: 0.1)
                cancel.cancel()
            } else {
                let fault = error { () throws(SnpackError) in _ = try client.collect(request, cancel: cancel) }
                #expect(fault?.code == .interrupted)
            }
        }
        #expect(ContinuousClock.now - start < .seconds(5))
    }

    @Test func aCancelledFetchTakesNoMoreBytes() throws {
        let server = try ScriptedServer { _ in .parts([.endless(sampleBytes(10_000))]) }
        defer { server.stop() }
        let cancel = CancelToken()
        var calls = 0
        let request = try server.request(size: .atMost(1 << 40))
        let fault = error { () throws(SnpackError) in
            try impatientClient().fetch(request, cancel: cancel) { _ in
                calls += 1
                if calls == 3 { cancel.cancel() }
            }
        }
        #expect(fault?.code == .interrupted)
        #expect(calls == 3)
    }

    @Test func aDripIsTooSlow() throws {
        let server = try ScriptedServer { request in
            request.path == "/drip" ? .ok(sampleBytes(100_000)).paced(bytesPerSecond: 100) : .silence(.seconds(30))
        }
        defer { server.stop() }
        for path in ["/drip", "/silence"] {
            let start = ContinuousClock.now
            let client = impatientClient(patience: .milliseconds(500))
            let request = try server.request(path)
            let fault = error { () throws(SnpackError) in _ = try client.collect(request) }
            #expect(fault?.code == .transferTooSlow)
            #expect(ContinuousClock.now - start < .seconds(5))
        }
    }

    @Test func aSlowConsumerIsNotTheServersFault() throws {
        let server = try ScriptedServer { _ in
            .parts([.bytes(sampleBytes(10)), .pause(.milliseconds(1_700)), .bytes(sampleBytes(10))])
        }
        defer { server.stop() }
        var count = 0
        let request = try server.request(size: .exactly(20))
        try impatientClient(patience: .milliseconds(600)).fetch(request) { bytes in
            if count == 0 { Thread.sleep(forTimeInterval: 1.5) }
            count += bytes.count
        }
        #expect(count == 20)
    }

    @Test func aPageInPlaceOfADocumentIsNamed() throws {
        let server = try ScriptedServer { _ in .ok("\n<!DOCTYPE html><title>Sign in</title>") }
        defer { server.stop() }
        let fault = error { () throws(SnpackError) in
            _ = try impatientClient().document(HTTPURL(parsing: server.url("/index.json")), limit: 1_000)
        }
        #expect(fault?.code == .transferHTMLPage)
    }
}
