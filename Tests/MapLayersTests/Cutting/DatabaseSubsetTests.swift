import Database
import Diagnostics
import DurableFiles
import Foundation
import MapLayers
import SnpackTestSupport
import TerritoryModel
import Testing

@Suite struct DatabaseSubsetTests {
    /// Two cafés in the area of the tests, two outside.
    private static let rows = """
        INSERT INTO poi(id, name, lat, lon) VALUES(1, 'Adler', 1.5, 1.5), (2, 'Bären', 5, 5), (3, 'Krone', 1, 2),
            (4, 'Linde', 1, 2.0000001);
        """

    private func area() throws -> RegionArea { try Cutting.box(1, 1, 2, 2) }

    private func cut(_ sql: String, _ body: (Database, Int64) throws -> Void) throws {
        try ProjectFiles.inTemporaryDirectory { url in
            let path = url.appending(path: "a.sqlite")
            try Database.create(path.path).execute(sql)
            try Cutting.database(path, area(), body)
        }
    }

    private func names(_ database: Database, _ sql: String) throws -> [String] {
        var names: [String] = []
        try database.statement(sql).forEach { names.append($0.text(at: 0)) }
        return names
    }

    private func expect(_ database: Database, _ sql: String, gives expected: [String]) throws {
        let found = try names(database, sql)
        #expect(found == expected, "\(sql)")
    }

    private func refusal(_ sql: String) throws -> SnpackError? {
        do { try cut(sql) { _, _ in } } catch let error as SnpackError { return error }
        return nil
    }

    @Test("Case 105: full-text tables are in step with what is left")
    func case105_externalContent() throws {
        let sql = """
            CREATE TABLE poi(id INTEGER PRIMARY KEY, name TEXT, latitude REAL, longitude REAL);
            CREATE VIRTUAL TABLE f USING fts5(name, content='poi', content_rowid='id');
            CREATE TRIGGER t AFTER DELETE ON poi BEGIN SELECT 1; END;
            \(Self.rows.replacing("lat, lon", with: "latitude, longitude"))
            INSERT INTO f(f) VALUES('rebuild');
            """
        try cut(sql) { database, count in
            #expect(count == 2)
            try expect(database, "SELECT name FROM f WHERE f MATCH 'Adler'", gives: ["Adler"])
            try expect(database, "SELECT name FROM f WHERE f MATCH 'Bären OR Linde'", gives: [])
            let copy = try database.privateCopy()
            try copy.execute("INSERT INTO f(f, rank) VALUES('integrity-check', 1)")
        }
    }

    @Test("Case 105: a full-text table with its own content loses the rows of the table that it numbers")
    func case105_ownContent() throws {
        let sql = """
            CREATE TABLE poi(id INTEGER PRIMARY KEY, name TEXT, lat REAL, lon REAL); \(Self.rows)
            CREATE VIRTUAL TABLE f USING fts5(name); INSERT INTO f(rowid, name) SELECT id, name FROM poi;
            """
        try cut(sql) { database, _ in
            try expect(database, "SELECT name FROM f ORDER BY rowid", gives: ["Adler", "Krone"])
            try expect(database, "SELECT name FROM f WHERE f MATCH 'Linde'", gives: [])
        }
    }

