import Diagnostics
import DurableFiles
import Foundation
import MapLayers
import SnpackTestSupport
import TerritoryModel
import Testing

@Suite struct ValhallaCheckTests {
    static let local = "2/000/789/878.gph"

    /// The sample's tree after `change`.
    private func facts(
        subset: Bool = false, _ change: (inout MemoryLayer) -> Void = { _ in }
    ) throws -> LayerFacts {
        var layer = try MemoryLayer(sample: "v1/valhalla")
        change(&layer)
        return try ValhallaCheck.facts(of: layer, subset: subset, context: WorkContext(jobs: 2))
    }

    @Test(arguments: [("v1", 54380, "17205512"), ("v2", 19390, "17205513")])
    func sampleTreePasses(version: String, build: Int64, dataset: String) throws {
        let facts = try ValhallaCheck.facts(of: MemoryLayer(sample: "\(version)/valhalla"))
        #expect(facts.faultLines.isEmpty && facts.warnings.isEmpty)
        #expect(
            facts.meta == [
                "version": "3.9.1", "dataset_id": .string(dataset), "build_id": .number(JSONNumber(build)),
                "tiles_per_level": [1, 1, 3], "box": [9.25, 47, 9.75, 47.5],
            ])
        #expect(facts.requires.map { "\($0.engine) \($0.version)" } == ["valhalla 3.9.1"])
    }

    @Test(.enabled(if: ProjectFiles.sharedData != nil, "needs the larger territory beside the checkout"))
    func sharedTreesPass() throws {
        let data = try #require(ProjectFiles.sharedData)
        for version in ["v1", "v2"] {
            let facts = try ValhallaCheck.facts(of: MemoryLayer(reading: data.appending(path: "\(version)/valhalla")))
            #expect(facts.faultLines.isEmpty && facts.warnings.isEmpty)
            #expect(facts.meta["version"] == "3.9.1" && facts.meta["tiles_per_level"] == [1, 1, 3])
        }
        let tar = MemoryFile(try MemoryLayer(reading: data.appending(path: "v1/valhalla-tar"))["tiles.tar"])
        #expect(try ValhallaTarUnpack.facts(of: tar).faultLines.isEmpty)
    }

    @Test func refusesTreeWithoutTile() throws {
        #expect(try facts { $0.contents = [:] }.faultLines == ["valhalla.no-tiles -"])
        #expect(try facts { $0.contents = ["readme.txt": []] }.faultLines == ["valhalla.no-tiles layer/readme.txt"])
        #expect(try facts { $0.contents = ["tiles.tar": []] }.faultLines == ["valhalla.no-tiles layer/tiles.tar"])
        #expect(try facts { $0.isTree = false }.faultCodes == ["valhalla.no-tiles"])
    }

    @Test func refusesOnlyTemporaries() throws {
        let facts = try facts { $0.contents = ["ways.bin": [1], "tile_manifest.json": [2]] }
        #expect(facts.faultLines == ["valhalla.only-temporaries layer/tile_manifest.json"])
    }

    @Test func refusesTemporariesBesideTiles() throws {
        let facts = try facts {
            $0["edges.bin"] = [1]
            $0["tile_manifest.json"] = [2]
        }
        #expect(
            facts.faultLines == [
                "valhalla.temporary-file layer/edges.bin", "valhalla.temporary-file layer/tile_manifest.json",
            ])
    }

    @Test("Case 27: a tile tree with a tiles.tar beside it is ambiguous")
    func case027_treeAndArchive() throws {
        let facts = try facts { $0["tiles.tar"] = [0] }
        #expect(facts.faultLines == ["valhalla.tar-beside-tree layer/tiles.tar"])
    }

    @Test func refusesStrayFiles() throws {
        let facts = try facts {
            $0["2/000/789/878.gph.bak"] = [0]
            $0["notes.txt"] = [0]
        }
        #expect(
            facts.faultLines == [
                "valhalla.stray-file layer/2/000/789/878.gph.bak", "valhalla.stray-file layer/notes.txt",
            ])
    }

    @Test("Case 29: short, empty and misplaced tiles are named")
    func case029_damagedTiles() throws {
        #expect(
            try facts { $0[Self.local].removeLast(1000) }.faultLines == ["valhalla.tile-size layer/\(Self.local)"])
        #expect(try facts { $0[Self.local] = [] }.faultLines == ["valhalla.tile-short layer/\(Self.local)"])
        #expect(
            try facts { $0[Self.local].removeSubrange(271...) }.faultLines == [
                "valhalla.tile-short layer/\(Self.local)"
            ])
        #expect(try facts { $0[Self.local][0] ^= 1 }.faultLines == ["valhalla.tile-id layer/\(Self.local)"])
        #expect(
            try facts { $0[Self.local].put(UInt64.max, at: 0) }.faultLines == ["valhalla.tile-id layer/\(Self.local)"])
    }

    @Test func refusesWrongCorner() throws {
        for offset in [8, 12] {
            let facts = try facts { $0[Self.local].put(Float(9.75).bitPattern, at: offset) }
            #expect(facts.faultLines == ["valhalla.tile-base layer/\(Self.local)"])
        }
        #expect(try facts { $0[Self.local].put(Float.nan.bitPattern, at: 8) }.faultCodes == ["valhalla.tile-base"])
    }

    @Test("Case 23: tiles of two versions are refused, one version is recorded")
    func case023_versions() throws {
        func setVersion(_ text: String, _ tile: inout [UInt8]) {
            tile.replaceSubrange(16..<32, with: Array(text.utf8) + [UInt8](repeating: 0, count: 16 - text.utf8.count))
        }
        let mixed = try facts { setVersion("2.7.0", &$0[Self.local]) }
        #expect(mixed.faultLines == ["valhalla.mixed-versions layer/\(Self.local)"])
        let old = try facts { layer in
            for path in layer.contents.keys { setVersion("2.7.0", &layer[path]) }
        }
        #expect(old.faultLines.isEmpty && old.meta["version"] == "2.7.0")
        #expect(old.requires.map(\.version) == ["2.7.0"])
        let none = try facts { $0[Self.local][16] = 0xFF }
        #expect(none.faultCodes == ["valhalla.version-text", "valhalla.mixed-versions"])
    }

    @Test("Case 25: tiles of two imports are refused")
    func case025_datasets() throws {
        let facts = try facts { $0[Self.local][32] ^= 1 }
        #expect(facts.faultLines == ["valhalla.mixed-datasets layer/\(Self.local)"])
    }

    @Test func refusesTilesOfTwoBuilds() throws {
        let other = try MemoryLayer(sample: "v2/valhalla")
        let facts = try facts { $0[Self.local] = other[Self.local] }
        #expect(
            facts.faultLines == [
                "valhalla.mixed-datasets layer/\(Self.local)", "valhalla.mixed-builds layer/\(Self.local)",
            ])
    }

    @Test func refusesIncompleteBuildUnlessItIsACut() throws {
        let path = "2/000/791/318.gph"
        let missing = try facts { $0.contents[path] = nil }
        #expect(missing.faultLines == ["valhalla.build-id layer/0/003/107.gph"])
        let cut = try facts(subset: true) { $0.contents[path] = nil }
        #expect(cut.faultLines.isEmpty && cut.meta["subset"] == true && cut.meta["build_id"] == 54380)
        #expect(try facts { $0[path][88] ^= 1 }.faultCodes == ["valhalla.build-id"])
    }

    @Test func refusesUnfinishedBuild() throws {
        let facts = try facts { layer in
            for path in layer.contents.keys { layer[path].put(UInt16(0), at: 94) }
        }
        #expect(facts.faultLines == ["valhalla.unfinished-build layer/0/003/107.gph"])
        #expect(facts.meta["build_id"] == nil)
    }

    @Test func warnsOfOldTilesWithoutHashes() throws {
        let facts = try facts { layer in
            for path in layer.contents.keys { layer[path].put(UInt64(0), at: 88) }
        }
        #expect(facts.faultLines.isEmpty && facts.warningCodes == ["valhalla.no-build-id"])
        #expect(facts.meta["build_id"] == nil)
    }

    @Test func warnsOfMissingLevels() throws {
        let facts = try facts(subset: true) { layer in
            layer.contents["0/003/107.gph"] = nil
            layer.contents["1/049/509.gph"] = nil
        }
        #expect(facts.faultLines.isEmpty && facts.warningCodes == ["valhalla.levels-missing"])
        #expect(facts.meta["tiles_per_level"] == [0, 0, 3])
    }

    @Test func survivesRandomlyFlippedHeaders() throws {
        var random = SeededGenerator()
        print("seed \(random.seed)")
        let whole = try MemoryLayer(sample: "v1/valhalla")
        // Headers alone, so that ten thousand trees cost little.
        let heads = MemoryLayer(
            whole.contents.mapValues { tile in
                var head = Array(tile.prefix(272))
                head.put(UInt32(272), at: 224)
                return head
            })
        #expect(try ValhallaCheck.facts(of: heads).faultLines.isEmpty)
        let paths = heads.files.map(\.path)
        var refused = 0
        for _ in FuzzRounds(10_000) {
            var layer = heads
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                guard let path = paths.randomElement(using: &random) else { continue }
                layer[path][Int.random(in: 0..<272, using: &random)] ^= UInt8.random(in: 1...255, using: &random)
            }
            if try !ValhallaCheck.facts(of: layer).faults.isEmpty { refused += 1 }
        }
        #expect(refused > 1_000)
    }
}
