import Compression
import Diagnostics
import DurableFiles
import Foundation
import MapLayers
import SnpackTestSupport
import TerritoryModel
import Testing

/// The field failures of the pmtiles section that a checker sees.
@Suite struct PMTilesCaseTests {
    @Test func handBuiltArchivesPass() throws {
        #expect(try faultCodes(HandBuiltArchive.pm1().bytes()) == [])
        #expect(try faultCodes(HandBuiltArchive.pml().bytes()) == [])
        let facts = try facts(HandBuiltArchive.pm1().bytes())
        #expect(facts.coverage == (try BoundingBox(west: -180, south: -85.0511287, east: 180, north: 85.0511287)))
        #expect(facts.warnings.isEmpty)
    }

    @Test("Case 1: a wrong leaf offset and an absurd tile data length are named")
    func case001_absurdSections() throws {
        let good = try HandBuiltArchive.pm1().bytes()
        let bad = good.setting(0 as UInt64, at: 40).setting(254_954 as UInt64, at: 48)
            .setting(0xFFFF_FFFF_FFFF_FC18 as UInt64, at: 64)
        let faults = try facts(bad).faults.faults
        #expect(faults.contains { $0.code.name == "pmtiles.section-range" && $0.message.contains("leaf directory") })
        #expect(faults.contains { $0.code.name == "pmtiles.section-range" && $0.message.contains("tile data length") })
        // Readers get by with offset 0 and length 0, editors do not.
        let old = good.setting(0 as UInt64, at: 40)
        #expect(try faultCodes(old) == [])
        #expect(try facts(old).warnings.map(\.code.name) == ["pmtiles.leaf-offset"])
    }

    @Test("Case 3: bounds of zero, and degrees without the factor")
    func case003_bounds() throws {
        let good = try HandBuiltArchive.pm1().bytes()
        let zero = good.setting(0 as UInt64, at: 102).setting(0 as UInt64, at: 110)
        #expect(try faultCodes(zero) == ["pmtiles.bounds-empty"])
        #expect(try !facts(zero).meta.members.contains { $0.key == "bounds" })
        let degrees = good.setting(-180 as Int32, at: 102).setting(-90 as Int32, at: 106)
            .setting(180 as Int32, at: 110).setting(90 as Int32, at: 114)
        #expect(try faultCodes(degrees) == ["pmtiles.bounds-scale"])
        let subMetre = good.setting(94_690_800 as Int32, at: 102).setting(470_457_400 as Int32, at: 106)
            .setting(94_690_880 as Int32, at: 110).setting(470_457_480 as Int32, at: 114)
        #expect(try faultCodes(subMetre).contains("pmtiles.bounds-empty"))
        // The same mistakes over Liechtenstein at zoom 14.
        let real = try Array(Data(contentsOf: PMTilesCheckTests.sample))
        let island = real.setting(0 as Int32, at: 102).setting(0 as Int32, at: 106)
            .setting(5_000 as Int32, at: 110).setting(5_000 as Int32, at: 114)
        #expect(try faultCodes(island).contains("pmtiles.bounds-coverage"))
        let world = real.setting(-1_800_000_000 as Int32, at: 102).setting(-850_000_000 as Int32, at: 106)
            .setting(1_800_000_000 as Int32, at: 110).setting(850_000_000 as Int32, at: 114)
        #expect(try facts(world).warnings.map(\.code.name).contains("pmtiles.bounds-large"))
        // What is said of the territory is then the tiles' own box.
        #expect(try #require(facts(world).coverage).west > 9)
    }

    @Test("Case 5: an entry of length 0 is refused by its tile")
    func case005_emptyEntry() throws {
        var archive = try HandBuiltArchive.pm1()
        let entries = try PMTilesArchive(MemoryFile(archive.bytes())).root
        archive.root = HandBuiltArchive.directory(
            entries.enumerated().map { index, entry in
                [entry.tileID, entry.offset, index == 1 ? 0 : UInt64(entry.byteCount), index == 1 ? 17 : 1]
            })
        let fault = try #require(facts(archive.bytes()).faults.faults.first)
        #expect(fault.code.name == "pmtiles.entry-empty")
        #expect(fault.message.contains("tile 1/0/0 (id 1)"))
        let reader = try PMTilesArchive(MemoryFile(archive.bytes()))
        #expect(throws: SnpackError.self) { try reader.entry(of: 1) }
    }

