import Database
import Diagnostics
import DurableFiles
import Foundation
import MapLayers
import SnpackTestSupport
import TerritoryModel
import Testing

@Suite struct PoiSidecarCheckTests {
    private func facts(_ change: (inout [UInt8]) -> Void = { _ in }) throws -> LayerFacts {
        var layer = try MemoryLayer(sample: "v1/poi-sidecar/poi.sqlite")
        change(&layer["poi.sqlite"])
        return try PoiSidecarCheck.facts(of: layer)
    }

    /// A database on disk, made by `sql`, as a layer.
    private func facts(sql: String, then body: (Database, URL) throws -> Void = { _, _ in }) throws -> LayerFacts {
        try ProjectFiles.inTemporaryDirectory { url in
            let path = url.appending(path: "poi.sqlite")
            let database = try Database.create(path.path)
            try database.execute(sql)
            try body(database, url)
            return try onDisk(path)
        }
    }

    private func onDisk(_ url: URL) throws -> LayerFacts {
        var faults = FaultList()
        return try PoiSidecarCheck.facts(of: DiskLayer(FileTree(listing: url.path, faults: &faults)))
    }

    @Test(arguments: ["v1", "v2"]) func samplePasses(version: String) throws {
        let facts = try PoiSidecarCheck.facts(of: MemoryLayer(sample: "\(version)/poi-sidecar/poi.sqlite"))
        #expect(facts.faultLines.isEmpty && facts.warnings.isEmpty)
        #expect(facts.meta["tables"] == ["meta", "poi"])
        if version == "v1" { #expect(facts.meta["rows"] == [3, 518]) }
        let box = try #require(facts.coverage)
        #expect(box.west > 9.4 && box.east < 9.7 && box.south > 47 && box.north < 47.3)
        let disk = try onDisk(ProjectFiles.sample.appending(path: "\(version)/poi-sidecar"))
        #expect(disk.faultLines.isEmpty && disk.meta == facts.meta)
    }

    @Test(.enabled(if: ProjectFiles.sharedData != nil, "needs the larger territory beside the checkout"))
    func sharedSidecarsPass() throws {
        let data = try #require(ProjectFiles.sharedData)
        for version in ["v1", "v2"] {
            let facts = try onDisk(data.appending(path: "\(version)/poi-sidecar/poi.sqlite"))
            #expect(facts.faultLines.isEmpty && facts.meta["tables"] == ["meta", "poi"])
        }
    }

    @Test("Case 101: a database whose newest rows are in its -wal file is refused")
    func case101_wal() throws {
        let facts = try facts(sql: "PRAGMA journal_mode=WAL; CREATE TABLE poi(name)") { database, _ in
            for _ in 0..<1000 { try database.execute("INSERT INTO poi VALUES('x')") }
        }
        #expect(facts.faults.faults.map(\.code.name) == ["poi.sidecar", "poi.sidecar", "poi.wal"])
        #expect(facts.faults.faults.first?.path?.hasSuffix("/poi.sqlite-wal") == true)
    }

    @Test("Case 101: files that SQLite leaves beside a database are named")
    func case101_sidecars() throws {
        var layer = MemoryLayer(["poi.sqlite": try MemoryLayer(sample: "v1/poi-sidecar")["poi.sqlite"]])
        for suffix in ["-wal", "-shm", "-journal"] { layer["poi.sqlite\(suffix)"] = [1] }
        #expect(
            try PoiSidecarCheck.facts(of: layer).faultLines == [
                "poi.sidecar layer/poi.sqlite-journal", "poi.sidecar layer/poi.sqlite-shm",
                "poi.sidecar layer/poi.sqlite-wal",
            ])
    }

    @Test func refusesWALHeader() throws {
        #expect(try facts { $0[18] = 2 }.faultLines == ["poi.wal layer/poi.sqlite"])
        #expect(try facts { $0[19] = 2 }.faultLines == ["poi.wal layer/poi.sqlite"])
        // A write version from the future makes a database read-only.
        #expect(try facts { $0[18] = 3 }.faultLines == ["poi.integrity layer/poi.sqlite"])
    }

