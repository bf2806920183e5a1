import Compression
import Database
import Diagnostics
import DurableFiles
import Foundation
import MapLayers
import SnpackTestSupport
import TerritoryModel
import Testing

@Suite struct MBTilesConversionTests {
    static let sample = ProjectFiles.sample.appending(path: "v1/mbtiles/liechtenstein.mbtiles")

    /// Converts a database and gives back the archive's bytes.
    static func convert(_ path: String, jobs: Int = 1) throws -> [UInt8] {
        try ProjectFiles.inTemporaryDirectory { url in
            let directory = try Directory.open(url.path)
            defer { #expect((try? directory.names())?.allSatisfy { $0 == "out.pmtiles" } == true) }
            try MBTilesConversion.convert(
                from: path, to: "out.pmtiles", in: directory, replacing: false, context: WorkContext(jobs: jobs))
            return try directory.contents(of: "out.pmtiles", limit: 1 << 30)
        }
    }

    /// Makes a database by `sql` and converts it.
    static func convert(sql: String) throws -> [UInt8] {
        try ProjectFiles.inTemporaryDirectory { url in
            let path = url.appending(path: "in.mbtiles").path
            try Database.create(path).execute(sql)
            return try convert(path)
        }
    }

    private func code(_ sql: String) -> String? {
        do { _ = try Self.convert(sql: sql) } catch { return (error as? SnpackError)?.code.name }
        return nil
    }

    private static let tables = """
        CREATE TABLE metadata (name TEXT, value TEXT);
        CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB);
        INSERT INTO metadata VALUES ('format', 'pbf'), ('name', 'x'), ('json', '{"vector_layers":[{"id":"roads"}]}');
        """
    /// The plain vector tile of ``HandBuiltArchive/tile(_:)``, as an SQL literal.
    private static func literal(_ number: Int) -> String {
        "x'" + HandBuiltArchive.tile(number).map { String(Int($0) + 256, radix: 16).suffix(2) }.joined() + "'"
    }

    @Test(arguments: [1, 2])
    func sampleConvertsTileByTile(jobs: Int) throws {
        let bytes = try Self.convert(Self.sample.path, jobs: jobs)
        let facts = try facts(bytes)
        #expect(facts.faults.faults.map(\.description) == [])
        let archive = try PMTilesArchive(MemoryFile(bytes))
        let database = try Database.readingImmutable(Self.sample.path)
        try database.allowViews()
        var count: UInt64 = 0
        let rows = try database.statement("SELECT zoom_level, tile_column, tile_row, tile_data FROM tiles")
        while try rows.step() {
            let zoom = Int(rows.integer(at: 0))
            let row = (1 << zoom) - 1 - rows.integer(at: 2)
            let address = try #require(TileAddress(zoom: zoom, column: rows.integer(at: 1), row: row))
            let entry = try #require(try archive.entry(of: address.id))
            #expect(try archive.content(of: entry) == rows.bytes(at: 3), "\(address)")
            count += 1
        }
        #expect(count == 182 && archive.header.addressedTileCount == 182)

        // tippecanoe's own archive of the same tiles
        let twin = try PMTilesArchive(OpenFile(reading: PMTilesCheckTests.sample.path))
        let (ours, theirs) = (try PMTilesWriterTests.tiles(of: archive), try PMTilesWriterTests.tiles(of: twin))
        #expect(ours.map(\.id) == theirs.map(\.id))
        #expect(ours.map(\.bytes) == theirs.map(\.bytes))
        let (header, twinHeader) = (archive.header, twin.header)
        #expect([header.minZoom, header.maxZoom, header.centerZoom] == [0, 14, 14])
        #expect(header.bounds == E7Box(west: 94_690_800, south: 470_457_400, east: 96_382_170, north: 472_732_800))
        #expect(header.tileType == .mvt && header.tileCompression == .gzip && header.clustered == 1)
        #expect(header.contentCount == twinHeader.contentCount && header.tiles.byteCount == twinHeader.tiles.byteCount)
        let (metadata, twinMetadata) = (try archive.metadata(), try twin.metadata())
        for key in ["name", "attribution", "description", "version", "type", "format", "vector_layers", "tilestats"] {
            #expect(metadata[key] == twinMetadata[key] && metadata[key] != nil, "\(key)")
        }
        #expect(metadata["json"] == nil && metadata["bounds"] == nil)
        #expect(try Self.convert(Self.sample.path, jobs: 3 - jobs) == bytes)
    }

    @Test(.enabled(if: ProjectFiles.sharedData != nil, "needs the larger territory beside the checkout"))
    func largerTerritoryConverts() throws {
        let base = try #require(ProjectFiles.sharedData)
        for version in ["v1", "v2"] {
            let bytes = try Self.convert(base.appending(path: "\(version)/mbtiles/liechtenstein.mbtiles").path, jobs: 2)
            #expect(try facts(bytes).faults.faults.map(\.description) == [])
            let twin = base.appending(path: "\(version)/pmtiles/liechtenstein.pmtiles")
            let theirs = try PMTilesWriterTests.tiles(of: PMTilesArchive(OpenFile(reading: twin.path)))
            #expect(
                try PMTilesWriterTests.tiles(of: PMTilesArchive(MemoryFile(bytes))).map(\.bytes)
                    == theirs.map(\.bytes))
        }
    }

