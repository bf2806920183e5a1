import Compression
import Diagnostics
import DurableFiles
import Foundation
import Hashing
import MapLayers
import SnpackTestSupport
import TerritoryModel
import Testing

@Suite struct PMTilesWriterTests {
    static func description(_ type: PMTilesTileType = .mvt) -> PMTilesDescription {
        PMTilesDescription(
            tileType: type, tileCompression: .none, bounds: .world,
            metadata: ["vector_layers": [["id": "roads", "fields": [:]]]])
    }

    /// Writes tiles through the spooling writer and gives back the file's bytes.
    static func write(
        _ tiles: [(id: UInt64, bytes: [UInt8])], _ description: PMTilesDescription = description()
    ) throws -> [UInt8] {
        try ProjectFiles.inTemporaryDirectory { url in
            let directory = try Directory.open(url.path)
            let writer = try PMTilesWriter(spoolingIn: directory)
            for tile in tiles { try writer.append(tile.id, tile.bytes, digest: .of(tile.bytes)) }
            let target = try StagedFile(in: directory)
            _ = try writer.finish(description, into: target, context: WorkContext())
            try target.commit(as: "out.pmtiles", replacing: false)
            #expect(try directory.names() == ["out.pmtiles"])
            return try directory.contents(of: "out.pmtiles", limit: 1 << 30)
        }
    }

    /// All tiles of an archive, runs taken apart.
    static func tiles(of archive: PMTilesArchive) throws -> [(id: UInt64, bytes: [UInt8])] {
        var tiles: [(id: UInt64, bytes: [UInt8])] = []
        var cursor = archive.entries()
        while let entry = try cursor.next() {
            let bytes = try archive.content(of: entry)
            for id in entry.tileID..<entry.endID { tiles.append((id, bytes)) }
        }
        return tiles
    }

    @Test("Case 1: an archive without leaves has leaf length 0 and a leaf offset that is not 0")
    func case001_leafOffset() throws {
        let bytes = try Self.write([(2, HandBuiltArchive.tile(1))])
        let header = try PMTilesHeader(decoding: bytes)
        #expect(header.leaves.byteCount == 0)
        #expect(header.leaves.offset >= 127 && header.leaves.offset <= UInt64(bytes.count))
        #expect(try facts(bytes).faults.faults.map(\.description) == [])
        #expect(try facts(bytes).warnings.isEmpty)
    }

    @Test("Case 11: 60,000 tiles of irregular lengths get leaf directories and a root that fits")
    func case011_leaves() throws {
        var state: UInt64 = 42
        let tiles = (0..<60_000 as Range<UInt64>).map { number in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            // A real layer and an extension field of irregular length.
            let filler = [UInt8](repeating: UInt8(truncatingIfNeeded: state >> 40), count: Int(state >> 58))
            let bytes =
                HandBuiltArchive.tile(1) + [0x82, 0x01, UInt8(filler.count + 4)] + filler
                + withUnsafeBytes(of: UInt32(number).littleEndian) { Array($0) }
            return (id: number * 3 + 5, bytes: bytes)
        }
        let bytes = try Self.write(tiles)
        let header = try PMTilesHeader(decoding: bytes)
        #expect(header.root.offset + header.root.byteCount <= 16_384)
        #expect(header.leaves.byteCount > 0)
        #expect(header.contentCount == 60_000)
        #expect(try facts(bytes).faults.faults.map(\.description) == [])
        let archive = try PMTilesArchive(MemoryFile(bytes))
        #expect(archive.root.allSatisfy { $0.isLeaf })
        let read = try Self.tiles(of: archive)
        #expect(read.map(\.id) == tiles.map(\.id))
        #expect(read.map(\.bytes) == tiles.map(\.bytes))
        for tile in [tiles[0], tiles[4_095], tiles[4_096], tiles[59_999]] {
            let entry = try #require(try archive.entry(of: tile.id))
            #expect(try archive.content(of: entry) == tile.bytes)
            #expect(try archive.entry(of: tile.id + 1) == nil)
        }
        #expect(try archive.entry(of: 0) == nil)
    }

    @Test func equalTilesAreStoredOnceAndNeighboursAsRuns() throws {
        let (a, b) = (HandBuiltArchive.tile(1), HandBuiltArchive.tile(2))
        let tiles: [(id: UInt64, bytes: [UInt8])] = [
            (0, a), (5, a), (6, a), (7, a), (8, b), (9, a), (11, a), (12, b), (13, b),
        ]
        let bytes = try Self.write(tiles)
        let archive = try PMTilesArchive(MemoryFile(bytes))
        #expect(archive.root.map(\.tileID) == [0, 5, 8, 9, 11, 12])
        #expect(archive.root.map(\.runLength) == [1, 3, 1, 1, 1, 2])
        #expect(archive.header.tiles.byteCount == UInt64(a.count + b.count))
        #expect(archive.header.addressedTileCount == 9)
        #expect(archive.header.contentCount == 2)
        #expect(try Self.tiles(of: archive).map(\.bytes) == tiles.map(\.bytes))
        #expect(try facts(bytes).faults.isEmpty)
        #expect(try Self.write(tiles) == bytes)
    }

