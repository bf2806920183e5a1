import Diagnostics
import ServedChannels
import Testing
import Transfer

@Suite struct HeadCheckTests {
    private let good = [("Content-Length", "10"), ("ETag", "\"x\"")]

    private func verdict(
        _ headers: [(String, String)], _ kind: ChannelFileKind, isGateway: Bool = false
    ) throws -> (faults: [String], warnings: [String]) {
        let head = HTTPResponse(
            status: 200, url: try HTTPURL(parsing: "http://h/x"), fields: headers.map { HTTPResponse.Field($0.0, $0.1) }
        )
        let verdict = HeadCheck(isGateway: isGateway).verdict(on: head, of: kind, blake3: .of([]), path: "x")
        return (verdict.faults.map(\.code.name), verdict.warnings.map(\.code.name))
    }

    @Test(arguments: [
        ("max-age=60", [], []), ("no-cache", [], []), ("max-age=300", [], []),
        ("public, MAX-AGE = \"60\"", [], []), ("max-age=999999, no-store", [], []),
        ("max-age=1800", [], ["served.index-cached-long"]), ("max-age=86400", ["served.index-cached-long"], []),
        ("max-age=60, s-maxage=86400", ["served.index-cached-long"], []),
        ("max-age=60, immutable", ["served.index-cached-long"], []),
        ("", [], ["served.index-without-cache-control"]),
    ])
    func judgesHowLongTheIndexIsKept(_ value: String, _ faults: [String], _ warnings: [String]) throws {
        let found = try verdict(good + (value.isEmpty ? [] : [("Cache-Control", value)]), .index)
        #expect(found.faults == faults && found.warnings == warnings)
    }

    @Test func severalCacheControlHeadersCountTogether() throws {
        let found = try verdict(good + [("Cache-Control", "public"), ("Cache-Control", "max-age=9999999")], .index)
        #expect(found.faults == ["served.index-cached-long"])
    }

    @Test func blobsAreToBeKept() throws {
        #expect(try verdict(good + [("Cache-Control", "no-store")], .blob).warnings == ["served.blob-cached-short"])
        #expect(try verdict(good + [("Cache-Control", "max-age=60, immutable")], .blob).warnings == [])
        #expect(try verdict(good, .blob).warnings == [])
    }

    @Test func tagsMustBeStrongWhereTheyArePromised() throws {
        let weak = [("Content-Length", "10"), ("ETag", "W/\"x\"")]
        #expect(try verdict(weak, .manifest).warnings == ["served.etag-weak"])
        #expect(try verdict(weak, .manifest, isGateway: true).faults == ["served.etag-weak"])
        let none = [("Content-Length", "10")]
        #expect(try verdict(none, .blob).warnings == ["served.etag-missing"])
        #expect(try verdict(none, .blob, isGateway: true).faults == ["served.etag-missing"])
        let other = [("Content-Length", "10"), ("ETag", "\"b3-00\"")]
        #expect(try verdict(other, .blob).faults == ["served.etag-wrong"])
    }

    @Test func encodedAndUnmeasuredBodiesAreNamed() throws {
        let encoded = try verdict(good + [("Content-Encoding", "gzip")], .manifest)
        #expect(encoded.faults == ["served.encoded"])
        #expect(try verdict([("ETag", "\"x\"")], .manifest).warnings == ["served.length-missing"])
    }
}
