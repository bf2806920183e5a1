import Database
import Diagnostics
import DurableFiles
import Foundation
import MapLayers
import SnpackTestSupport
import TerritoryModel
import Testing

/// 200 random areas of the sample against brute force: what belongs is in, nothing else is, and bytes stay what they were.
@Suite struct RandomCutTests {
    private static func forEachArea(
        _ name: String, _ count: Int = 200, _ body: (PlainArea, RegionArea, Int) throws -> Void
    ) throws {
        let random = SeededGenerator()
        print("seed of \(name): \(random.seed)")
        var areas = RandomAreas(random: random, west: 9.46, south: 47.04, east: 9.65, north: 47.28)
        var tried = 0
        for number in 0..<count {
            guard let (plain, area) = areas.next(number) else { continue }
            tried += 1
            try body(plain, area, number)
        }
        #expect(tried > count * 3 / 4)
    }

    private static func cosine(_ degrees: Double) -> Double { cos(degrees * .pi / 180) }

    @Test func mapTilesAreThoseOfBruteForce() throws {
        let layer = try MemoryLayer(sample: "v1/pmtiles/liechtenstein.pmtiles")
        let bytes = try #require(layer.contents.values.first)
        let source = try PMTilesArchive(MemoryFile(bytes))
        let tiles = try Self.tiles(of: source)
        try Self.forEachArea("mapTilesAreThoseOfBruteForce") { plain, area, number in
            let maxZoom = number % 7 == 0 ? 12 : nil
            let extract = try PMTilesExtract(
                of: source, in: AreaFootprint(area), box: area.boundingBox, maxZoom: maxZoom, context: WorkContext())
            var cut: [UInt64: [UInt8]] = [:]
            if let extract {
                let bytes = try Cutting.bytes(of: extract)
                #expect(UInt64(bytes.count) == extract.byteCount)
                let archive = try PMTilesArchive(MemoryFile(bytes))
                cut = try Self.tiles(of: archive)
                #expect(archive.header.addressedTileCount == UInt64(cut.count))
                if number % 10 == 1 {
                    let facts = try facts(bytes)
                    #expect(facts.faultLines.isEmpty, "\(facts.faultLines)")
                }
            }
            for (id, content) in tiles {
                let tile = try #require(TileAddress(id: id))
                let box = Self.box(of: tile)
                guard plain.margin(box, Self.cosine) > 1e-3 else { continue }
                let belongs = tile.zoom <= maxZoom ?? 31 && plain.meets(box, cosine: Self.cosine)
                #expect((cut[id] != nil) == belongs, "area \(number), \(tile): \(area.canonicalText)")
                if let kept = cut[id] { #expect(kept == content) }
            }
        }
    }

    private static func box(of tile: TileAddress) -> (west: Double, south: Double, east: Double, north: Double) {
        let side = Double(UInt64(1) << UInt64(tile.zoom))
        func latitude(_ row: UInt32) -> Double { atan(sinh(.pi * (1 - 2 * Double(row) / side))) * 180 / .pi }
        return (
            Double(tile.column) / side * 360 - 180, latitude(tile.row + 1), Double(tile.column + 1) / side * 360 - 180,
            latitude(tile.row)
        )
    }

    private static func tiles(of archive: PMTilesArchive) throws -> [UInt64: [UInt8]] {
        var tiles: [UInt64: [UInt8]] = [:]
        var cursor = archive.entries()
        while let entry = try cursor.next() {
            let content = try archive.content(of: entry)
            for id in entry.tileID..<entry.endID { tiles[id] = content }
        }
        return tiles
    }

    @Test func roadTilesAreThoseOfBruteForce() throws {
        let layer = try MemoryLayer(sample: "v1/valhalla")
        try Self.forEachArea("roadTilesAreThoseOfBruteForce") { plain, area, number in
            let footprint = AreaFootprint(area)
            for file in layer.files {
                let tile = try #require(ValhallaTileID(path: file.path.utf8))
                let box = (tile.west, tile.south, tile.west + tile.edge, tile.south + tile.edge)
                guard plain.margin(box, Self.cosine) > 1e-3 else { continue }
                #expect(
                    ValhallaTileID.belongs(file.path, to: footprint) == plain.meets(box, cosine: Self.cosine),
                    "area \(number), \(file.path): \(area.canonicalText)")
            }
        }
    }

