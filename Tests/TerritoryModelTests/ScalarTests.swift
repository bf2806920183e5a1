import Diagnostics
import TerritoryModel
import Testing

@Suite struct ScalarTests {
    @Test(
        "Case 97: build metadata is refused outright",
        arguments: ["1.0.0+a", "1.0.0+18446744073709551616", "1.0.0-b+c"])
    func case097(_ text: String) throws {
        let error = try fault { _ = try TerritoryVersion(parsing: text) }
        #expect(error.code.name == "version.invalid" && error.message.contains("build metadata"))
    }

    @Test("Case 99: a date with leading zeros is refused with the version that was meant")
    func case099() throws {
        for (text, hint) in [
            ("2026.01.05", "2026.1.5"), ("2024.04.11", "2024.4.11"), ("2026.01.05-beta.1", "2026.1.5-beta.1"),
            ("2026.1.00", "2026.1.0"), ("2026.1.5-00.15.43", "0 in place of 00"),
        ] {
            let error = try fault { _ = try TerritoryVersion(parsing: text) }
            #expect(error.hint == "write \(hint)", "\(text)")
        }
    }

    @Test func versionsKnowPrereleasesAndCaseTwins() throws {
        let version = try TerritoryVersion(parsing: "1.0.0-RC.1")
        #expect(version.isPrerelease && version.asciiLowercased == "1.0.0-rc.1")
        #expect(!(try TerritoryVersion(parsing: "1.0.0").isPrerelease))
    }

    @Test func limitsOfLengthsHoldExactly() throws {
        func text(_ count: Int) -> String { String(repeating: "x", count: count) }
        #expect(accepts { _ = try TerritoryID(parsing: text(64)) })
        #expect(!accepts { _ = try TerritoryID(parsing: text(65)) })
        #expect(accepts { _ = try ChannelName(parsing: text(64)) })
        #expect(!accepts { _ = try ChannelName(parsing: text(65)) })
        #expect(accepts { _ = try LayerKind(parsing: text(32)) })
        #expect(!accepts { _ = try LayerKind(parsing: text(33)) })
        #expect(accepts { _ = try TerritoryVersion(parsing: "1.0.0-" + text(58)) })
        #expect(!accepts { _ = try TerritoryVersion(parsing: "1.0.0-" + text(59)) })
        #expect(accepts { _ = try LayerPath(parsing: text(200)) })
        #expect(!accepts { _ = try LayerPath(parsing: text(201)) })
        #expect(accepts { _ = try DisplayText(parsing: text(200)) })
        #expect(!accepts { _ = try DisplayText(parsing: text(201)) })
        // Lengths of texts count scalars, not bytes and not what looks like a character.
        #expect(accepts { _ = try DisplayText(parsing: String(repeating: "🗺", count: 200)) })
        #expect(!accepts { _ = try DisplayText(parsing: String(repeating: "e\u{301}", count: 101)) })
        let long = [text(200), text(200), text(110)].joined(separator: "/")
        #expect(long.utf8.count == 512)
        #expect(accepts { _ = try FilePath(parsing: long) })
        #expect(!accepts { _ = try FilePath(parsing: long + "x") })
    }

