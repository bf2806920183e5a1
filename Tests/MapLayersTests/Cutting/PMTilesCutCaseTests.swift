import Compression
import Diagnostics
import DurableFiles
import Foundation
import Hashing
import MapLayers
import SnpackTestSupport
import TerritoryModel
import Testing

/// The cases from the field that say CUT, on map archives.
@Suite struct PMTilesCutCaseTests {
    private static let world = (-180.0, -85.0, 180.0, 85.0)

    private func ids(_ bytes: [UInt8]) throws -> [UInt64] {
        var ids: [UInt64] = []
        var cursor = try PMTilesArchive(MemoryFile(bytes)).entries()
        while let entry = try cursor.next() { ids += Array(entry.tileID..<entry.endID) }
        return ids
    }

    private func cutWorld(_ bytes: [UInt8]) throws -> [UInt8]? {
        try Cutting.archive(bytes, Cutting.box(Self.world.0, Self.world.1, Self.world.2, Self.world.3))
    }

    private func code(_ body: () throws -> Void) -> String? {
        do { try body() } catch {
            return (error as? SnpackError)?.details.first?.code.name ?? (error as? SnpackError)?.code.name
        }
        return nil
    }

    @Test("Case 1: absurd lengths in the header are refused; a cut has a leaf offset that tools can do with")
    func case001() throws {
        let good = try HandBuiltArchive.pm1().bytes()
        let bad = good.setting(UInt64(0), at: 40).setting(UInt64(254_954), at: 48)
            .setting(UInt64(0xFFFF_FFFF_FFFF_FC18), at: 64)
        #expect(throws: SnpackError.self) { try cutWorld(bad) }
        let cut = try #require(try Cutting.archive(good, Cutting.box(10, 10, 20, 20)))
        let header = try PMTilesHeader(decoding: cut)
        #expect(header.leaves.byteCount == 0 && header.leaves.offset > 0 && header.leaves.offset <= UInt64(cut.count))
        #expect(try ids(cut) == [0, 4])
    }

    @Test("Case 3: bounds of zero, or in degrees without their factor, are refused")
    func case003() throws {
        var zero = try HandBuiltArchive.pm1()
        zero.header.bounds = E7Box(west: 0, south: 0, east: 0, north: 0)
        #expect(code { _ = try cutWorld(zero.bytes()) } == "pmtiles.bounds-empty")
        zero.header.bounds = E7Box(west: -180, south: -90, east: 180, north: 90)
        #expect(code { _ = try cutWorld(zero.bytes()) } == "pmtiles.bounds-scale")
    }