    @Test("Case 105: contentless tables and foreign tokenizers are refused by name")
    func case105_refused() throws {
        let table = "CREATE TABLE poi(id INTEGER PRIMARY KEY, name TEXT, lat REAL, lon REAL); \(Self.rows)"
        let contentless = try #require(try refusal("\(table) CREATE VIRTUAL TABLE words USING fts5(name, content='')"))
        #expect(contentless.code == .cutUnsupported && contentless.message.contains("\"words\""))
        #expect(contentless.hint?.contains("--keep-whole poi-sidecar") == true)
        let unlinked = try #require(
            try refusal("\(table) CREATE VIRTUAL TABLE w USING fts5(name); INSERT INTO w(rowid, name) VALUES(99, 'x')"))
        #expect(unlinked.message.contains("\"w\""))
    }

    @Test("Case 103: the same rows, put in otherwise, are the same bytes")
    func case103() throws {
        func bytes(_ order: String, noise: Bool) throws -> [UInt8] {
            try ProjectFiles.inTemporaryDirectory { url in
                let path = url.appending(path: "a.sqlite").path
                do {
                    let database = try Database.create(path)
                    try database.execute(
                        "CREATE TABLE poi(id INTEGER PRIMARY KEY, name TEXT, lat REAL, lon REAL); CREATE INDEX i ON poi(name)"
                    )
                    if noise {
                        try database.execute("CREATE TABLE gone(x); DROP TABLE gone; CREATE TABLE g(x); DROP TABLE g")
                    }
                    for id in order { try database.execute("INSERT INTO poi VALUES(\(id), 'n\(id)', 1.\(id), 1.5)") }
                }
                let directory = try Directory.open(url.path)
                _ = try DatabaseSubset.cut(
                    path, in: AreaFootprint(area()), of: .poiSidecar, to: "cut", in: directory, context: WorkContext())
                return try directory.contents(of: "cut", limit: 1 << 20)
            }
        }
        let plain = try bytes("123456", noise: false)
        #expect(try bytes("635241", noise: false) == plain)
        // The schema cookie tells of other changes to the schema; rows do not.
        #expect(try bytes("123456", noise: true).count == plain.count)
    }

    @Test func tablesWithoutRowIDsAndChildrenAreCut() throws {
        let sql = """
            CREATE TABLE poi(id TEXT, part INT, name TEXT, Lat REAL, LNG REAL, PRIMARY KEY(id, part)) WITHOUT ROWID;
            INSERT INTO poi VALUES('a', 1, 'in', 1.5, 1.5), ('a', 2, 'out', 3, 3), ('b', 1, 'none', NULL, 1);
            CREATE TABLE place(id INTEGER PRIMARY KEY, lat, lon); INSERT INTO place VALUES(7, 1, 1), (8, 9, 9);
            CREATE TABLE tag(place INTEGER REFERENCES place, v); INSERT INTO tag VALUES(7, 'x'), (8, 'y'), (NULL, 'z');
            CREATE TABLE note(tag INTEGER, kept); INSERT INTO note VALUES(1, 'k');
            """
        try cut(sql) { database, count in
            #expect(count == 2)
            try expect(database, "SELECT name FROM poi", gives: ["in"])
            try expect(database, "SELECT v FROM tag ORDER BY v", gives: ["x", "z"])
            try expect(database, "SELECT kept FROM note", gives: ["k"])
        }
    }

    @Test func boxTreesAreCutWithTheirTables() throws {
        let positioned = """
            CREATE TABLE poi(id INTEGER PRIMARY KEY, name TEXT, lat REAL, lon REAL); \(Self.rows)
            CREATE VIRTUAL TABLE r USING rtree(id, minX, maxX, minY, maxY);
            INSERT INTO r SELECT id, lon, lon, lat, lat FROM poi;
            """
        try cut(positioned) { database, _ in
            try expect(database, "SELECT id FROM r ORDER BY id", gives: ["1", "3"])
        }
        let alone = """
            CREATE TABLE poi(id INTEGER PRIMARY KEY, name TEXT);
            INSERT INTO poi VALUES(1, 'in'), (2, 'out'), (3, 'across');
            CREATE VIRTUAL TABLE r USING rtree(id, minLat, maxLat, minLon, maxLon);
            INSERT INTO r VALUES(1, 1.5, 1.5, 1.25, 1.25), (2, 1.5, 1.5, 9, 9), (3, 0, 1.5, 0, 1.5);
            """
        try cut(alone) { database, count in
            #expect(count == 2)
            try expect(database, "SELECT name FROM poi ORDER BY id", gives: ["in", "across"])
        }
    }

    @Test func databasesWithoutPositionsAreRefusedWithTheWayOut() throws {
        let error = try #require(try refusal("CREATE TABLE poi(name)"))
        #expect(error.code == .cutUnsupported && error.hint?.contains("--keep-whole poi-sidecar") == true)
    }

    @Test func stylesOpenOnTheArea() throws {
        let style = try MemoryLayer(sample: "v1/style")["light.json"]
        let box = try BoundingBox(west: 177, south: -20, east: -178, north: -12)
        let document = try StrictJSON.parse(StyleSubset.document(style, in: box), depthLimit: 128)
        let root = try #require(document.objectValue)
        #expect(root["bounds"] == [177, -20, 182, -12])
        let numbers = root["center"]?.arrayValue ?? []
        let center = numbers.compactMap { $0.numberValue?.double }
        try #require(center.count == 2)
        #expect(center[0] == 179.5 && center[1] < -15.9 && center[1] > -16.2)
        let zoom = try #require(root["zoom"]?.numberValue?.double)
        #expect(zoom > 4.5 && zoom < 6.2)
        let before = try #require(try StrictJSON.parse(style, depthLimit: 128).objectValue)
        #expect(root["layers"] == before["layers"])
        #expect(throws: SnpackError.self) { try StyleSubset.document(Array("[]".utf8), in: box) }
    }
}
