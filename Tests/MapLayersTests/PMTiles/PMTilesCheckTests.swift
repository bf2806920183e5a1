import Compression
import Diagnostics
import DurableFiles
import Foundation
import MapLayers
import SnpackTestSupport
import Synchronization
import TerritoryModel
import Testing

@Suite struct PMTilesCheckTests {
    static let sample = ProjectFiles.sample.appending(path: "v1/pmtiles/liechtenstein.pmtiles")
    let sampleBytes: [UInt8]

    init() throws { sampleBytes = try Array(Data(contentsOf: Self.sample)) }

    static let realArchives =
        ["v1", "v2"].map { ProjectFiles.sample.appending(path: "\($0)/pmtiles/liechtenstein.pmtiles") }
        + ["v1", "v2"].compactMap { ProjectFiles.sharedData?.appending(path: "\($0)/pmtiles/liechtenstein.pmtiles") }

    @Test(arguments: realArchives, [1, 2])
    func realArchivesPass(url: URL, jobs: Int) throws {
        let facts = try PMTilesCheck.check(
            OpenFile(reading: url.path), path: url.path, context: WorkContext(jobs: jobs))
        #expect(facts.faults.faults.map(\.description) == [])
        #expect(facts.meta["min_zoom"] == 0)
        #expect(facts.meta["max_zoom"] == 14)
        #expect(facts.meta["tile_type"] == "mvt")
        #expect(facts.meta["tile_compression"] == "gzip")
        let layers = ["boundaries", "landuse", "water", "waterways", "buildings", "roads", "rail", "places", "pois"]
        #expect(Set(facts.vectorLayers ?? []) == Set(layers))
        #expect(facts.meta["vector_layers"]?.arrayValue?.count == layers.count)
        let box = try #require(facts.coverage)
        #expect(box.west <= 9.48 && box.east >= 9.62 && box.south <= 47.05 && box.north >= 47.27)
        #expect(box.west > 9.4 && box.east < 9.7 && box.south > 47 && box.north < 47.3)
        #expect(facts.warnings.map(\.code.name) == ["pmtiles.build-command"])
    }

    @Test func tilesAreReadOnceAndInOrder() throws {
        final class Recorder: RandomAccess {
            let name = "recorder"
            let bytes: MemoryFile
            let reads = Mutex<[Range<UInt64>]>([])
            var byteCount: UInt64 { bytes.byteCount }
            init(_ bytes: [UInt8]) { self.bytes = MemoryFile(bytes) }
            func read(into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64) throws(SnpackError) {
                reads.withLock { $0.append(offset..<offset + UInt64(buffer.count)) }
                try bytes.read(into: buffer, at: offset)
            }
        }
        let file = Recorder(sampleBytes)
        _ = try PMTilesCheck.check(file, path: "map.pmtiles", context: WorkContext(jobs: 2))
        let tiles = try PMTilesHeader(decoding: sampleBytes).tiles
        let reads = file.reads.withLock { $0.filter { $0.lowerBound >= tiles.offset } }
        #expect(zip(reads, reads.dropFirst()).allSatisfy { $0.upperBound == $1.lowerBound })
        #expect(reads.first?.lowerBound == tiles.offset && reads.last?.upperBound == tiles.end)
        #expect(file.reads.withLock { $0.count } - reads.count == 3)
    }

    @Test func factsOfTheSample() throws {
        let facts = try facts(sampleBytes)
        #expect(facts.meta["addressed_tiles"] == 182)
        #expect(facts.meta["tile_entries"] == 182)
        #expect(facts.meta["tile_contents"] == 182)
        #expect(facts.meta["bounds"] == [9.46908, 47.04574, 9.6382169, 47.27328])
        let table = try #require(facts.tables.first)
        #expect(table.columns == ["zoom", "tiles", "bytes"])
        #expect(table.rows.count == 15)
        #expect(table.rows.compactMap { Int($0[1]) }.reduce(0, +) == 182)
        #expect(table.rows.compactMap { Int($0[2]) }.reduce(0, +) == 800_522)
    }

    // Each fault is made of the real archive by changing a few bytes of its header.
    static let headerFaults: [(String, Int, [UInt8], String)] = [
        ("magic", 0, [0x70], "pmtiles.not-an-archive"),
        ("version", 7, [2], "pmtiles.version"),
        ("root offset", 8, bytes(UInt64.max), "pmtiles.section-range"),
        ("root length", 16, bytes(UInt64(0)), "pmtiles.section-range"),
        ("metadata length", 32, bytes(UInt64(1 << 40)), "pmtiles.section-range"),
        ("leaf offset", 40, bytes(UInt64(1) << 63), "pmtiles.section-range"),
        ("tile length", 64, bytes(UInt64(900_000)), "pmtiles.section-range"),
        ("metadata over root", 24, bytes(UInt64(200)), "pmtiles.section-overlap"),
        ("addressed tiles", 72, bytes(UInt64(181)), "pmtiles.counts"),
        ("tile entries", 80, bytes(UInt64(183)), "pmtiles.counts"),
        ("tile contents", 88, bytes(UInt64(1)), "pmtiles.counts"),
        ("clustered", 96, [0], "pmtiles.not-clustered"),
        ("internal compression", 97, [3], "pmtiles.internal-compression"),
        ("tile compression", 98, [3], "pmtiles.tile-compression"),
        ("tile compression unknown", 98, [0], "pmtiles.tile-compression"),
        ("tile type", 99, [0], "pmtiles.tile-type"),
        ("tile type says PNG", 99, [2], "pmtiles.tile-format"),
        ("minimum zoom", 100, [1], "pmtiles.zoom-range"),
        ("maximum zoom", 101, [15], "pmtiles.zoom-range"),
        ("maximum below centre", 101, [13], "pmtiles.zoom-order"),
        ("centre zoom", 118, [15], "pmtiles.zoom-order"),
        ("centre", 119, bytes(Int32(0)), "pmtiles.center"),
        ("west beyond the globe", 102, bytes(Int32(-1_900_000_000)), "pmtiles.bounds-range"),
        ("west of east", 102, bytes(Int32(100_000_000)), "pmtiles.bounds-empty"),
        ("another place", 102, bytes(Int32(96_360_000)), "pmtiles.bounds-coverage"),
    ]