    @Test func longRunsAreSplitAt32Bits() {
        var list = PMTilesEntryList<Int>()
        let first = TileAddress.firstID(ofZoom: 20)
        let isNew = list.append(first..<first + 10, content: 1, byteCount: 7)
        let isNewAgain = list.append(first + 10..<first + (1 << 33), content: 1, byteCount: 7)
        #expect(isNew && !isNewAgain)
        #expect(list.entries.map { UInt64($0.runLength) }.reduce(0, +) == 1 << 33)
        #expect(list.entries.map(\.offset) == [0, 0, 0])
        #expect(list.addressedTileCount == 1 << 33)
        #expect(zip(list.entries, list.entries.dropFirst()).allSatisfy { $0.endID == $1.tileID })
    }

    @Test func realArchiveWrittenAgainHasTheSameTilesAndFacts() throws {
        let original = try PMTilesArchive(OpenFile(reading: PMTilesCheckTests.sample.path))
        var description = try PMTilesDescription(
            tileType: .mvt, tileCompression: .gzip, bounds: original.header.bounds, metadata: original.metadata())
        let header = original.header
        description.center = (header.centerLongitude, header.centerLatitude, header.centerZoom)
        let tiles = try Self.tiles(of: original)
        let bytes = try Self.write(tiles, description)
        let copy = try PMTilesArchive(MemoryFile(bytes))
        #expect(try Self.tiles(of: copy).map(\.bytes) == tiles.map(\.bytes))
        #expect(try copy.metadata() == original.metadata())
        let (before, after) = (try facts(Array(Data(contentsOf: PMTilesCheckTests.sample))), try facts(bytes))
        #expect(after.faults.isEmpty)
        #expect(after.meta == before.meta)
        #expect(after.coverage == before.coverage)
        #expect(copy.header.centerZoom == 14 && copy.header.centerLongitude == header.centerLongitude)
    }

    @Test func centreIsMovedIntoBoundsAndZooms() throws {
        var description = Self.description()
        description.bounds = E7Box(west: 10, south: 20, east: 31, north: 40)
        description.center = (99, -99, 9)
        let header = try PMTilesHeader(decoding: Self.write([(1, HandBuiltArchive.tile(1))], description))
        #expect([header.centerLongitude, header.centerLatitude] == [20, 30])
        #expect(header.centerZoom == 1)
    }

    @Test func nothingIsWrittenOfNoTiles() throws {
        #expect(throws: SnpackError.self) { try Self.write([]) }
    }

    /// Tiles on both sides of 2 and 4 GiB, in a file that is a hole for the rest.
    @Test func offsetsBeyondFourGiBAreRight() throws {
        let offsets: [UInt64] = [0, (1 << 31) - 7, (1 << 31) + 60, (1 << 32) - 7, (1 << 32) + 60, 5 << 32]
        var archive = try HandBuiltArchive.pm1(tileGzip: false)
        let tiles = offsets.indices.map { HandBuiltArchive.tile($0) }
        let entries = offsets.indices.map { [UInt64($0), offsets[$0], UInt64(tiles[$0].count), 1] }
        let decoded = try PMTilesDirectory.encode(
            entries.map { PMTilesEntry(tileID: $0[0], offset: $0[1], byteCount: UInt32($0[2]), runLength: 1) }
        ).withUnsafeBytes { bytes in try PMTilesDirectory.decode(bytes) }
        #expect(decoded.map(\.offset) == offsets)

        archive.root = HandBuiltArchive.directory(entries)
        archive.tiles = []
        archive.header.maxZoom = 2
        (archive.header.addressedTileCount, archive.header.entryCount, archive.header.contentCount) = (6, 6, 6)
        let head = try archive.bytes()
        let length = offsets[5] + UInt64(tiles[5].count)
        let file = SparseFile(
            byteCount: UInt64(head.count) + length,
            stretches: [(0, head.setting(length, at: 64))]
                + offsets.indices.map { (UInt64(head.count) + offsets[$0], tiles[$0]) })
        let facts = try PMTilesCheck.check(file, path: "big.pmtiles", context: WorkContext(jobs: 2))
        #expect(facts.faults.faults.map(\.description) == [])
        #expect(facts.warnings.map(\.code.name) == ["pmtiles.unused-bytes"])
        let reader = try PMTilesArchive(file)
        for index in offsets.indices {
            let entry = try #require(try reader.entry(of: UInt64(index)))
            #expect(try reader.content(of: entry) == tiles[index])
        }
    }
}
