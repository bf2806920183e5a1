import Diagnostics
import SnpackTestSupport
import Testing
import Transfer

@Suite struct StatusTests {
    @Test(
        arguments: [
            (400, .transferStatusUnexpected), (401, .transferUnauthorized), (402, .transferAllowanceUsedUp),
            (403, .transferForbidden), (404, .transferNotFound), (410, .transferNotFound),
            (405, .transferStatusUnexpected), (416, .transferRangeUnsatisfiable), (429, .transferTooManyRequests),
            (500, .transferServerFailed), (503, .transferServerFailed), (599, .transferServerFailed),
            (203, .transferStatusUnexpected), (304, .transferStatusUnexpected), (300, .transferStatusUnexpected),
            (302, .transferStatusUnexpected),
        ] as [(Int, ErrorCode)])
    func everyStatusHasItsCode(status: Int, code: ErrorCode) throws {
        let server = try ScriptedServer { _ in status == 304 ? .raw("HTTP/1.1 304 X\r\n\r\n") : .status(status) }
        defer { server.stop() }
        let request = try server.request()
        let fault = error { () throws(SnpackError) in _ = try impatientClient().collect(request) }
        #expect(fault?.code == code)
        #expect(fault?.code.exitStatus == (code == .transferNotFound ? .notFound : .network))
        #expect(fault?.hint != nil)
        #expect(fault?.path == server.url("/file"))
    }

    @Test func showsWhatA402Says() throws {
        let server = try ScriptedServer { _ in
            .status(402, #"{"message": "200 GB used\u001b[31m", "code" : "allowance_used"}"#)
        }
        defer { server.stop() }
        let request = try server.request()
        let fault = try #require(error { () throws(SnpackError) in _ = try impatientClient().collect(request) })
        #expect(fault.message.contains("\"allowance_used\"") && fault.message.contains("200 GB used"))
        #expect(!fault.message.contains("\u{1B}"))
    }

    @Test(arguments: ["", "{", "{\"code\":", "{\"code\":\"", "{\"code\":\"\\", "[1,2]", "{\"code\": 5}", "<html>"])
    func aBrokenBodyOfAnErrorIsNoTrouble(body: String) throws {
        let server = try ScriptedServer { _ in .status(402, body) }
        defer { server.stop() }
        let request = try server.request()
        let fault = error { () throws(SnpackError) in _ = try impatientClient().collect(request) }
        #expect(fault?.code == .transferAllowanceUsedUp)
    }

    @Test func anEndlessErrorPageIsCutShort() throws {
        let server = try ScriptedServer { _ in
            var response = ScriptedResponse.parts([.endless(sampleBytes(1_000))])
            response.status = 403
            return response
        }
        defer { server.stop() }
        let request = try server.request()
        let fault = error { () throws(SnpackError) in _ = try impatientClient().collect(request) }
        #expect(fault?.code == .transferForbidden)
    }

    @Test func triesAgainAfterTroubleThatPasses() throws {
        let script: [ScriptedResponse] = [
            // libcurl itself sends again what it put on a kept connection that turns out dead: close it first.
            .status(503).closing(), .hangUp, .status(429).header("Retry-After", "9"),
            .ok(sampleBytes(3_000)).breakingOff(after: 1_000), .ok(sampleBytes(3_000)),
        ]
        let server = try ScriptedServer { script[$0.number] }
        defer { server.stop() }
        let slept = SleepLog()
        let body = try impatientClient(retries: 4, slept: slept).get(HTTPURL(parsing: server.url()), limit: 4_000).body
        #expect(body == sampleBytes(3_000))
        #expect(slept.all == [.milliseconds(250), .milliseconds(500), .seconds(9), .seconds(2)])
    }

    @Test func givesUpAfterItsRetries() throws {
        let server = try ScriptedServer { _ in .status(500) }
        defer { server.stop() }
        let request = try server.request()
        let fault = error { () throws(SnpackError) in _ = try impatientClient(retries: 2).collect(request) }
        #expect(fault?.code == .transferServerFailed)
        #expect(server.requests.count == 3)
    }

    @Test(arguments: [401, 402, 403, 404, 416])
    func doesNotTryAgainWhatWillNotPass(status: Int) throws {
        let server = try ScriptedServer { _ in .status(status) }
        defer { server.stop() }
        let request = try server.request()
        _ = error { () throws(SnpackError) in _ = try impatientClient(retries: 5).collect(request) }
        #expect(server.requests.count == 1)
    }

    @Test func aServerThatWantsAnHourIsNotWaitedFor() throws {
        let server = try ScriptedServer { _ in .status(429).header("Retry-After", "3600") }
        defer { server.stop() }
        let request = try server.request()
        let fault = error { () throws(SnpackError) in _ = try impatientClient(retries: 5).collect(request) }
        #expect(fault?.code == .transferTooManyRequests)
        #expect(fault?.message.contains("3600 s") == true)
        #expect(server.requests.count == 1)
    }

    @Test func nobodyListening() throws {
        let server = try ScriptedServer { _ in .notFound }
        server.stop()
        let request = try server.request()
        let fault = error { () throws(SnpackError) in _ = try impatientClient().collect(request) }
        #expect(fault?.code == .transferConnectFailed)
    }
}

@Suite struct RedirectedTests {
    @Test func followsFiveAndNoMore() throws {
        let server = try ScriptedServer { request in
            let step = Int(request.path.dropFirst()) ?? 0
            return step == 0 ? .ok("there") : .redirect("/\(step - 1)", status: [301, 302, 303, 307, 308][step % 5])
        }
        defer { server.stop() }
        let client = impatientClient()
        let (response, body) = try client.get(HTTPURL(parsing: server.url("/5")), limit: 10)
        #expect(body == Array("there".utf8) && response.url.text == server.url("/0"))
        let fault = error { () throws(SnpackError) in
            _ = try client.get(HTTPURL(parsing: server.url("/6")), limit: 10)
        }
        #expect(fault?.code == .transferRedirectLoop)
        #expect(server.connectionCount == 1)
    }

