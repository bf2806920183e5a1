import Diagnostics
import SnpackTestSupport
import TerritoryModel
import Testing

/// Every rule and limit of an index: what lies at the limit is read, what lies one past it is refused by key path.
@Suite struct IndexRuleTests {
    private func check(
        _ place: String, _ isFine: Bool, sourceLocation: SourceLocation = #_sourceLocation,
        _ edit: (inout JSONValue) -> Void
    ) throws {
        var document = try Documents.value(Documents.index)
        edit(&document)
        let bytes = document.canonicalBytes
        if isFine {
            #expect(throws: Never.self, sourceLocation: sourceLocation) { try ChannelIndex(decoding: bytes) }
        } else {
            let error = try fault(sourceLocation: sourceLocation) { _ = try ChannelIndex(decoding: bytes) }
            #expect(error.code.name == "index.malformed", sourceLocation: sourceLocation)
            #expect(error.message.hasPrefix(place + ": "), "\(place): \(error)", sourceLocation: sourceLocation)
        }
    }

    private func check(
        _ path: String, _ values: [(JSONValue?, Bool)], sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        for (value, isFine) in values {
            try check(path, isFine, sourceLocation: sourceLocation) { $0[path: path] = value }
        }
    }

    @Test(arguments: [
        "type", "format", "channel", "sequence", "published_at", "territories", "territories[0].id",
        "territories[0].display_name", "territories[0].bbox", "territories[0].latest_version",
        "territories[0].versions", "territories[0].versions[1].version", "territories[0].versions[0].data_timestamp",
        "territories[0].versions[0].manifest_path", "territories[0].versions[0].manifest_blake3",
        "territories[0].versions[0].total_bytes", "territories[0].versions[0].download_bytes",
    ])
    func keysAreNeeded(_ path: String) throws {
        try check(path, [(nil, false), (.null, false)])
    }

    @Test(arguments: [
        "expires_at", "critical", "territories[0].versions[0].requires", "territories[0].versions[0].yanked",
    ])
    func nullStandsForNoOptionalKey(_ path: String) throws { try check(path, [(.null, false), (1, false)]) }

    @Test func sequenceAndChannelHaveLimits() throws {
        try check(
            "sequence", [(0, false), (1, true), (.count(1 << 52), true), (.count(1 << 52 + 1), false), (1.0e0, true)])
        try check("channel", [(.text(64), true), (.text(65), false), ("", false), ("-a", false), ("Main", false)])
    }

    @Test func expiryIsLaterThanPublication() throws {
        try check(
            "expires_at",
            [
                ("2026-11-30T12:00:01Z", true), ("2026-11-30T12:00:00Z", false), ("2026-11-30T13:00:00+01:00", false),
                ("2026-11-30", false),
            ])
    }

    @Test func territoriesAscendUpToALimit() throws {
        func territories(_ count: Int) -> (inout JSONValue) -> Void {
            { document in
                var territory = document[path: "territories[0]"] ?? .null
                let version = territory[path: "versions[0]"] ?? .null
                territory[path: "versions"] = [version]
                document[path: "territories"] = .array(
                    (0..<count).map { index in
                        var territory = territory
                        territory[path: "id"] = .string("t\(10_000 + index)")
                        territory[path: "versions[0].manifest_path"] = .string(
                            "territories/t\(10_000 + index)/1.1.0/manifest.json")
                        return territory
                    })
            }
        }
        try check("territories", true, territories(0))
        try check("territories", true, territories(10_000))
        try check("territories", false, territories(10_001))
        try check("territories[1].id", false) {
            $0[path: "territories"] = .array(Array(repeating: $0[path: "territories[0]"] ?? .null, count: 2))
        }
    }

