import Diagnostics
import Hashing
import SnpackTestSupport
import TerritoryModel
import Testing

/// What the factory makes keeps the reader's rules.
@Suite struct DocumentMakingTests {
    private let digest = Blake3Digest.of([1])

    private func layer(
        _ kind: LayerKind = .pmtiles, path: String = "map.pmtiles", bytes: UInt64 = 1_000, meta: JSONObject? = nil,
        patches: [Manifest.Patch] = [], requires: EngineRequirements = EngineRequirements()
    ) throws -> Manifest.Layer {
        let path = try LayerPath(parsing: path)
        let blob = try Manifest.Blob(
            of: path, fileCount: 1, layerByteCount: bytes, byteCount: 500, blake3: digest, tarByteCount: bytes + 1_536,
            tableByteCount: 96, tableBlake3: digest)
        return try Manifest.Layer(
            kind: kind, path: path, isTree: false, fileCount: 1, byteCount: bytes, blake3: digest, blob: blob,
            patches: patches, requires: requires, meta: meta)
    }

    private func manifest(
        _ id: String = "uk", _ version: String = "1.0.0", box: BoundingBox? = nil, layers: [Manifest.Layer]? = nil,
        region: Manifest.Region? = nil, attribution: [String] = ["© OpenStreetMap contributors"]
    ) throws -> Manifest {
        try Manifest(
            territoryID: TerritoryID(parsing: id), version: TerritoryVersion(parsing: version),
            displayName: DisplayText(parsing: "Somewhere"), dataTimestamp: Timestamp(secondsSince1970: 1_700_000_000),
            boundingBox: box ?? BoundingBox(west: 0, south: 1, east: 2, north: 3),
            attribution: attribution.map { try DisplayText(parsing: $0, length: Limits.attribution) },
            layers: layers ?? [layer()], region: region)
    }

    @Test func layersAreSortedAndSumsComputed() throws {
        let made = try manifest(layers: [
            layer(.style, path: "style", bytes: 7), layer(), layer(.geocodeIndex, path: "g"),
        ])
        #expect(made.layers.map(\.kind) == [.geocodeIndex, .pmtiles, .style])
        #expect(made.totalBytes == 2_007 && made.downloadBytes == 1_500)
        #expect(try Manifest(decoding: made.canonicalBytes) == made)
    }

    @Test("Case 93: boxes are written with 7 decimals, and so remembered")
    func case093() throws {
        let box = try BoundingBox(west: 7.4000000000000004, south: 1.00000004, east: 8.123456789, north: 9)
        let made = try manifest(box: box)
        #expect(made.boundingBox.json == [7.4, 1, 8.1234568, 9])
        #expect(try Manifest(decoding: made.canonicalBytes) == made)
        let sliver = try BoundingBox(west: 1.00000001, south: 0, east: 1.00000002, north: 1)
        #expect(throws: SnpackError.self) { try manifest(box: sliver) }
    }