    @Test("Case 11: the root directory must lie in the first 16 KiB")
    func case011_rootTooFar() throws {
        var archive = try HandBuiltArchive.pm1(internalGzip: false)
        archive.root = HandBuiltArchive.directory(
            (0..<5_000 as Range<UInt64>).map { [$0, 0, UInt64(archive.tiles.count), 1] })
        #expect(try faultCodes(archive.bytes()).contains("pmtiles.root-too-far"))
    }

    @Test("Case 13: archives smaller than 16 KiB are archives")
    func case013_tinyArchive() throws {
        let bytes = try HandBuiltArchive.pm1().bytes()
        #expect(bytes.count < 1_000)
        let archive = try PMTilesArchive(MemoryFile(bytes))
        let entry = try #require(try archive.entry(of: 3))
        #expect(try Gunzip().decompress(archive.content(of: entry), limit: 1_000) == HandBuiltArchive.tile(3))
        #expect(try archive.entry(of: 5) == nil)
    }

    @Test("Case 15: the two compressions are two things, and metadata is needed")
    func case015_compressions() throws {
        for (tileGzip, internalGzip) in [(true, false), (false, true)] {
            let bytes = try HandBuiltArchive.pm1(tileGzip: tileGzip, internalGzip: internalGzip).bytes()
            #expect(try faultCodes(bytes) == [])
            #expect(try PMTilesArchive(MemoryFile(bytes)).metadata()["attribution"] == "© OpenStreetMap contributors")
        }
        var archive = try HandBuiltArchive.pm1()
        archive.metadata = []
        #expect(try faultCodes(archive.bytes()) == ["pmtiles.metadata"])
        archive.metadata = Array("{}".utf8)
        #expect(try faultCodes(archive.bytes()) == ["pmtiles.vector-layers"])
        let brotli = try HandBuiltArchive.pm1().bytes().setting(3 as UInt8, at: 97)
        let fault = try #require(facts(brotli).faults.faults.first)
        #expect(fault.code.name == "pmtiles.internal-compression" && fault.message.contains("brotli"))
    }