    @Test func refusesWhatIsNoDatabase() throws {
        #expect(try facts { $0[0] = 0 }.faultLines == ["poi.not-a-database layer/poi.sqlite"])
        #expect(try facts { $0 = [] }.faultLines == ["poi.not-a-database layer/poi.sqlite"])
        #expect(try PoiSidecarCheck.facts(of: MemoryLayer()).faultLines == ["poi.not-a-database -"])
        #expect(try PoiSidecarCheck.facts(of: MemoryLayer(["a.txt": []])).faultCodes == ["poi.not-a-database"])
    }

    @Test func refusesDamagedPages() throws {
        #expect(try facts { $0.removeLast(8192) }.faultCodes == ["poi.integrity"])
        #expect(
            try facts { $0.replaceSubrange(4096..<4196, with: [UInt8](repeating: 7, count: 100)) }.faultCodes == [
                "poi.integrity"
            ])
    }

    @Test("Case 105: a full-text table out of step with its content is refused")
    func case105_fullText() throws {
        let schema = """
            CREATE TABLE poi(id INTEGER PRIMARY KEY, name TEXT);
            CREATE VIRTUAL TABLE found USING fts5(name, content='poi', content_rowid='id');
            INSERT INTO poi VALUES(1, 'Malbun'), (2, 'Vaduz');
            INSERT INTO found(rowid, name) SELECT id, name FROM poi;
            """
        #expect(try facts(sql: schema).faultLines.isEmpty)
        let half = try facts(sql: schema + "DELETE FROM poi WHERE id = 2")
        #expect(half.faultCodes == ["poi.fts-integrity"])
    }

    @Test func coverageCrossesAntimeridianWhereShorter() throws {
        let box = try #require(
            facts(
                sql: """
                    CREATE TABLE poi(Latitude REAL, Longitude REAL);
                    INSERT INTO poi VALUES(-18, 179.5), (-17, -179.5), ('text', 3), (NULL, 5), (99, 7);
                    """
            ).coverage)
        #expect([box.west, box.south, box.east, box.north] == [179.5, -18, -179.5, -17])
    }

    @Test func tellsAtMostAHundredTables() throws {
        let sql = (0..<150).map { "CREATE TABLE t\($0)(x);" }.joined()
        let facts = try facts(sql: sql + "CREATE TABLE \"odd \"\"name\"\"\"(x)")
        #expect(facts.faultLines.isEmpty && facts.meta["tables"]?.arrayValue?.count == 100)
    }

    @Test func survivesRandomFlips() throws {
        var random = SeededGenerator()
        print("seed \(random.seed)")
        // A small database, so that ten thousand checks cost little.
        let small = try ProjectFiles.inTemporaryDirectory { url in
            let path = url.appending(path: "poi.sqlite").path
            let database = try Database.create(path)
            try database.execute(
                """
                PRAGMA page_size=512; CREATE TABLE poi(id INTEGER PRIMARY KEY, name TEXT, lat REAL, lon REAL);
                CREATE INDEX byName ON poi(name); CREATE VIRTUAL TABLE found USING fts5(name);
                WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40)
                INSERT INTO poi SELECT i, 'place ' || i, 47 + i / 100.0, 9 + i / 100.0 FROM n;
                INSERT INTO found(rowid, name) SELECT id, name FROM poi;
                """)
            return [UInt8](try Data(contentsOf: URL(filePath: path)))
        }
        var layer = MemoryLayer(["poi.sqlite": small])
        #expect(try PoiSidecarCheck.facts(of: layer).faultLines.isEmpty)
        var refused = 0
        for _ in FuzzRounds(10_000) {
            layer["poi.sqlite"] = small
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                layer["poi.sqlite"][Int.random(in: 0..<small.count, using: &random)] ^= UInt8.random(
                    in: 1...255, using: &random)
            }
            if try !PoiSidecarCheck.facts(of: layer).faults.isEmpty { refused += 1 }
        }
        #expect(refused > 1_000)
    }
}