    private static func bytes(_ value: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: value.littleEndian) { Array($0) }
    }

    @Test(arguments: headerFaults.indices)
    func everyHeaderFaultHasItsCode(index: Int) throws {
        let (name, offset, change, code) = Self.headerFaults[index]
        var bytes = sampleBytes
        bytes.replaceSubrange(offset..<offset + change.count, with: change)
        let found = try facts(bytes)
        #expect(found.faults.faults.contains { $0.code.name == code }, "\(name): \(found.faults.faults)")
        #expect(found.faults.faults.allSatisfy { $0.path == "map.pmtiles" })
    }

    @Test func tileDamageNamesTheTile() throws {
        let header = try PMTilesHeader(decoding: sampleBytes)
        var bytes = sampleBytes
        bytes[Int(header.tiles.offset) + 40] ^= 0xFF
        let fault = try #require(try facts(bytes).faults.faults.first)
        #expect(fault.code.name == "pmtiles.tile-damaged")
        #expect(fault.message.hasPrefix("tile 0/0/0 (id 0)"))
        let asNone = try facts(sampleBytes.setting(1 as UInt8, at: 98)).faults
        #expect(asNone.count == 182)
        #expect(asNone.faults.allSatisfy { $0.code.name == "pmtiles.tile-format" && $0.hint != nil })
    }

    @Test func directoryAndMetadataDamageHaveTheirCodes() throws {
        let header = try PMTilesHeader(decoding: sampleBytes)
        var bytes = sampleBytes
        bytes[Int(header.root.offset) + 100] ^= 1
        #expect(try faultCodes(bytes) == ["pmtiles.directory"])
        bytes = sampleBytes
        bytes[Int(header.metadata.offset) + 100] ^= 1
        #expect(try faultCodes(bytes) == ["pmtiles.metadata"])
    }

    @Test func cutOffFilesAreRefused() throws {
        for count in [0, 6, 7, 8, 126, 127, 600, 7_063, sampleBytes.count - 1] {
            #expect(try !faultCodes(Array(sampleBytes.prefix(count))).isEmpty, "\(count) bytes")
        }
        #expect(try facts(sampleBytes + [0]).warnings.map(\.code.name).contains("pmtiles.unused-bytes"))
    }

    @Test func layerIsOneArchive() throws {
        struct TwoFiles: LayerSource {
            let isTree = true
            let files = [LayerSourceFile(path: "a.pmtiles", byteCount: 1), LayerSourceFile(path: "b", byteCount: 1)]
            func shownPath(of file: LayerSourceFile) -> String { file.path }
            func open(_ file: LayerSourceFile) throws(SnpackError) -> any RandomAccess { MemoryFile([]) }
            func diskPath(of file: LayerSourceFile) -> String? { nil }
        }
        let facts = try PMTilesCheck.check(TwoFiles(), context: WorkContext())
        #expect(facts.faults.faults.map(\.code.name) == ["pmtiles.layer-form"])
    }

    @Test func metadataPathsAreLeaks() throws {
        func warnings(_ member: String) throws -> [String] {
            var archive = try HandBuiltArchive.pm1()
            archive.metadata = Array("{\(member),\"vector_layers\":[{\"id\":\"roads\"}]}".utf8)
            let found = try facts(archive.bytes())
            #expect(found.faults.isEmpty)
            return found.warnings.map(\.code.name)
        }
        #expect(try warnings(#""description":"made from /home/anna/osm/li.pbf""#) == ["pmtiles.build-path"])
        #expect(try warnings(#""x":"-L roads:/srv/build/roads.geojson""#) == ["pmtiles.build-path"])
        #expect(try warnings(#""x":"file:///tmp/x""#) == ["pmtiles.build-path"])
        #expect(try warnings(#""x":"C:\\Users\\anna""#) == ["pmtiles.build-path"])
        #expect(try warnings(#""generator_options":"tippecanoe -o x""#) == ["pmtiles.build-command"])
        #expect(try warnings(#""attribution":"<a href='https://osm.org/a/b'>© OSM</a> and/or others""#) == [])
    }
}