    @Test("Case 17: hostile offsets, lengths and varints are refused at once")
    func case017_hostileDirectories() throws {
        func codes(_ root: [UInt8]) throws -> [String] {
            var archive = try HandBuiltArchive.pm1()
            archive.root = root
            return try faultCodes(archive.bytes())
        }
        let varint = HandBuiltArchive.varint
        let start = ContinuousClock.now
        do {
            // (a) offset 2^63, (b) length 2^32 − 1
            #expect(try codes(HandBuiltArchive.directory([[0, 1 << 63, 5, 1]])).contains("pmtiles.entry-range"))
            #expect(try codes(HandBuiltArchive.directory([[0, .max - 1, 5, 1]])).contains("pmtiles.entry-range"))
            #expect(try codes(HandBuiltArchive.directory([[0, 0, 0xFFFF_FFFF, 1]])).contains("pmtiles.entry-range"))
            #expect(try codes(HandBuiltArchive.directory([[0, 0, 1 << 32, 1]])) == ["pmtiles.directory"])
            // (c) a varint over 64 bits, one with padding, one cut off
            #expect(try codes([UInt8](repeating: 0xFF, count: 10) + [0x7F]) == ["pmtiles.directory"])
            #expect(try codes([0x81, 0x00, 0, 1, 1, 1]) == ["pmtiles.directory"])
            #expect(try codes([0x81]) == ["pmtiles.directory"])
            // (d) 2^40 entries in 20 bytes
            #expect(try codes(varint(1 << 40) + [UInt8](repeating: 1, count: 14)) == ["pmtiles.directory"])
            // (f) ids that overflow, pass the last tile, or stand still
            #expect(try codes(HandBuiltArchive.directory([[5, 0, 9, 1], [3, 9, 9, 1]])) == ["pmtiles.entry-order"])
            #expect(try codes(HandBuiltArchive.directory([[1 << 63, 0, 9, 1]])) == ["pmtiles.entry-order"])
            #expect(try codes(HandBuiltArchive.directory([[5, 0, 9, 1], [5, 9, 9, 1]])) == ["pmtiles.entry-order"])
            let last = TileAddress.ids.upperBound - 1
            #expect(try codes(HandBuiltArchive.directory([[last, 0, 9, 2]])) == ["pmtiles.entry-order"])
            // Runs over each other, bytes over each other, bytes behind the directory, no first offset, nothing
            #expect(
                try codes(HandBuiltArchive.directory([[0, 0, 9, 3], [2, 9, 9, 1]])).contains("pmtiles.entry-order"))
            #expect(
                try codes(HandBuiltArchive.directory([[0, 0, 9, 1], [1, 4, 9, 1]])).contains("pmtiles.entry-overlap"))
            #expect(try codes(HandBuiltArchive.directory([[0, 0, 9, 1]]) + [0]) == ["pmtiles.directory"])
            #expect(try codes([1, 0, 1, 9, 0]) == ["pmtiles.directory"])
            #expect(try codes([0]) == ["pmtiles.no-tiles"])
        }
        #expect(ContinuousClock.now - start < .seconds(1))
    }

    @Test("Case 17: leaves that point at leaves, or at themselves, are refused")
    func case017_leafNesting() throws {
        var archive = try HandBuiltArchive.pml()
        let good = archive.leaves
        // (e) a leaf of stored bytes that points at itself
        archive.internalGzip = false
        archive.header.internalCompression = .none
        let itself = HandBuiltArchive.directory([[0, 0, 5, 0]])
        archive.leaves = itself
        archive.root = HandBuiltArchive.directory([[0, 0, UInt64(itself.count), 0]])
        #expect(itself.count == 5)
        #expect(try faultCodes(archive.bytes()) == ["pmtiles.leaf-nesting", "pmtiles.no-tiles"])
        // (g) six levels
        archive.leaves = (0..<6 as Range<UInt64>).flatMap { HandBuiltArchive.directory([[0, ($0 + 1) * 5, 5, 0]]) }
        #expect(try faultCodes(archive.bytes()) == ["pmtiles.leaf-nesting", "pmtiles.no-tiles"])
        // Leaves outside of their section; a damaged leaf does not hide the good one
        var pml = try HandBuiltArchive.pml()
        let size = UInt64(good.count)
        pml.root = HandBuiltArchive.directory([[0, size, 10, 0], [1, 1 << 62, 1, 0], [2, 0, 0, 0]])
        #expect(try faultCodes(pml.bytes()) == ["pmtiles.leaf-range", "pmtiles.no-tiles"])
        pml = try HandBuiltArchive.pml()
        pml.leaves[12] ^= 0xFF
        #expect(try faultCodes(pml.bytes()).contains("pmtiles.directory"))
        #expect(try facts(pml.bytes()).tables[0].rows.map { $0[1] } == ["2"])
        // The leaf from id 3 on holds the tiles from 0 on
        pml = try HandBuiltArchive.pml()
        let first = try PMTilesArchive(MemoryFile(pml.bytes())).root[0]
        pml.root = HandBuiltArchive.directory([[3, first.offset, UInt64(first.byteCount), 0]])
        #expect(try faultCodes(pml.bytes()).contains("pmtiles.entry-order"))
    }

    @Test func contentsOutOfOrderAreNotClustered() throws {
        var archive = try HandBuiltArchive.pm1()
        let entries = try PMTilesArchive(MemoryFile(archive.bytes())).root
        let order = [0, 2, 1, 3, 4]
        archive.root = HandBuiltArchive.directory(
            entries.indices.map {
                let entry = entries[order[$0]]
                return [UInt64($0), entry.offset, UInt64(entry.byteCount), 1]
            })
        #expect(try faultCodes(archive.bytes()) == ["pmtiles.not-clustered"])
    }

    @Test func sharedContentsAreCountedOnce() throws {
        var archive = try HandBuiltArchive.pm1()
        let entries = try PMTilesArchive(MemoryFile(archive.bytes())).root
        let (a, b) = (entries[0], entries[1])
        archive.root = HandBuiltArchive.directory([
            [0, a.offset, UInt64(a.byteCount), 1], [1, b.offset, UInt64(b.byteCount), 2],
            [3, a.offset, UInt64(a.byteCount), 1], [4, b.offset, UInt64(b.byteCount), 1],
        ])
        archive.header.entryCount = 4
        archive.header.contentCount = 2
        archive.tiles = Array(archive.tiles.prefix(Int(b.offset) + Int(b.byteCount)))
        #expect(try faultCodes(archive.bytes()) == [])
        #expect(try facts(archive.bytes()).meta["tile_contents"] == 2)
        #expect(try facts(archive.bytes()).warnings.isEmpty)
    }

    @Test func tilesMustBeWhatTheHeaderSays() throws {
        func codes(_ tile: [UInt8], type: UInt8) throws -> [String] {
            var archive = try HandBuiltArchive.pm1(tileGzip: false)
            archive.tiles = tile
            archive.root = HandBuiltArchive.directory([[0, 0, UInt64(tile.count), 5]])
            (archive.header.entryCount, archive.header.contentCount) = (1, 1)
            archive.header.tileType = PMTilesTileType(rawValue: type)
            return try faultCodes(archive.bytes())
        }
        let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0]
        let avif = [0, 0, 0, 28] + Array("ftypmif1".utf8) + [0, 0, 0, 0] + Array("mif1avifmiaf".utf8)
        let webp = Array("RIFF".utf8) + [1, 2, 3, 4] + Array("WEBPVP8 ".utf8)
        for (tile, type) in [
            (HandBuiltArchive.tile(1), 1), (png, 2), ([0xFF, 0xD8, 0xFF, 0xE0], 3), (webp, 4), (avif, 5),
        ] {
            for other in 1...5 as ClosedRange<UInt8> {
                #expect(try codes(tile, type: other) == (Int(other) == type ? [] : ["pmtiles.tile-format"]))
            }
        }
        let named: [UInt8] = [0x0A, 1, 0x61]
        let badTiles: [[UInt8]] = [
            [0x1A, 3] + named,  // no version
            [0x1A, 2, 0x78, 2],  // no name
            [0x1A, 5] + named + [0x78, 3],  // version 3
            [0x1A, 7] + named + [0x78, 2, 0x28, 0],  // extent 0
            [0x1A, 6] + named + [0x78, 2],  // cut off
            [0x1A, 5, 0x0A, 1, 0xFF, 0x78, 2],  // a name that is no UTF-8
            [0x1A, 7] + named + [0x78, 2, 0x12, 1],  // a feature that passes the end
            [0x08, 1],  // no layer
        ]
        for tile in badTiles { #expect(try codes(tile, type: 1) == ["pmtiles.tile-format"], "\(tile)") }
    }

    @Test func tileOverTheLimitIsRefusedBeforeItIsRead() throws {
        var archive = try HandBuiltArchive.pm1()
        archive.tiles = try GzipWriter().compress([UInt8](repeating: 0, count: (32 << 20) + 1))
        archive.root = HandBuiltArchive.directory([[0, 0, UInt64(archive.tiles.count), 5]])
        (archive.header.entryCount, archive.header.contentCount) = (1, 1)
        #expect(try faultCodes(archive.bytes()) == ["pmtiles.tile-too-large"])
    }

    @Test func tilesOnBothSidesOfTheAntimeridianMakeACrossingBox() throws {
        var archive = try HandBuiltArchive.pm1(tileGzip: false)
        let ids = [(0, 5), (15, 5), (14, 5)].compactMap { TileAddress(zoom: 4, column: $0.0, row: $0.1)?.id }.sorted()
        archive.tiles = HandBuiltArchive.tile(1)
        archive.root = HandBuiltArchive.directory(ids.map { [$0, 0, UInt64(archive.tiles.count), 1] })
        (archive.header.addressedTileCount, archive.header.entryCount, archive.header.contentCount) = (3, 3, 1)
        (archive.header.minZoom, archive.header.maxZoom, archive.header.centerZoom) = (4, 4, 4)
        let box = try #require(try facts(archive.bytes()).coverage)
        #expect(box.west == 135 && box.east == -157.5)
    }
}
