import Diagnostics
import SnpackTestSupport
import Testing
import Transfer

/// What a server says to `Range: bytes=1000-1999` of a file of 2,000 bytes, and what comes of it.
struct RangeLie: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let answer: ScriptedResponse
    let code: ErrorCode?

    init(_ name: String, _ answer: ScriptedResponse, _ code: ErrorCode?) {
        (testDescription, self.answer, self.code) = (name, answer, code)
    }

    static let file = sampleBytes(2_000)
    static let half = Array(file[1_000...])

    static func part(_ range: String, _ body: [UInt8] = half) -> ScriptedResponse {
        var response = ScriptedResponse.ok(body).header("Content-Range", range)
        response.status = 206
        return response
    }

    static let all: [RangeLie] = [
        RangeLie("as asked", part("bytes 1000-1999/2000"), nil),
        RangeLie("total unknown", part("bytes 1000-1999/*"), nil),
        RangeLie("without a length, chunked", part("bytes 1000-1999/2000").framed(.chunked), nil),
        RangeLie("without a length, closed", part("bytes 1000-1999/2000").framed(.untilClose), nil),
        RangeLie("200, whole", .ok(file), .transferRangeIgnored),
        RangeLie("200, whole, no length", .ok(file).framed(.untilClose), .transferRangeIgnored),
        RangeLie("200, empty", .ok(""), .transferLengthDiffers),
        RangeLie("200, a page", .ok("<html>").header("Content-Type", "text/html"), .transferLengthDiffers),
        RangeLie(
            "200 and a part", .ok(half).header("Content-Range", "bytes 1000-1999/2000"), .transferRangeContradicted),
        RangeLie("200 and nonsense", .ok(file).header("Content-Range", "bytes"), .transferAnswerMalformed),
        RangeLie("206 without a range", part("").framed(.length), .transferAnswerMalformed),
        RangeLie("206 of other units", part("lines 1000-1999/2000"), .transferAnswerMalformed),
        RangeLie(
            "two ranges", part("bytes 1000-1999/2000").header("Content-Range", "bytes 0-999/2000"),
            .transferAnswerMalformed),
        RangeLie("shifted back", part("bytes 999-1998/2000"), .transferRangeShifted),
        RangeLie("shifted forth", part("bytes 1001-1999/2000", Array(half.dropFirst())), .transferRangeShifted),
        RangeLie("from zero", part("bytes 0-1999/2000", file), .transferRangeShifted),
        RangeLie("too short", part("bytes 1000-1499/2000", Array(half.prefix(500))), .transferRangeShort),
        RangeLie("a larger file", part("bytes 1000-1999/2001"), .transferContentChanged),
        RangeLie("a smaller file", part("bytes 1000-1499/1500", Array(half.prefix(500))), .transferContentChanged),
        RangeLie("another length", part("bytes 1000-1999/2000").framed(.declared(["999"])), .transferAnswerMalformed),
        RangeLie("body short, length right", part("bytes 1000-1999/2000").breakingOff(after: 10), .transferBodyShort),
        RangeLie(
            "body short, chunked", part("bytes 1000-1999/2000", Array(half.prefix(10))).framed(.chunked),
            .transferBodyShort),
        RangeLie(
            "body short, closed", part("bytes 1000-1999/2000", Array(half.prefix(10))).framed(.untilClose),
            .transferBodyShort),
        RangeLie("body long, chunked", part("bytes 1000-1999/2000", half + [0]).framed(.chunked), .transferTooLarge),
        RangeLie("body endless", part("bytes 1000-1999/2000").framed(.untilClose).endless(), .transferTooLarge),
        RangeLie("gzip", part("bytes 1000-1999/2000").header("Content-Encoding", "gzip"), .transferEncoded),
        RangeLie("br", .ok(file).header("Content-Encoding", "br"), .transferEncoded),
        RangeLie(
            "multipart", part("bytes 1000-1999/2000").header("Content-Type", "multipart/byteranges; boundary=\"x\""),
            .transferRangeMultipart),
        RangeLie("416", .status(416).header("Content-Range", "bytes */2000"), .transferRangeUnsatisfiable),
        RangeLie("204", .raw("HTTP/1.1 204 No Content\r\n\r\n"), .transferStatusUnexpected),
        RangeLie("HTTP/0.9", .raw("just bytes"), .transferAnswerMalformed),
    ]
}