    @Test func versionsDescendUpToALimit() throws {
        func versions(_ names: [String]) -> (inout JSONValue) -> Void {
            { document in
                let version = document[path: "territories[0].versions[0]"] ?? .null
                document[path: "territories[0].latest_version"] = names.first.map(JSONValue.string)
                document[path: "territories[0].versions"] = .array(
                    names.map { name in
                        var version = version
                        version[path: "version"] = .string(name)
                        version[path: "manifest_path"] = .string("territories/liechtenstein/\(name)/manifest.json")
                        return version
                    })
            }
        }
        let path = "territories[0].versions"
        try check(path, true, versions((1...1_000).reversed().map { "1.0.\($0)" }))
        try check(path, false, versions((1...1_001).reversed().map { "1.0.\($0)" }))
        try check(path + "[1].version", false, versions(["1.0.0", "1.0.0"]))
        try check(path + "[1].version", false, versions(["1.0.0", "1.0.1"]))
        try check(path + "[1].version", false, versions(["1.0.0-rc", "1.0.0-RC"]))
        try check(path + "[0].version", false, versions(["1.0.0+a"]))
        try check(path, false) { $0[path: path] = [] }
    }

    @Test func latestVersionIsOneThatIsOffered() throws {
        let path = "territories[0].latest_version"
        try check(path, [("1.0.0", true), ("1.2.0", false), ("1.1", false)])
        try check(path, false) { $0[path: "territories[0].versions[0].yanked"] = "bad tiles" }
        try check(path, true) { $0[path: "territories[0].versions[1].yanked"] = "bad tiles" }
        try check(path, true) {
            $0[path: "territories[0].versions[0].yanked"] = "bad tiles"
            $0[path: "territories[0].versions[1].yanked"] = "bad tiles"
        }
        try check(path, false) {
            $0[path: path] = "1.0.0"
            $0[path: "territories[0].versions[0].yanked"] = "bad tiles"
            $0[path: "territories[0].versions[1].yanked"] = "bad tiles"
        }
    }

    @Test func entriesHaveLimits() throws {
        let entry = "territories[0].versions[1]"
        try check("\(entry).yanked", [(.text(0), false), (.text(1), true), (.text(500), true), (.text(501), false)])
        try check(
            "\(entry).manifest_path",
            [("territories/liechtenstein/1.1.0/manifest.json", false), ("../manifest.json", false)])
        for key in ["total_bytes", "download_bytes"] {
            try check("\(entry).\(key)", [(0, true), (.count(1 << 53 - 1), true), (.count(1 << 53), false)])
        }
        func engines(_ count: Int) -> JSONValue {
            .object(JSONObject((0..<count).map { (key: "engine-\($0)", value: "1.0.0") }))
        }
        try check("\(entry).requires", [(engines(0), false), (engines(1_024), true), (engines(1_025), false)])
        try check("territories[0].display_name", [(.text(200), true), (.text(201), false), ("\u{2066}", false)])
    }

    @Test func boxesAreRefusedAsTheVectorsSay() throws {
        let vectors = try Documents.value("scalars.json")
        for box in try #require(vectors[path: "bbox.valid"]?.arrayValue) {
            try check("territories[0].bbox", [(box, true)])
        }
        for box in try #require(vectors[path: "bbox.invalid"]?.arrayValue) {
            let badElement = box.arrayValue?.firstIndex { $0.numberValue == nil }
            let place = "territories[0].bbox" + (badElement.map { "[\($0)]" } ?? "")
            try check(place, false) { $0[path: "territories[0].bbox"] = box }
        }
    }

    @Test func documentHasALimit() throws {
        let bytes = try Documents.bytes(Documents.index)
        let padding = [UInt8](repeating: 0x20, count: 16 << 20 - bytes.count)
        _ = try ChannelIndex(decoding: padding + bytes)
        let error = try fault { _ = try ChannelIndex(decoding: padding + bytes + [0x20]) }
        #expect(error.message.contains("more than 16777216"))
    }

    @Test("Case 97: 1.0.0+a is refused by the index, not passed over")
    func case097() throws {
        try check("territories[0].versions[0].version", [("1.0.0+18446744073709551616", false)])
    }
}
