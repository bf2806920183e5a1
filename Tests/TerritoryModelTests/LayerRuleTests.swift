import SnpackTestSupport
import TerritoryModel
import Testing

/// Every rule and limit of a manifest's layers, blobs and patches.
@Suite struct LayerRuleTests: ManifestChecks {
    @Test func filesOfALayerHaveLimits() throws {
        try check(rows("layers[1].files", [(0, false), (1_000_001, false), (.count(1 << 40), false)]))
        try check(rows("layers[0].files", [(0, false), (2, false)]))
        try check([
            (
                "layers[1].files", true,
                { document in
                    document[path: "layers[1].files"] = 1_000_000
                    document[path: "layers[1].blob.tar_bytes"] = 514_601_724
                }
            ),
            ("layers[0].files", false, { $0[path: "layers[0].files"] = 1_000_001 }),
        ])
    }

    @Test func tarStreamFitsTheFiles() throws {
        // One file of 90,112 bytes.
        try check(
            rows(
                "layers[0].blob.tar_bytes",
                [
                    (91_648, true), (91_647, false), (.count(90_112 + 3_583 + 1_024), true),
                    (.count(90_112 + 3_583 + 1_025), false), (.count(1 << 53), false),
                ]))
    }

    @Test func chunkTableFitsTheStream() throws {
        // 91,648 bytes of tar: 1 to 3 chunks, so a table of 96 to 240 bytes.
        try check(
            rows(
                "layers[0].blob.table_bytes",
                [
                    (24, false), (95, false), (96, true), (97, false), (240, true), (312, false), (0, false),
                    (.count(Limits.byteCount), false),
                ]))
    }

    @Test func blobFitsItsTable() throws {
        for (bytes, isFine) in [(97, true), (96, false), (96 + 1_053_700, true), (96 + 1_053_701, false)] {
            try check([
                (
                    "layers[0].blob.bytes", isFine,
                    { document in
                        document[path: "layers[0].blob.bytes"] = .count(UInt64(bytes))
                        document[path: "download_bytes"] = .count(518_329 - 26_625 + UInt64(bytes))
                    }
                )
            ])
        }
    }

    @Test func namesMustBeTheDerivedOnes() throws {
        try check(
            rows("layers[0].blob.file", [("poi.sqlite.tar.zst", true), ("poi.tar.zst", false), ("../x", false)]))
        try check(rows("layers[0].blake3", [(.text(64), false), (.string(String(repeating: "A", count: 64)), false)]))
    }

    private func patches(_ count: Int, _ edit: (inout JSONValue) -> Void = { _ in }) -> JSONValue {
        .array(
            (0..<count).map { index in
                let from = String(repeating: "0", count: 14) + String(10 + index) + String(repeating: "a", count: 48)
                var patch: JSONValue = [
                    "from": .string(from), "file": .string("from-\(from.prefix(16)).patch"), "bytes": 100,
                    "blake3": .string(from), "old_tar_bytes": 1_536, "table_bytes": 52,
                ]
                edit(&patch)
                return patch
            })
    }

    @Test func patchesAscendUpToALimit() throws {
        try check(rows("layers[0].patches", [(patches(0), true), (patches(16), true), (patches(17), false)]))
        let twice = JSONValue.array(patches(1).arrayValue.map { $0 + $0 } ?? [])
        try check([("layers[0].patches[1].from", false, { $0[path: "layers[0].patches"] = twice })])
        let own = "a04006dcaf0d9e80afc2f4b51f1d9d64a5a276b21863661852fbbdaaf1f17976"
        let selfPatch = patches(1) {
            $0[path: "from"] = .string(own)
            $0[path: "file"] = "from-a04006dcaf0d9e80.patch"
        }
        try check([("layers[0].patches[0].from", false, { $0[path: "layers[0].patches"] = selfPatch })])
    }

    @Test func patchesFitTheirSteps() throws {
        let most: UInt64 = 24 + 28 * 262_144
        for (key, value, bytes, isFine) in [
            ("table_bytes", 52, 52, true), ("table_bytes", 24, 100, false), ("table_bytes", 51, 100, false),
            ("table_bytes", 53, 100, false), ("table_bytes", most, most, true),
            ("table_bytes", most + 28, most + 28, false), ("bytes", 51, 51, false), ("table_bytes", 0, 100, false),
            ("bytes", 52 + 8_421_376, 52 + 8_421_376, true), ("bytes", 52 + 8_421_377, 52 + 8_421_377, false),
            ("old_tar_bytes", Limits.byteCount, 100, true), ("old_tar_bytes", Limits.byteCount + 1, 100, false),
        ] as [(String, UInt64, UInt64, Bool)] {
            let patch = patches(1) {
                $0[path: "bytes"] = .count(bytes)
                $0[path: key] = .count(value)
            }
            try check([("layers[0].patches[0].\(key)", isFine, { $0[path: "layers[0].patches"] = patch })])
        }
        let elsewhere = patches(1) { $0[path: "file"] = "from-0.patch" }
        try check([("layers[0].patches[0].file", false, { $0[path: "layers[0].patches"] = elsewhere })])
    }

    @Test func requirementsHaveLimits() throws {
        func engines(_ count: Int) -> JSONValue {
            .object(JSONObject((0..<count).map { (key: "engine-\($0)", value: "1.0.0") }))
        }
        try check(
            rows(
                "layers[0].requires",
                [(engines(0), false), (engines(1), true), (engines(16), true), (engines(17), false)]))
        try check([
            ("layers[0].requires.valhalla", false, { $0[path: "layers[0].requires"] = ["valhalla": "3.5"] }),
            ("layers[0].requires.valhalla", false, { $0[path: "layers[0].requires"] = ["valhalla": 3] }),
            ("layers[0].requires[\"Valhalla\"]", false, { $0[path: "layers[0].requires"] = ["Valhalla": "3.5.0"] }),
        ])
    }

    @Test func metaIsFlatUpToALimit() throws {
        func meta(_ byteCount: Int) -> JSONValue {
            var meta: JSONValue = ["a": "", "b": 1.5, "c": true, "d": [1, "x", false], "e": []]
            meta[path: "a"] = .text(byteCount - meta.canonicalBytes.count)
            return meta
        }
        try check(rows("layers[0].meta", [([:], true), (meta(65_536), true), (meta(65_537), false)]))
        for value in [[:], [["x"]], [[:]], .null, "a\u{200F}", ["\u{7F}"]] as [JSONValue] {
            let place = value.arrayValue == nil ? "layers[0].meta.a" : "layers[0].meta.a[0]"
            try check([(place, false, { $0[path: "layers[0].meta"] = ["a": value] })])
        }
    }
}