    @Test func placesAreThoseOfBruteForce() throws {
        let file = try OpenFile(reading: ProjectFiles.sample.appending(path: "v1/geocode/places.ndjson").path)
        var all: [PlaceDocument] = []
        var faults = FaultList()
        try PlaceLines.forEach(in: file, named: "places", context: WorkContext(), faults: &faults) { document, _ in
            all.append(document)
        }
        let documents = all
        let places: PlaceSubset.Places = { body throws(SnpackError) in
            for (number, document) in documents.enumerated() { try body(document, number) }
        }
        try Self.forEachArea("placesAreThoseOfBruteForce") { plain, area, number in
            func isIn(_ document: PlaceDocument) -> Bool {
                plain.contains((document.position.lon, document.position.lat), cosine: Self.cosine)
            }
            let members = documents.filter(isIn)
            let expected = documents.filter { document in
                if isIn(document) { return true }
                return switch document.kind {
                case .street:
                    members.contains { $0.street == document.name && $0.locality == document.locality }
                case .locality:
                    members.contains {
                        $0.locality == document.name && ($0.region == document.region || document.region == nil)
                    }
                case .postcode: members.contains { $0.postcode == document.postcode }
                case .address, .poi: false
                }
            }
            let subset = try #require(PlaceSubset.all(of: places, in: [AreaFootprint(area)]).first)
            let found = documents.filter(subset.contains)
            #expect(found.map(\.id) == expected.map(\.id), "area \(number): \(area.canonicalText)")
        }
    }

    @Test func rowsOfSidecarsAreThoseOfBruteForce() throws {
        let source = ProjectFiles.sample.appending(path: "v1/poi-sidecar/poi.sqlite")
        let original = try Database.readingImmutable(source.path)
        try Self.forEachArea("rowsOfSidecarsAreThoseOfBruteForce", 100) { plain, area, number in
            var expected: [String] = []
            try original.statement("SELECT osm_id, lat, lon FROM poi ORDER BY osm_id").forEach { row in
                // Positions are compared on the grid that areas are on.
                let (lat, lon) = ((row.real(at: 1) * 1e7).rounded() / 1e7, (row.real(at: 2) * 1e7).rounded() / 1e7)
                if plain.contains((lon, lat), cosine: Self.cosine) { expected.append(row.text(at: 0)) }
            }
            try Cutting.database(source, area) { cut, count in
                var found: [String] = []
                try cut.statement("SELECT osm_id FROM poi ORDER BY osm_id").forEach { found.append($0.text(at: 0)) }
                #expect(found == expected, "area \(number): \(area.canonicalText)")
                #expect(Int(count) == expected.count)
                let meta = "SELECT group_concat(key || value) FROM meta"
                #expect(try cut.value(meta)?.text == original.value(meta)?.text)
            }
        }
    }
}

/// Runs cutters for tests.
enum Cutting {
    static func bytes(of extract: PMTilesExtract) throws -> [UInt8] {
        try extract.file(named: "cut.pmtiles").allBytes(limit: 1 << 30)
    }

    static func archive(_ bytes: [UInt8], _ area: RegionArea, maxZoom: Int? = nil) throws -> [UInt8]? {
        try PMTilesExtract(
            of: PMTilesArchive(MemoryFile(bytes)), in: AreaFootprint(area), box: area.boundingBox, maxZoom: maxZoom,
            context: WorkContext()
        ).map { extract in try Self.bytes(of: extract) }
    }

    /// Cuts a copy of a database and hands over the result, opened.
    static func database(
        _ source: URL, _ area: RegionArea, _ body: (Database, Int64) throws -> Void
    ) throws {
        try ProjectFiles.inTemporaryDirectory { url in
            let copy = url.appending(path: "copy.sqlite")
            try FileManager.default.copyItem(at: source, to: copy)
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: copy.path)
            let count = try DatabaseSubset.cut(
                copy.path, in: AreaFootprint(area), of: .poiSidecar, to: "cut.sqlite", in: Directory.open(url.path),
                context: WorkContext())
            try body(Database.readingImmutable(url.appending(path: "cut.sqlite").path), count)
        }
    }

    static func box(_ west: Double, _ south: Double, _ east: Double, _ north: Double) throws -> RegionArea {
        try RegionArea(BoundingBox(west: west, south: south, east: east, north: north))
    }

    static func area(_ text: String, buffer: UInt64? = nil) throws -> RegionArea {
        try AreaDocument.area(StrictJSON.parse(Array(text.utf8)), form: .either, bufferMeters: buffer)
    }
}