    @Test func boxesAcceptAndRefuseAsTheVectorsSay() throws {
        let vectors = try VectorFile("scalars.json")
        for edges in try vectors.value("bbox", "valid", as: [[Double]].self) {
            let box = try BoundingBox(west: edges[0], south: edges[1], east: edges[2], north: edges[3])
            #expect(box.crossesAntimeridian == (edges[0] > edges[2]))
            #expect(box.json == .array(edges.map { .number(JSONNumber($0) ?? JSONNumber(Int64(0))) }))
        }
        for edges in try vectors.value("bbox", "invalid", as: [[Any]].self).compactMap({ $0 as? [Double] })
        where edges.count == 4 {
            let error = try fault {
                _ = try BoundingBox(west: edges[0], south: edges[1], east: edges[2], north: edges[3])
            }
            #expect(error.code.name == "bbox.invalid", "\(edges)")
        }
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity, 1e300])
    func boxesRefuseWhatIsNoAngle(_ value: Double) {
        #expect(!accepts { _ = try BoundingBox(west: value, south: 0, east: 1, north: 1) })
        #expect(!accepts { _ = try BoundingBox(west: 0, south: value, east: 1, north: 1) })
        #expect(!accepts { _ = try BoundingBox(west: 0, south: 0, east: value, north: 1) })
        #expect(!accepts { _ = try BoundingBox(west: 0, south: 0, east: 1, north: value) })
    }

    @Test("Case 21: 7 decimals stay what they are, and more are rounded, not cut")
    func case021() throws {
        let box = try BoundingBox(west: 137.6924403, south: -102.024217 / 2, east: 173.5475895, north: 0.123456789)
        let text = box.json.arrayValue?.compactMap { $0.numberValue?.canonicalText }
        #expect(text == ["137.6924403", "-51.0121085", "173.5475895", "0.1234568"])
    }

    @Test("Case 93: minus zero is zero in a box")
    func case093MinusZero() throws {
        let box = try BoundingBox(west: -0.0, south: -1e-9, east: 1, north: 1)
        #expect(box.json == [0, 0, 1, 1] && box.west.sign == .plus)
    }

    @Test func timestampsCountSecondsAndKeepUTC() throws {
        for (text, seconds, canonical) in [
            ("1970-01-01T00:00:00Z", 0, "1970-01-01T00:00:00Z"),
            ("2026-11-28T20:21:02Z", 1_795_897_262, "2026-11-28T20:21:02Z"),
            ("2026-11-28T21:21:02.999+01:00", 1_795_897_262, "2026-11-28T20:21:02Z"),
            ("2024-02-29T00:00:00-00:30", 1_709_166_600, "2024-02-29T00:30:00Z"),
            ("1969-12-31T23:59:59Z", -1, "1969-12-31T23:59:59Z"),
            ("0000-01-01T00:00:00Z", -62_167_219_200, "0000-01-01T00:00:00Z"),
            ("9999-12-31T23:59:59Z", 253_402_300_799, "9999-12-31T23:59:59Z"),
            ("2000-02-29T12:00:00Z", 951_825_600, "2000-02-29T12:00:00Z"),
        ] as [(String, Int64, String)] {
            let timestamp = try Timestamp(parsing: text)
            #expect(timestamp.secondsSince1970 == seconds, "\(text)")
            #expect(timestamp.description == canonical)
            #expect(Timestamp(secondsSince1970: seconds) == timestamp)
        }
    }

    @Test(arguments: [
        "1900-02-29T00:00:00Z", "2026-11-28T20:21:02.Z", "2026-11-28T20:21:02+24:00", "2026-11-28T20:21:02+1:00",
        "2026-11-28T20:21:02+0100", "2026-11-28T20:60:02Z", "0000-01-01T00:00:00+00:01", "9999-12-31T23:59:59-00:01",
        "2026-11-28T20:21:02ZZ", "+026-11-28T20:21:02Z", "2026-00-10T20:21:02Z", "2026-11-00T20:21:02Z",
        "２026-11-28T20:21:02Z",
    ])
    func timestampsRefuse(_ text: String) {
        #expect(!accepts { _ = try Timestamp(parsing: text) })
    }

    @Test func timestampsRoundTripEveryDay() throws {
        for day in stride(from: Int64(-719_528), through: 2_932_896, by: 61) {
            let timestamp = Timestamp(secondsSince1970: day * 86_400 + 86_399)
            #expect(try Timestamp(parsing: timestamp.description) == timestamp)
        }
        #expect(Timestamp(secondsSince1970: .max).description == "9999-12-31T23:59:59Z")
        #expect(Timestamp(secondsSince1970: .min).description == "0000-01-01T00:00:00Z")
    }

    @Test(
        "Case 59: control and direction characters are refused in texts",
        arguments: [
            "\u{0}", "\n", "\u{1F}", "\u{7F}", "\u{9F}", "\u{2028}", "\u{202E}", "\u{2066}", "\u{2069}", "\u{61C}",
            "\u{200E}", "\u{200F}",
        ])
    func case059(_ character: String) throws {
        let error = try fault { _ = try DisplayText(parsing: "a\(character)b") }
        #expect(error.code.name == "text.invalid" && error.message.contains("U+"))
        #expect(error.message.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x202E })
    }

    @Test func textsNextToTheForbiddenAreFine() throws {
        for character in ["\u{20}", "\u{7E}", "\u{A0}", "\u{2027}", "\u{202F}", "\u{2065}", "\u{206A}", "\u{200D}"] {
            #expect(accepts { _ = try DisplayText(parsing: "a\(character)b") })
        }
    }

    @Test func textsAreEqualByScalars() throws {
        #expect(try DisplayText(parsing: "\u{E9}") != DisplayText(parsing: "e\u{301}"))
        #expect(try DisplayText(parsing: "\u{E9}") == DisplayText(parsing: "\u{E9}"))
    }

    @Test func kindsKnowWhereTheirLayersLie() throws {
        let kinds: [LayerKind] = [.valhallaTiles, .pmtiles, .geocodeIndex, .poiSidecar, .style]
        #expect(
            kinds.map { $0.defaultPath?.rawValue } == ["valhalla", "map.pmtiles", "geocode", "poi.sqlite", "style"])
        #expect(try LayerKind(parsing: "contours").defaultPath == nil)
        #expect(LayerKind.pmtiles.defaultPath?.blobFile == "map.pmtiles.tar.zst")
    }

    @Test(arguments: [" ", "   ", "\u{200b}", "\u{feff}\u{2060} \u{ad}", "\u{e0041}", "\u{3000}"])
    func aTextThatCannotBeSeenIsReadAndNotWritten(_ text: String) throws {
        #expect(try DisplayText(parsing: text).rawValue == text)
        #expect(throws: SnpackError.self) { try DisplayText(writing: text) }
        #expect(try DisplayText(writing: text + "é").rawValue == text + "é")
    }
}
