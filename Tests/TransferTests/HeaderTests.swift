import Diagnostics
import Testing
import Transfer

@Suite struct HeaderTests {
    private func response(_ fields: (String, String)...) throws -> HTTPResponse {
        HTTPResponse(
            status: 200, url: try HTTPURL(parsing: "http://h/"), fields: fields.map { HTTPResponse.Field($0.0, $0.1) })
    }

    @Test(
        arguments: [
            ("bytes 0-0/1", 0..<1, 1), ("bytes 1000-1999/2000", 1_000..<2_000, 2_000), ("Bytes 5-9/*", 5..<10, nil),
        ] as [(String, Range<UInt64>, UInt64?)])
    func readsContentRange(text: String, bytes: Range<UInt64>, total: UInt64?) throws {
        let range = try #require(ContentRange(parsing: text))
        #expect(range.bytes == bytes)
        #expect(range.total == total)
    }

    @Test(arguments: [
        "", "bytes", "bytes */2000", "bytes 5-4/10", "bytes 0-10/10", "bytes 0-9", "bytes=0-9/10", "bytes 0-9/10 ",
        "bytes  0-9/10", "bytes 0-9/10/11", "bytes -9/10", "bytes +0-9/10", "bytes 0-9/-1", "bytes 0-٩/10",
        "bytes 0-9223372036854775808/*", "bytes 0-18446744073709551615/*", "items 0-9/10",
    ])
    func refusesContentRange(text: String) { #expect(ContentRange(parsing: text) == nil) }

    @Test func rangeUpToTheLastNumberDoesNotTrap() throws {
        let range = try #require(ContentRange(parsing: "bytes 0-9223372036854775807/*"))
        #expect(range.byteCount == 1 << 63)
    }

    @Test func onlyStrongTagsAreStrong() {
        #expect(EntityTag(parsing: "\"b3-00ff\"")?.isStrong == true)
        #expect(EntityTag(parsing: "\"\"")?.isStrong == true)
        #expect(EntityTag(parsing: "W/\"x\"")?.isStrong == false)
        for text in ["", "x", "\"", "\"a\"b\"", "w/\"x\"", "\"a b\"", "\"a\r\nX: y\"", "\"é\"", "\"a"] {
            #expect(EntityTag(parsing: text) == nil, "\(text.debugDescription)")
        }
        #expect(EntityTag(parsing: "\"" + String(repeating: "x", count: 300) + "\"") == nil)
    }

    @Test func contentLengthIsANumberOrNothing() throws {
        #expect(try response(("Content-Length", "12")).contentLength == 12)
        #expect(try response(("Content-Length", "12"), ("content-length", "12")).contentLength == 12)
        for text in ["-1", "+1", "abc", "1.0", "", "0x10", "1 2", "9223372036854775808", "99999999999999999999"] {
            #expect(try response(("Content-Length", text)).contentLength == nil, "\(text)")
        }
        #expect(try response(("Content-Length", "1"), ("Content-Length", "2")).contentLength == nil)
    }

    @Test func retryAfterInBothForms() throws {
        #expect(try response(("Retry-After", "7")).retryAfter == .seconds(7))
        let now = ("Date", "Sat, 28 Feb 2026 23:59:30 GMT")
        #expect(try response(now, ("Retry-After", "Sun, 01 Mar 2026 00:00:15 GMT")).retryAfter == .seconds(45))
        #expect(try response(now, ("Retry-After", "Sun, 06 Nov 1994 08:49:37 GMT")).retryAfter == .zero)
        #expect(
            try response(("Date", "Wed, 28 Feb 2024 23:00:00 GMT"), ("Retry-After", "Fri, 01 Mar 2024 00:00:00 GMT"))
                .retryAfter == .seconds(90_000))
        #expect(try response(("Retry-After", "Sun, 01 Mar 2026 00:00:15 GMT")).retryAfter == nil)
        for text in ["soon", "-1", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun, 32 Nov 1994 08:49:37 GMT", "1e3"] {
            #expect(try response(now, ("Retry-After", text)).retryAfter == nil, "\(text)")
        }
    }

    @Test func codingsLeaveOutIdentity() throws {
        #expect(try response(("Content-Encoding", "identity")).contentCodings == [])
        #expect(try response(("Content-Encoding", "GZIP , br")).contentCodings == ["gzip", "br"])
    }

