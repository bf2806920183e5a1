import Diagnostics
import SnpackTestSupport
import TerritoryModel
import Testing

/// Every rule and limit of a manifest: what lies at the limit is read, what lies one past it is refused by key path.
@Suite struct ManifestRuleTests: ManifestChecks {
    private func texts(_ count: Int, of length: Int = 1) -> JSONValue {
        .array(Array(repeating: .text(length), count: count))
    }

    @Test(arguments: [
        "type", "format", "territory_id", "version", "display_name", "data_timestamp", "bbox", "total_bytes",
        "download_bytes", "attribution", "layers", "layers[0].kind", "layers[1].path", "layers[2].tree",
        "layers[3].files", "layers[0].bytes", "layers[0].blake3", "layers[0].blob", "layers[0].blob.file",
        "layers[0].blob.bytes", "layers[0].blob.blake3", "layers[0].blob.tar_bytes", "layers[0].blob.table_bytes",
        "layers[0].blob.table_blake3",
    ])
    func keysAreNeeded(_ path: String) throws {
        try check(rows(path, [(nil, false), (.null, false)]))
    }

    @Test(arguments: ["region", "provenance", "layers[0].patches", "layers[3].requires", "layers[3].meta", "critical"])
    func nullStandsForNoOptionalKey(_ path: String) throws {
        try check(rows(path, [(.null, false), (1, false)]))
    }

    @Test func valuesAreOfTheRightKind() throws {
        for (path, value) in [
            ("version", 1), ("bbox", [:]), ("layers", [:]), ("layers[0]", []), ("layers[0].tree", 1),
            ("layers[0].files", "1"), ("layers[0].blob", []), ("layers[0].blake3", 5), ("attribution", "OSM"),
            ("bbox", [1, 2, 3]), ("display_name", ["x"]),
        ] as [(String, JSONValue)] {
            try check(rows(path, [(value, false)]))
        }
    }

    @Test func typeIsLookedAtBeforeAnythingElse() throws {
        var document = try Documents.value(Documents.manifest)
        document[path: "type"] = "channel-index"
        document[path: "format"] = 2
        document[path: "layers"] = 1
        let bytes = document.canonicalBytes
        #expect(try fault { _ = try Manifest(decoding: bytes) }.message.hasPrefix("type: "))
    }

    @Test func laterFormatsAndUnknownCriticalKeysAreTooNew() throws {
        for (path, value) in [("format", 2), ("critical", ["layers", "delta-of-the-future"])] as [(String, JSONValue)] {
            var document = try Documents.value(Documents.manifest)
            document[path: path] = value
            document[path: "layers"] = .null  // What a later format means by this is unknown.
            let bytes = document.canonicalBytes
            let error = try fault { _ = try Manifest(decoding: bytes) }
            #expect(error.code.name == "manifest.too-new" && error.code.exitStatus == .unsupported)
        }
        try check(rows("format", [(0, false), (1.5, false), ("1", false), (true, false)]))
        try check(
            rows("critical", [([], true), (["layers", "meta", "critical"], true), ([1], false)].map { ($0, $1) })
                .map { $0.isFine ? $0 : ("critical[0]", false, $0.edit) })
    }

    @Test func documentHasALimit() throws {
        let bytes = try Documents.bytes(Documents.manifest)
        let padding = [UInt8](repeating: 0x20, count: 4 << 20 - bytes.count)
        _ = try Manifest(decoding: padding + bytes)
        let error = try fault { _ = try Manifest(decoding: padding + bytes + [0x20]) }
        #expect(error.message.contains("more than 4194304"))
    }

    @Test func textsHaveLimits() throws {
        try check(rows("display_name", [(.text(0), false), (.text(1), true), (.text(200), true), (.text(201), false)]))
        try check(rows("attribution", [(texts(0), false), (texts(32, of: 500), true), (texts(33), false)]))
        try check(rows("attribution[0]", [(.text(0), false), (.text(500), true), (.text(501), false), (1, false)]))
        try check(rows("display_name", [("a\u{202E}b", false), ("a\u{0}b", false), ("a\nb", false), ("a\tb", false)]))
    }