    @Test func whatAReaderRefusesIsNotMade() throws {
        #expect(try fault { _ = try manifest(layers: []) }.message.hasPrefix("layers: "))
        #expect(try fault { _ = try manifest(layers: [layer(), layer()]) }.message.hasPrefix("layers[1].kind: "))
        #expect(try fault { _ = try manifest(attribution: []) }.message.hasPrefix("attribution: "))
        #expect(try fault { _ = try manifest("region-0123456789abcdef") }.message.hasPrefix("territory_id: "))
        #expect(try fault { _ = try layer(meta: ["a": .null]) }.message.hasPrefix("meta.a: "))
        #expect(try fault { _ = try layer(bytes: 1 << 53) }.message.hasPrefix("tar_bytes: "))
        #expect(throws: SnpackError.self) {
            try Manifest.Patch(from: digest, byteCount: 9, blake3: digest, oldTarByteCount: 1, tableByteCount: 9)
        }
        let patch = try Manifest.Patch(
            from: digest, byteCount: 99, blake3: digest, oldTarByteCount: 1_536, tableByteCount: 52)
        #expect(try fault { _ = try layer(patches: [patch]) }.message.hasPrefix("patches[0].from: "))
    }

    @Test func regionsAreMadeUnderTheirOwnIDAlone() throws {
        let area = try RegionArea(BoundingBox(west: 0, south: 1, east: 2, north: 3), bufferMeters: 5)
        func region(of source: String) throws -> Manifest.Region {
            try Manifest.Region(
                sourceTerritoryID: TerritoryID(parsing: source), sourceVersion: TerritoryVersion(parsing: "1.0.0"),
                sourceManifestBlake3: digest, area: area)
        }
        let uk = try region(of: "uk")
        let made = try manifest(uk.territoryID.rawValue, region: uk)
        #expect(try Manifest(decoding: made.canonicalBytes) == made)
        #expect(throws: SnpackError.self) { try manifest(region: uk) }
        #expect(throws: SnpackError.self) { try manifest(uk.territoryID.rawValue, "0.9.0", region: uk) }
        #expect(throws: SnpackError.self) { try manifest(uk.territoryID.rawValue, region: region(of: "ie")) }
        #expect(throws: SnpackError.self) { try region(of: uk.territoryID.rawValue) }
    }

    @Test func regionWhoseOutlineOutgrowsAManifestIsRefused() throws {
        let ring = (0..<100_000).map { index -> JSONValue in
            let angle = Double(index) / 100_000 * 2 * .pi
            return [.number(JSONNumber(Int64(index % 180))), .number(JSONNumber(angle) ?? JSONNumber(Int64(0)))]
        }
        let area = try RegionArea(geoJSON: ["type": "Polygon", "coordinates": [.array(ring)]])
        let region = try Manifest.Region(
            sourceTerritoryID: TerritoryID(parsing: "uk"), sourceVersion: TerritoryVersion(parsing: "1.0.0"),
            sourceManifestBlake3: digest, area: area)
        let error = try fault { _ = try manifest(region.territoryID.rawValue, region: region) }
        #expect(error.message.contains("more than 4194304"))
    }

    @Test func indexIsMadeOfManifests() throws {
        let manifests = try ["1.0.0", "1.2.0-rc.1", "1.1.0"].map { try manifest("uk", $0) }
        let versions = manifests.map { ChannelIndex.Version(of: $0, manifestBlake3: .of($0.canonicalBytes)) }
        let latest = try #require(ChannelIndex.Territory.defaultLatest(of: versions))
        let offered = try #require(manifests.first { $0.version == latest })
        let territory = try ChannelIndex.Territory(latest: offered, versions: versions)
        #expect(territory.versions.map(\.version.rawValue) == ["1.2.0-rc.1", "1.1.0", "1.0.0"])
        #expect(territory.latest.version.rawValue == "1.1.0")
        let index = try ChannelIndex(
            channel: .main, sequence: 1, publishedAt: Timestamp(secondsSince1970: 5),
            expiresAt: Timestamp(secondsSince1970: 6), territories: [territory])
        #expect(try ChannelIndex(decoding: index.canonicalBytes) == index)
        for each in manifests { try territory.check(each, listedAs: each.version) }
        #expect(throws: SnpackError.self) {
            try ChannelIndex(
                channel: .main, sequence: 0, publishedAt: Timestamp(secondsSince1970: 5), territories: [territory])
        }
        #expect(throws: SnpackError.self) {
            try ChannelIndex(
                channel: .main, sequence: 1, publishedAt: Timestamp(secondsSince1970: 5),
                territories: [territory, territory])
        }
    }

    @Test func defaultLatestIsTheGreatestThatIsOffered() throws {
        let reason = try DisplayText(parsing: "bad tiles")
        func latest(_ names: [(String, yanked: Bool)]) throws -> String? {
            let versions = try names.map { name, yanked in
                let made = try manifest("uk", name)
                return ChannelIndex.Version(of: made, manifestBlake3: digest, yanked: yanked ? reason : nil)
            }
            return ChannelIndex.Territory.defaultLatest(of: versions)?.rawValue
        }
        #expect(try latest([]) == nil)
        #expect(try latest([("1.9.0", false), ("1.10.0", false), ("2.0.0-a", false)]) == "1.10.0")
        #expect(try latest([("1.0.0-a", false), ("1.0.0-b", false)]) == "1.0.0-b")
        #expect(try latest([("1.0.0", false), ("1.1.0", true)]) == "1.0.0")
        #expect(try latest([("1.0.0", true), ("1.1.0-a", false)]) == "1.1.0-a")
        #expect(try latest([("1.0.0", true), ("1.1.0-a", true)]) == "1.1.0-a")
    }

    @Test func requirementsOfLayersAreJoinedAtTheirHighest() throws {
        func requirements(_ pairs: [String: String]) throws -> EngineRequirements {
            try EngineRequirements(
                Dictionary(
                    uniqueKeysWithValues: pairs.map { (try EngineName(parsing: $0), try TerritoryVersion(parsing: $1)) }
                ))
        }
        let made = try manifest(layers: [
            layer(requires: requirements(["valhalla": "3.10.0", "renderer": "1.0.0"])),
            layer(.style, path: "style", requires: requirements(["valhalla": "3.9.0", "sqlite": "3.40.0"])),
        ])
        #expect(try made.requires == requirements(["valhalla": "3.10.0", "renderer": "1.0.0", "sqlite": "3.40.0"]))
        let unmet = try made.requires.unmet(by: requirements(["valhalla": "3.9.9", "renderer": "1.0.0"]).minimums)
        #expect(unmet.map { "\($0.engine) \($0.minimum)" } == ["sqlite 3.40.0", "valhalla 3.10.0"])
    }
}