    @Test func markupIsSeenBehindSpaceAndByteOrderMark() {
        #expect(looksLikeHTML(Array("\u{FEFF}\r\n <!doctype html>".utf8)))
        #expect(!looksLikeHTML(Array("{\"type\":\"<\"}".utf8)))
        #expect(!looksLikeHTML([]))
    }

    @Test func keyFilesHoldOneToken() throws {
        let origin = try HTTPURL(parsing: "https://h/").origin
        let token = try BearerToken(decoding: Array(" snk_Ab-1.~+/==\r\n".utf8), for: origin)
        #expect(!"\(token) \(String(reflecting: token))".contains("snk_"))
        for text in ["", " \n", "two words", "a\r\nX: y", "=", "a=b", "é", String(repeating: "x", count: 5_000)] {
            let fault = error { () throws(SnpackError) in _ = try BearerToken(decoding: Array(text.utf8), for: origin) }
            #expect(fault?.code == .apiKeyInvalid, "\(text.debugDescription)")
        }
    }
}

@Suite struct RedirectTests {
    @Test func neverGivesUpTLS() throws {
        let secure = try HTTPURL(parsing: "https://h/a/b")
        #expect(try Redirect.target(of: "/c", from: secure).text == "https://h/c")
        #expect(try Redirect.target(of: "c?d#e", from: secure).text == "https://h/a/c?d")
        #expect(try Redirect.target(of: "//other/c", from: secure).text == "https://other/c")
        #expect(
            try Redirect.target(of: "https://h/", from: HTTPURL(parsing: "http://h/")).text == "https://h/")
        for location in [
            "http://h/c", "HTTP://h:443/", "ftp://h/", "file:///etc/passwd", "javascript:alert(1)",
            "https://u:p@h/", "https://", "https://h:0/",
        ] {
            let fault = error { () throws(SnpackError) in _ = try Redirect.target(of: location, from: secure) }
            #expect(fault?.code == .transferRedirectRefused, "\(location)")
        }
    }

    @Test(
        "the signature in a redirect's address, or a password, is in no message",
        arguments: [
            "ftp://me:s3cret@h/x?s3cret", "http://bad host/?s3cret", "https://h/\u{1B}[31m?s3cret", "http://h/?s3cret",
            "gopher://h/?s3cret", "https://h:0/?s3cret", "https://me:s3cret@h/",
        ])
    func aRefusedRedirectTellsNoSecret(location: String) throws {
        let secure = try HTTPURL(parsing: "https://h/a")
        let fault = error { () throws(SnpackError) in _ = try Redirect.target(of: location, from: secure) }
        #expect(fault?.code == .transferRedirectRefused && fault?.message.contains("s3cret") == false, "\(location)")
    }
}

@Suite struct RetryPolicyTests {
    @Test func pausesDoubleUpToABoundAndEnd() {
        var policy = RetryPolicy()
        policy.retries = 8
        policy.random = { 1 }
        let pauses = (0..<9).map { policy.pause(beforeRetry: $0) }
        #expect(
            pauses == [500, 1_000, 2_000, 4_000, 8_000, 16_000, 20_000, 20_000].map { .milliseconds($0) } + [nil])
        policy.random = { 0 }
        #expect(policy.pause(beforeRetry: 1) == .milliseconds(500))
        #expect(RetryPolicy.never.pause(beforeRetry: 0) == nil)
    }

    @Test func servesRetryAfterUpToABound() {
        var policy = RetryPolicy()
        policy.random = { 0 }
        #expect(policy.pause(beforeRetry: 0, retryAfter: .seconds(30)) == .seconds(30))
        #expect(policy.pause(beforeRetry: 0, retryAfter: .zero) == .milliseconds(250))
        #expect(policy.pause(beforeRetry: 0, retryAfter: .seconds(3_600)) == nil)
    }

    @Test func sleepEndsWhenCancelled() {
        let (policy, cancel) = (RetryPolicy(), CancelToken())
        let start = ContinuousClock.now
        inThreads(2) { index in
            if index == 0 { cancel.cancel() } else { try? policy.sleep(.seconds(30), cancel) }
        }
        #expect(ContinuousClock.now - start < .seconds(5))
    }
}