    @Test func loopsEnd() throws {
        let server = try ScriptedServer { _ in .redirect("", status: 301) }
        defer { server.stop() }
        let request = try server.request()
        let fault = error { () throws(SnpackError) in _ = try impatientClient(retries: 3).collect(request) }
        #expect(fault?.code == .transferRedirectLoop)
        #expect(server.requests.count == 6)
    }

    @Test func theKeyStaysWithItsOrigin() throws {
        let other = try ScriptedServer { _ in .ok("other") }
        let server = try ScriptedServer { request in
            switch request.path {
            case "/away": .redirect(other.url("/x"))
            case "/near": .redirect("/here")
            default: .ok("here")
            }
        }
        defer {
            server.stop()
            other.stop()
        }
        let url = try HTTPURL(parsing: server.url("/away"))
        let client = impatientClient(token: try BearerToken(decoding: Array("snk_1".utf8), for: url.origin))
        #expect(try client.get(url, limit: 10).body == Array("other".utf8))
        #expect(try client.get(HTTPURL(parsing: server.url("/near")), limit: 10).body == Array("here".utf8))
        _ = try client.get(HTTPURL(parsing: other.url("/direct")), limit: 10)
        #expect(server.requests.map { $0["Authorization"] } == Array(repeating: "Bearer snk_1", count: 3))
        #expect(other.requests.count == 2 && other.requests.allSatisfy { $0["Authorization"] == nil })
    }

    @Test func rangesSurviveARedirectAndItsEndlessBody() throws {
        let bytes = sampleBytes(1_000)
        let server = try ScriptedServer { request in
            guard request.path == "/file" else { return .file(bytes, for: request) }
            var away = ScriptedResponse.parts([.endless(sampleBytes(100))]).header("Location", "/store?sig=1")
            away.status = 307
            return away
        }
        defer { server.stop() }
        let request = try server.request(size: .exactly(1_000), range: 100..<200)
        let fetched = try impatientClient().collect(request)
        #expect(fetched.bytes == Array(bytes[100..<200]))
    }
}