    @Test func plainVectorTilesArePackedAndRowsFlipped() throws {
        let bytes = try Self.convert(
            sql: Self.tables + """
                INSERT INTO tiles VALUES (1, 0, 0, \(Self.literal(1))), (1, 1, 1, \(Self.literal(2))), (0, 0, 0, \(Self.literal(1)));
                """)
        let archive = try PMTilesArchive(MemoryFile(bytes))
        // TMS rows count from the south: 1/0/0 is 1/0/1 of the web, id 2; 1/1/1 is 1/1/0, id 4.
        #expect(archive.root.map(\.tileID) == [0, 2, 4])
        #expect(archive.header.contentCount == 2)
        for (id, number) in [(0, 1), (2, 1), (4, 2)] as [(UInt64, Int)] {
            let entry = try #require(try archive.entry(of: id))
            #expect(try Gunzip().decompress(archive.content(of: entry), limit: 100) == HandBuiltArchive.tile(number))
        }
        // No bounds were given: they are the tiles'.
        #expect(
            archive.header.bounds
                == E7Box(west: -1_800_000_000, south: -850_511_288, east: 1_800_000_000, north: 850_511_288))
        #expect(try facts(bytes).faults.faults.map(\.description) == [])
    }

    @Test func tablesWithoutRowIDsAndViewsConvert() throws {
        let rows = "(1, 0, 0, \(Self.literal(1))), (1, 1, 1, \(Self.literal(2)))"
        let metadata = "CREATE TABLE metadata (name TEXT, value TEXT); INSERT INTO metadata VALUES ('format', 'pbf');"
        let columns = "zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB"
        let plain = try Self.convert(
            sql: metadata + "CREATE TABLE tiles (\(columns)); INSERT INTO tiles VALUES \(rows);")
        let keyed = try Self.convert(
            sql: metadata + """
                CREATE TABLE tiles (\(columns), PRIMARY KEY (zoom_level, tile_column, tile_row)) WITHOUT ROWID;
                INSERT INTO tiles VALUES \(rows);
                """)
        let view = try Self.convert(
            sql: metadata + """
                CREATE TABLE shallow (\(columns)); INSERT INTO shallow VALUES \(rows);
                CREATE VIEW tiles AS SELECT * FROM shallow;
                """)
        #expect(plain == keyed && plain == view)
    }

    @Test func imagesAreKeptAndTold() throws {
        let tables = """
            CREATE TABLE metadata (name TEXT, value TEXT);
            CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB);
            INSERT INTO tiles VALUES (0, 0, 0, x'89504E470D0A1A0A00');
            """
        for format in ["", "INSERT INTO metadata VALUES ('format', 'png');"] {
            let bytes = try Self.convert(sql: tables + format)
            let header = try PMTilesHeader(decoding: bytes)
            #expect(header.tileType == .png && header.tileCompression == .none)
            #expect(try facts(bytes).faults.isEmpty)
        }
    }

    @Test func rowsThatAreNoTilesAreRefused() throws {
        let good = Self.literal(1)
        func row(_ values: String) -> String? { code(Self.tables + "INSERT INTO tiles VALUES (\(values));") }
        #expect(row("0, 0, 0, \(good)") == nil)
        for bad in [
            "-1, 0, 0, \(good)", "32, 0, 0, \(good)", "3, 8, 0, \(good)", "3, 0, 8, \(good)", "3, -1, 0, \(good)",
            "3, 0, -1, \(good)", "0, 0, 0, NULL", "0, 0, 0, x''", "0, 0, 0, 'text'", "NULL, 0, 0, \(good)",
            "'a', 0, 0, \(good)", "1.5, 0, 0, \(good)", "9223372036854775807, 0, 0, \(good)",
            "3, 0, -9223372036854775808, \(good)",
        ] { #expect(row(bad) == "mbtiles.row", "\(bad)") }
        #expect(row("0, 0, 0, x'0102'") == "mbtiles.format")
        #expect(
            code(Self.tables + "INSERT INTO tiles VALUES (0,0,0,\(good)), (0,0,0,\(good));") == "mbtiles.duplicate-tile"
        )
        #expect(code(Self.tables) == "pmtiles.no-tiles")
        #expect(code("CREATE TABLE x (y)") == "mbtiles.schema")
        #expect(code("CREATE TABLE tiles (zoom_level, tile_column, tile_row, tile_data)") == "mbtiles.schema")
        for (change, fault) in [
            ("INSERT INTO metadata VALUES ('json', '{}');", "mbtiles.metadata"),
            ("UPDATE metadata SET value = '{' WHERE name = 'json';", "mbtiles.metadata"),
            ("UPDATE metadata SET value = 'bmp' WHERE name = 'format';", "mbtiles.format"),
        ] { #expect(code(Self.tables + change + "INSERT INTO tiles VALUES (0, 0, 0, \(good));") == fault) }
    }

    @Test func boundsThatMissTheTilesAreReplaced() throws {
        func bounds(_ text: String) throws -> E7Box {
            let bytes = try Self.convert(
                sql: Self.tables + """
                    INSERT INTO metadata VALUES ('bounds', '\(text)');
                    INSERT INTO tiles VALUES (10, 538, 664, \(Self.literal(1)));
                    """)
            #expect(try facts(bytes).faults.isEmpty)
            return try PMTilesHeader(decoding: bytes).bounds
        }
        #expect(try bounds("9.2, 47.0, 9.3, 47.1") == E7Box(enclosing: (9.2, 47, 9.3, 47.1)))
        let tile = try bounds("")
        #expect(tile.west > 90_000_000 && tile.east < 96_000_000)
        for bad in [
            "0,0,0,0", "0.1,0.1,0.2,0.2", "9.2,47", "a,b,c,d", "9.3,47,9.2,48", "-999,0,1,1", "nan,nan,nan,nan",
        ] {
            #expect(try bounds(bad) == tile, "\(bad)")
        }
    }

    @Test("Case 101: an MBTiles database with a -wal beside it is refused")
    func case101_walBeside() throws {
        try ProjectFiles.inTemporaryDirectory { url in
            let path = url.appending(path: "in.mbtiles").path
            try FileManager.default.copyItem(atPath: Self.sample.path, toPath: path)
            for suffix in ["-wal", "-journal"] {
                try Data([1]).write(to: URL(filePath: path + suffix))
                let error = #expect(throws: SnpackError.self) { try Self.convert(path) }
                #expect(error?.code.name == "mbtiles.in-use")
                try FileManager.default.removeItem(atPath: path + suffix)
            }
            _ = try Self.convert(path)
        }
    }

    @Test func databaseIsInspectedWithoutConversion() throws {
        let facts = try MBTilesCheck.check(Self.sample.path, context: WorkContext(jobs: 2))
        #expect(facts.faults.faults.map(\.description) == [])
        let twin = try Data(contentsOf: PMTilesCheckTests.sample)
        let archive = try MapLayersTests.facts(Array(twin))
        for key in ["min_zoom", "max_zoom", "tile_type", "addressed_tiles", "vector_layers"] {
            #expect(facts.meta[key] == archive.meta[key], "\(key)")
        }
        #expect(facts.tables[0].rows == archive.tables[0].rows)
        #expect(facts.vectorLayers == archive.vectorLayers)
        #expect(facts.warnings.map(\.code.name) == ["pmtiles.build-command"])
    }

    @Test func inspectionTellsOfEveryRowThatIsNoTile() throws {
        try ProjectFiles.inTemporaryDirectory { url in
            let path = url.appending(path: "in.mbtiles").path
            try Database.create(path).execute(
                Self.tables + "INSERT INTO tiles VALUES (0, 0, 1, x'00'), (1, 0, 0, NULL);")
            let facts = try MBTilesCheck.check(path, context: WorkContext())
            #expect(facts.faults.faults.map(\.code.name) == ["mbtiles.row", "mbtiles.row"])
            #expect(facts.faults.faults.allSatisfy { $0.path == path })
        }
    }

    @Test func layerIsMadeOfADatabase() throws {
        #expect(LayerConversion.isNeeded(for: .pmtiles, source: Self.sample.path))
        #expect(!LayerConversion.isNeeded(for: .pmtiles, source: PMTilesCheckTests.sample.path))
        try ProjectFiles.inTemporaryDirectory { url in
            let path = try LayerConversion.convert(
                .pmtiles, source: Self.sample.path, into: Directory.open(url.path), context: WorkContext(jobs: 2))
            let source = try MemoryLayer(["map.pmtiles": OpenFile(reading: path).allBytes(limit: 1 << 30)])
            #expect(try LayerCheck.facts(of: .pmtiles, in: source, context: WorkContext()).faults.isEmpty)
        }
    }

    @Test func existingTargetStays() throws {
        try ProjectFiles.inTemporaryDirectory { url in
            let directory = try Directory.open(url.path)
            try directory.write([1, 2, 3], to: "out.pmtiles")
            let error = #expect(throws: SnpackError.self) {
                try MBTilesConversion.convert(
                    from: Self.sample.path, to: "out.pmtiles", in: directory, replacing: false, context: WorkContext())
            }
            #expect(error?.code == .fileExists)
            #expect(try directory.contents(of: "out.pmtiles", limit: 10) == [1, 2, 3])
            #expect(try directory.names() == ["out.pmtiles"])
        }
    }

    static let pythonPackages = ProcessInfo.processInfo.environment["SNPACK_PYTHON_PACKAGES"]

    @Test(
        .enabled(if: pythonPackages != nil, "SNPACK_PYTHON_PACKAGES does not name a directory with the pmtiles package")
    )
    func thePythonReaderFindsTheSameTiles() throws {
        let packages = try #require(Self.pythonPackages)
        try ProjectFiles.inTemporaryDirectory { url in
            let out = url.appending(path: "out.pmtiles")
            try Data(Self.convert(Self.sample.path)).write(to: out)
            let script = """
                import sqlite3, sys
                from pmtiles.reader import Reader, MmapSource, all_tiles
                source = MmapSource(open(sys.argv[1], "rb"))
                reader, header = Reader(source), Reader(source).header()
                database = sqlite3.connect("file:%s?mode=ro&immutable=1" % sys.argv[2], uri=True)
                rows = {(z, x, (1 << z) - 1 - y): bytes(data) for z, x, y, data in
                        database.execute("SELECT zoom_level, tile_column, tile_row, tile_data FROM tiles")}
                walked = {address: data for address, data in all_tiles(source)}
                assert walked == rows, "all_tiles differs"
                for (z, x, y), data in rows.items():
                    assert reader.get(z, x, y) == data, (z, x, y)
                assert reader.get(14, 0, 0) is None
                assert header["addressed_tiles_count"] == len(rows), header
                assert header["clustered"] and header["min_zoom"] == 0 and header["max_zoom"] == 14, header
                assert reader.metadata()["vector_layers"], "metadata"
                print(len(rows))
                """
            let result = try SystemTool.run(
                "python3", ["-c", script, out.path, Self.sample.path], environment: ["PYTHONPATH": packages])
            #expect(result.status == 0, "\(result)")
            #expect(result.standardOutput == "182\n")
        }
    }
}