extension ScriptedResponse {
    fileprivate func endless() -> ScriptedResponse {
        var response = self
        response.parts.append(.endless(sampleBytes(1_000)))
        return response
    }
}

@Suite struct RangeTests {
    @Test(arguments: RangeLie.all)
    func judgesTheAnswerToARange(lie: RangeLie) throws {
        let server = try ScriptedServer { _ in lie.answer }
        defer { server.stop() }
        let request = try server.request(size: .exactly(2_000), range: 1_000..<2_000)
        var taken: [UInt8] = []
        let fault = error { () throws(SnpackError) in
            try impatientClient().fetch(request) { taken += $0 }
        }
        #expect(fault?.code == lie.code, "\(fault?.description ?? "no error")")
        #expect(RangeLie.half.starts(with: taken), "no byte may land in the wrong place")
        if lie.code == nil { #expect(taken == RangeLie.half) }
    }

    @Test func wholeInPlaceOfARangeIsTakenFromStartIfWanted() throws {
        let server = try ScriptedServer { _ in .ok(RangeLie.file) }
        defer { server.stop() }
        let request = try server.request(size: .exactly(2_000), range: 1_000..<2_000)
        let fetched = try impatientClient().collect(request, use: .takeFromStart)
        #expect(fetched.bytes == RangeLie.file)
        #expect(fetched.heads.map(\.firstByte) == [0])
        #expect(server.requests.count == 1)
    }

    @Test func aPartThatNobodyAskedForIsRefused() throws {
        let server = try ScriptedServer { _ in RangeLie.part("bytes 1000-1999/2000") }
        defer { server.stop() }
        let request = try server.request(size: .exactly(2_000))
        let fault = error { () throws(SnpackError) in _ = try impatientClient().collect(request) }
        #expect(fault?.code == .transferRangeUnasked)
    }

    @Test func aRangeOfNothingIsNotSent() throws {
        let server = try ScriptedServer { .file(RangeLie.file, for: $0) }
        defer { server.stop() }
        let request = try server.request(range: 5..<5)
        let fault = error { () throws(SnpackError) in _ = try impatientClient().collect(request) }
        #expect(fault?.code == .transferRangeEmpty)
        #expect(server.requests.isEmpty)
    }

    @Test func aSizeThatDiffersIsSeenAtTheHead() throws {
        let server = try ScriptedServer { _ in .ok(sampleBytes(1_999)) }
        defer { server.stop() }
        let request = try server.request(size: .exactly(2_000))
        var taken = 0
        let fault = error { () throws(SnpackError) in try impatientClient().fetch(request) { taken += $0.count } }
        #expect(fault?.code == .transferLengthDiffers)
        #expect(taken == 0)
    }

    @Test func oneByteBeyondTheSignedSizeIsTooMuch() throws {
        let server = try ScriptedServer { _ in .ok(sampleBytes(2_001)).framed(.untilClose) }
        defer { server.stop() }
        let request = try server.request(size: .exactly(2_000))
        let fault = error { () throws(SnpackError) in _ = try impatientClient().collect(request) }
        #expect(fault?.code == .transferTooLarge)
    }

    @Test func goesOnWhereAConnectionBroke() throws {
        let bytes = sampleBytes(300_000)
        let server = try ScriptedServer { request in
            let whole = ScriptedResponse.file(bytes, for: request, entityTag: "\"v1\"")
            return request.number < 5 ? whole.breakingOff(after: 50_000) : whole
        }
        defer { server.stop() }
        let fetched = try impatientClient(retries: 9).collect(server.request(size: .exactly(300_000)))
        #expect(fetched.bytes == bytes)
        #expect(fetched.heads.map(\.firstByte) == [0, 50_000, 100_000, 150_000, 200_000, 250_000])
        #expect(server.requests.dropFirst().allSatisfy { $0["If-Range"] == "\"v1\"" })
        #expect(server.sentByteCount < 310_000)
    }

    @Test func aLongFileOverAPoorLineNeedsMoreRetriesThanOneStall() throws {
        let bytes = sampleBytes(1_000_000)
        let server = try ScriptedServer { .file(bytes, for: $0).breakingOff(after: 100_000) }
        defer { server.stop() }
        let fetched = try impatientClient(retries: 1).collect(server.request(size: .exactly(1_000_000)))
        #expect(fetched.bytes == bytes)
    }
}