    @Test func provenanceIsTextsUpToALimit() throws {
        func texts(_ count: Int) -> JSONValue {
            .object(JSONObject((0..<count).map { (key: "key\($0)", value: .text(1_000)) }))
        }
        try check(rows("provenance", [(texts(0), true), (texts(64), true), (texts(65), false)]))
        try check(
            [("a", .text(1_001)), ("a", 1), ("a", ["x"]), ("a", "\u{1}")].map { (key: String, value: JSONValue) in
                ("provenance.\(key)", false, { $0[path: "provenance"] = [key: value] })
            })
        try check([("provenance.a", true, { $0[path: "provenance"] = ["a": .text(1_000), "b": ""] })])
    }

    @Test func sumsMustAddUp() throws {
        try check(rows("total_bytes", [(3_917_242, false), (3_917_240, false), (.count(1 << 53), false), (-1, false)]))
        try check(rows("download_bytes", [(518_330, false), (0, false), (1.5, false), ("518329", false)]))
    }

    @Test func layersAscendByKindUpToALimit() throws {
        func layers(_ count: Int) -> Edit {
            { document in
                let layer = document[path: "layers[0]"] ?? .null
                let layers = (0..<count).map { index -> JSONValue in
                    var layer = layer
                    layer[path: "kind"] = .string("kind-\(100 + index)")
                    layer[path: "path"] = .string("path-\(index)")
                    layer[path: "blob.file"] = .string("path-\(index).tar.zst")
                    return layer
                }
                document[path: "layers"] = .array(layers)
                document[path: "total_bytes"] = .count(90_112 * UInt64(count))
                document[path: "download_bytes"] = .count(26_625 * UInt64(count))
            }
        }
        try check([("layers", true, layers(1)), ("layers", true, layers(64)), ("layers", false, layers(65))])
        try check([("layers", false, layers(0))])
        try check(rows("layers[1].kind", [("poi-sidecar", false), ("a", false)]))
        try check(
            rows("layers[1].path", [("..", false), ("POI.SQLITE", false), ("poi.sqlite", false)].map { ($0, $1) })
                .map { row in
                    (
                        "layers[1].path", false,
                        { document in
                            row.edit(&document)
                            let path = document[path: "layers[1].path"]?.stringValue ?? ""
                            document[path: "layers[1].blob.file"] = .string(path + ".tar.zst")
                        }
                    )
                })
    }

    @Test func regionStandsExactlyInManifestsOfRegions() throws {
        let region = try Documents.value(Documents.regionManifest)[path: "region"]
        try check([("region", false, { $0[path: "region"] = region })])
        try check([("territory_id", false, { $0[path: "region"] = nil })], in: Documents.regionManifest)
    }

    @Test func regionFollowsFromItsArea() throws {
        func region(_ place: String, _ values: [(JSONValue?, Bool)]) throws {
            try check(rows(place, values), in: Documents.regionManifest)
        }
        try region("region.source_territory_id", [("region-0bdce04100525163", false), (nil, false), ("UK", false)])
        try region("region.source_version", [("1.1.0", true), ("1.0.0", true), ("1.1.1", false), ("1.1", false)])
        try region("region.source_manifest_blake3", [("0", false), (nil, false)])
        try region("region.area", [(nil, false), ([:], false)])
        try region("region.buffer_m", [(0, false), (100_001, false), (1.0e-1, false)])
        // Another area or another country is another id.
        try check(
            [
                ("region.area", false, { $0[path: "region.source_territory_id"] = "austria" }),
                ("region.area", false, { $0[path: "region.buffer_m"] = 1 }),
                ("region.area", false, { $0[path: "region.area.coordinates[0][1][0]"] = 9.56 }),
                ("region.area", true, { $0[path: "region.area.coordinates[0][1][0]"] = 9.55000000001 }),
            ], in: Documents.regionManifest)
    }
}