    @Test("Case 5: entries of length 0 are never copied, and the counts are right")
    func case005() throws {
        var archive = try HandBuiltArchive.pm1()
        let tile = try GzipWriter().compress(HandBuiltArchive.tile(0))
        archive.header.maxZoom = 2
        archive.root = HandBuiltArchive.directory([
            [0, 0, UInt64(tile.count), 1], [1, UInt64(tile.count), 0, 17], [20, 0, UInt64(tile.count), 1],
        ])
        let bytes = try archive.bytes()
        let extract = try #require(
            try PMTilesExtract(
                of: PMTilesArchive(MemoryFile(bytes)), in: AreaFootprint(Cutting.box(-180, -85, 180, 85)),
                box: BoundingBox(west: -180, south: -85, east: 180, north: 85), context: WorkContext()))
        #expect(extract.emptyEntryCount == 1)
        let cut = try Cutting.bytes(of: extract)
        #expect(try ids(cut) == [0, 20])
        let header = try PMTilesHeader(decoding: cut)
        #expect(header.addressedTileCount == 2 && header.entryCount == 2 && header.contentCount == 1)
    }

    @Test("Case 7: the world is all tiles, a hole none of those wholly in it, the pole is row 0")
    func case007() throws {
        let bytes = try Self.pyramid(zooms: 0...6)
        let all = try ids(bytes)
        let whole = try #require(try Cutting.archive(bytes, Cutting.box(-180, -90, 180, 90)))
        #expect(try ids(whole) == all)
        let ring =
            #"{"type":"Polygon","coordinates":[[[-180,-90],[180,-90],[180,90],[-180,90],[-180,-90]],[[-10,-10],[-10,10],[10,10],[10,-10],[-10,-10]]]}"#
        let holed = Set(try ids(#require(try Cutting.archive(bytes, Cutting.area(ring)))))
        for id in all {
            let tile = try #require(TileAddress(id: id))
            let west = WebMercator.longitude(ofColumn: UInt64(tile.column), zoom: tile.zoom)
            let east = WebMercator.longitude(ofColumn: UInt64(tile.column) + 1, zoom: tile.zoom)
            let north = WebMercator.latitude(ofRow: UInt64(tile.row), zoom: tile.zoom)
            let south = WebMercator.latitude(ofRow: UInt64(tile.row) + 1, zoom: tile.zoom)
            let isInHole = west > -10 && east <= 10 && south > -10 && north <= 10
            #expect(holed.contains(id) != isInHole, "\(tile)")
        }
        let point = try Cutting.box(10, 85.0511287798066, 10.0000002, 85.0511289798066)
        for id in try ids(#require(try Cutting.archive(bytes, point))) {
            #expect(TileAddress(id: id)?.row == 0)
        }
        let footprint = AreaFootprint(point)
        #expect(footprint.meets(HalfOpenBox(west: 9.9, south: 85.05, east: 10.1, north: 90)))
    }

    @Test(
        "Case 9: right and bottom edges belong to the next tile; box and polygon agree; cutting again changes nothing")
    func case009() throws {
        let bytes = try HandBuiltArchive.pm1().bytes()
        let box = try Cutting.box(-90, 0, 0, 66)
        let polygon = try Cutting.area(#"{"type":"Polygon","coordinates":[[[-90,0],[0,0],[0,66],[-90,66],[-90,0]]]}"#)
        let cut = try #require(try Cutting.archive(bytes, box))
        #expect(try cut == Cutting.archive(bytes, polygon))
        // 0/0/0, the north-western quarter, and the north-eastern one, which the points at longitude 0 lie in. The
        // southern ones end at latitude 0 and do not have it.
        #expect(try ids(cut).compactMap { TileAddress(id: $0)?.description } == ["0/0/0", "1/0/0", "1/1/0"])
        #expect(try Cutting.archive(cut, box) == cut)
    }

    @Test("Case 11: the root directory of a cut of 60,000 tiles lies within the first 16 KiB")
    func case011() throws {
        let bytes = try Self.pyramid(zooms: 8...8, irregular: true)
        #expect(try ids(bytes).count == 65_536)
        let cut = try #require(try Cutting.archive(bytes, Cutting.box(-180, -85, 180, 85)))
        let header = try PMTilesHeader(decoding: cut)
        #expect(header.root.offset + header.root.byteCount <= 16_384 && header.leaves.byteCount > 0)
        #expect(try ids(cut).count > 60_000)
    }

    @Test("Case 15: metadata stays what it was, whatever is compressed how")
    func case015() throws {
        for (tileGzip, internalGzip) in [(true, false), (false, true)] {
            let source = try HandBuiltArchive.pm1(tileGzip: tileGzip, internalGzip: internalGzip)
            let bytes = try source.bytes()
            let cut = try #require(try Cutting.archive(bytes, Cutting.box(10, 10, 20, 20)))
            let (old, new) = (try PMTilesArchive(MemoryFile(bytes)), try PMTilesArchive(MemoryFile(cut)))
            #expect(try JSONValue.object(new.metadata()) == JSONValue.object(old.metadata()))
            #expect(new.header.tileCompression == old.header.tileCompression)
            let entry = try #require(try new.entry(of: 4))
            let before = try #require(try old.entry(of: 4))
            #expect(try new.content(of: entry) == old.content(of: before))
        }
        var empty = try HandBuiltArchive.pm1()
        empty.metadata = []
        #expect(code { _ = try cutWorld(empty.bytes()) } == "pmtiles.metadata")
        let brotli = try HandBuiltArchive.pm1().bytes().setting(UInt8(3), at: 97)
        #expect(throws: SnpackError.self) { try cutWorld(brotli) }
    }

    @Test("Case 21: bounds are the asked-for numbers, never smaller")
    func case021() throws {
        let bytes = try HandBuiltArchive.pm1().bytes()
        let east = try #require(try Cutting.archive(bytes, Cutting.box(137.6924403, 1, 173.5475895, 2)))
        let header = try PMTilesHeader(decoding: east)
        #expect(header.bounds.west == 1_376_924_403 && header.bounds.east == 1_735_475_895)
        let west = try #require(try Cutting.archive(bytes, Cutting.box(-102.024217, 1, -100, 2)))
        #expect(try PMTilesHeader(decoding: west).bounds.west == -1_020_242_170)
        #expect(header.bounds.contains(longitude: header.centerLongitude, latitude: header.centerLatitude))
    }

    @Test func sharedTilesAndRunsStayShared() throws {
        var archive = try HandBuiltArchive.pm1()
        archive.header.maxZoom = 3
        // One sea tile for all of zoom 3, and the same for zoom 0.
        let first = TileAddress.firstID(ofZoom: 3)
        let tile = UInt64(try GzipWriter().compress(HandBuiltArchive.tile(0)).count)
        archive.root = HandBuiltArchive.directory([[0, 0, tile, 1], [first, 0, tile, 64]])
        let cut = try #require(try Cutting.archive(archive.bytes(), Cutting.box(0, 0, 180, 85)))
        let header = try PMTilesHeader(decoding: cut)
        #expect(header.contentCount == 1 && header.tiles.byteCount == tile)
        #expect(header.addressedTileCount == 17 && header.entryCount == 2)
    }

    @Test func antimeridianIsCutAlikeHoweverItIsGiven() throws {
        let bytes = try Self.pyramid(zooms: 0...5)
        let fiji = try Cutting.box(177, -20, -178, -12)
        let jump = #"{"type":"Polygon","coordinates":[[[177,-20],[-178,-20],[-178,-12],[177,-12],[177,-20]]]}"#
        let cut = try #require(try Cutting.archive(bytes, fiji))
        #expect(try Cutting.archive(bytes, Cutting.area(jump)) == cut)
        let columns = Set(try ids(cut).compactMap { TileAddress(id: $0) }.filter { $0.zoom == 5 }.map(\.column))
        #expect(columns == [31, 0])
        #expect(try ids(cut).prefix(1) == [0])
        #expect(try PMTilesHeader(decoding: cut).bounds.west == -1_800_000_000)
        let facts = try facts(cut)
        #expect(facts.faultLines.isEmpty && facts.coverage?.crossesAntimeridian == true)
        // Roads: the cells on both sides, those whose west or south edge is the area's edge too, and none elsewhere.
        let footprint = AreaFootprint(fiji)
        for (longitude, latitude, belongs) in [
            (178.1, -17.9, true), (-179.9, -16.1, true), (-177.9, -17, true), (-177.6, -17, false), (176.9, -17, false),
            (0, -17, false),
            (179.9, -11.9, true), (179.9, -11.6, false), (179.9, -12.1, true),
        ] {
            let tile = try #require(
                ValhallaTileID(
                    level: 2, index: UInt32((Int((latitude + 90) / 0.25)) * 1_440 + Int((longitude + 180) / 0.25))))
            #expect(footprint.meets(tile.box) == belongs, "\(longitude) \(latitude)")
        }
    }

    /// Road tiles of all levels around 180° for Fiji and Chukotka: the box, a ring that jumps, and one for each side.
    @Test(arguments: [(177.1, -20.1, -178.1, -12.1), (172.2, 60.2, -169.3, 71.7)])
    func roadTilesOverTheAntimeridianAreCutAlikeHoweverTheAreaIsGiven(
        _ west: Double, _ south: Double, _ east: Double, _ north: Double
    ) throws {
        func ring(_ west: Double, _ east: Double) -> String {
            "[[[\(west),\(south)],[\(east),\(south)],[\(east),\(north)],[\(west),\(north)],[\(west),\(south)]]]"
        }
        let given = [
            try Cutting.box(west, south, east, north),
            try Cutting.area(#"{"type":"Polygon","coordinates":"# + ring(west, east) + "}"),
            try Cutting.area(
                #"{"type":"MultiPolygon","coordinates":["# + ring(west, 180) + "," + ring(-180, east) + "]}"),
        ].map { AreaFootprint($0) }
        for (level, edge) in [(0, 4.0), (1, 1), (2, 0.25)] {
            let (columns, rows) = (Int(360 / edge), Int(180 / edge))
            var found = 0
            for row in 0..<rows {
                let (low, high) = (Double(row) * edge - 90, Double(row + 1) * edge - 90)
                guard high > south - 5, low < north + 5 else { continue }
                for column in 0..<columns {
                    let (left, right) = (Double(column) * edge - 180, Double(column + 1) * edge - 180)
                    let belongs = (right > west || left < east) && high > south && low < north
                    let tile = try #require(ValhallaTileID(level: level, index: UInt32(row * columns + column)))
                    for footprint in given { #expect(footprint.meets(tile.box) == belongs, "\(level) \(left) \(low)") }
                    if belongs { found += 1 }
                }
            }
            #expect(found > 0)
        }
    }

    /// An archive of every tile of some zooms, each with bytes of its own.
    private static func pyramid(zooms: ClosedRange<Int>, irregular: Bool = false) throws -> [UInt8] {
        try ProjectFiles.inTemporaryDirectory { url in
            let directory = try Directory.open(url.path)
            let writer = try PMTilesWriter(spoolingIn: directory)
            for id in TileAddress.firstID(ofZoom: zooms.lowerBound)..<TileAddress.firstID(ofZoom: zooms.upperBound + 1)
            {
                var tile = HandBuiltArchive.tile(0)
                // An unknown field makes it a tile of its own.
                let note = Array("\(id)".utf8) + [UInt8](repeating: 0x20, count: irregular ? Int(id % 13) : 0)
                tile += [0xF2, 0x01, UInt8(note.count)] + note
                try writer.append(id, tile, digest: .of(tile))
            }
            let target = try StagedFile(in: directory)
            _ = try writer.finish(
                PMTilesDescription(
                    tileType: .mvt, tileCompression: .none, bounds: .world,
                    metadata: ["vector_layers": [["id": "roads"]]]), into: target, context: WorkContext())
            try target.commit(as: "a.pmtiles", replacing: false)
            return try directory.contents(of: "a.pmtiles", limit: 1 << 28)
        }
    }
}
