import Database
import Diagnostics
import DurableFiles
import Foundation
import MapLayers
import SnpackTestSupport
import TerritoryModel
import Testing

@Suite struct SQLiteIndexCheckTests {
    static let sample = Result {
        try ProjectFiles.inTemporaryDirectory { directory in
            try PlaceFixtures.build(
                OpenFile(reading: ProjectFiles.sample.appending(path: "v1/geocode/places.ndjson").path), in: directory)
            return try MemoryLayer(reading: directory)
        }
    }

    @Test func sampleIndexPassesAndTellsItsPlaces() throws {
        let facts = try GeocodeCheck.facts(of: Self.sample.get())
        #expect(facts.faultLines == [] && facts.warnings.isEmpty && facts.leftOut.isEmpty)
        #expect(
            facts.meta == [
                "form": "sqlite", "schema_version": 1, "documents": 1136, "addresses": 196, "localities": 20,
                "pois": 279, "postcodes": 11, "streets": 630,
                "bbox": try #require(facts.coverage).json,
            ])
        let box = try #require(facts.coverage)
        #expect(box.west > 9.47 && box.east < 9.64 && box.south > 47.04 && box.north < 47.28)
    }

    @Test func fileOnDiskPassesAndLeavesNothingBesideIt() throws {
        try ProjectFiles.inTemporaryDirectory { directory in
            try Data(Self.sample.get()["places.sqlite"]).write(to: directory.appending(path: "places.sqlite"))
            for path in [directory.path, directory.path + "/places.sqlite"] {
                #expect(try diskFacts(path).faultLines == [])
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["places.sqlite"])
        }
    }

    @Test("Case 101: rows still in the -wal file are refused, as is a WAL database")
    func case101_rowsInTheWALAreRefused() throws {
        try ProjectFiles.inTemporaryDirectory { directory in
            let path = directory.path + "/places.sqlite"
            let writer = try Database.create(path)
            try writer.execute("CREATE VIRTUAL TABLE f USING fts5(name); PRAGMA journal_mode=WAL")
            for number in 0..<1_000 { try writer.execute("INSERT INTO f VALUES('place \(number)')") }
            for layer in [directory.path, path] {
                let facts = try diskFacts(layer)
                #expect(facts.faultCodes == ["geocode.wal", "geocode.sidecar"])
                #expect(facts.faults.faults.contains { $0.path == path + "-wal" })
            }
            // A lost sidecar does not make it right.
            let main = try MemoryLayer(["places.sqlite": Array(Data(contentsOf: URL(filePath: path)))])
            #expect(try GeocodeCheck.facts(of: main).faultCodes == ["geocode.wal"])
            try writer.execute("PRAGMA journal_mode=DELETE")
            #expect(try diskFacts(path).faultLines == [])
        }
    }

    @Test("Case 105: a full-text table out of step with its content is refused")
    func case105_textOutOfStepIsRefused() throws {
        let tables = "CREATE TABLE p(id INTEGER PRIMARY KEY, name TEXT);"
        let fill = "INSERT INTO p VALUES(1,'Malbun'),(2,'Steg'); INSERT INTO f(rowid,name) SELECT id,name FROM p;"
        let external = "CREATE VIRTUAL TABLE f USING fts5(name, content='p', content_rowid='id');"
        #expect(try facts(tables + external + fill).faultLines == [])
        let outOfStep = try facts(tables + external + fill + "DELETE FROM p WHERE id = 2;")
        #expect(outOfStep.faultLines == ["geocode.fts-integrity layer/places.sqlite"])
        // Contentless tables and FTS4 have a check of their own.
        #expect(try facts(tables + "CREATE VIRTUAL TABLE f USING fts5(name, content='');" + fill).faultLines == [])
        #expect(try facts(tables + "CREATE VIRTUAL TABLE f USING fts4(name);" + fill).faultLines == [])
    }

    @Test("Case 105: a table that plain SQLite cannot read is refused by name")
    func case105_foreignTokenizerIsRefusedByName() throws {
        var bytes = try layer("CREATE VIRTUAL TABLE f USING fts5(name, tokenize='porter'); INSERT INTO f VALUES('a');")
        replace("tokenize='porter'", with: "tokenize='icumle'", in: &bytes["places.sqlite"])
        let facts = try GeocodeCheck.facts(of: bytes)
        #expect(facts.faultCodes == ["geocode.fts-unsupported"])
        #expect(facts.faults.faults.first?.message.contains("icumle") == true)
        var module = try layer("CREATE VIRTUAL TABLE f USING fts5(name); INSERT INTO f VALUES('a');")
        replace("USING fts5(name)", with: "USING xyz5(name)", in: &module["places.sqlite"])
        let unknown = try GeocodeCheck.facts(of: module)
        #expect(unknown.faultCodes == ["geocode.fts-unsupported"])
        #expect(unknown.faults.faults.first?.message.contains("xyz5") == true)
    }

    @Test func foreignIndexIsDescribed() throws {
        let facts = try facts("CREATE VIRTUAL TABLE f USING fts5(name); INSERT INTO f VALUES('a'),('b');")
        #expect(facts.meta == ["form": "sqlite", "full_text_tables": ["f"]])
        #expect(facts.tables.first?.rows == [["f", "fts5", "2"]])
    }

    @Test func faultsHaveTheirOwnCodes() throws {
        #expect(try facts("CREATE TABLE t(a)").faultCodes == ["geocode.no-fts-table"])
        let source = MemoryLayer(["places.ndjson": Array("{}".utf8)])
        #expect(try GeocodeCheck.facts(of: source).faultCodes == ["geocode.not-an-index"])
        var two = try Self.sample.get()
        two["other.sqlite"] = two["places.sqlite"]
        #expect(try GeocodeCheck.facts(of: two).faultCodes == ["geocode.ambiguous"])
        var extra = try Self.sample.get()
        extra["LICENSE"] = Array("ODbL".utf8)
        #expect(try GeocodeCheck.facts(of: extra).warningCodes == ["geocode.extra-file"])
        var newer = try Self.sample.get()
        newer["places.sqlite"][63] = 2
        #expect(try GeocodeCheck.facts(of: newer).faultCodes == ["geocode.schema-unknown"])
        var damaged = try Self.sample.get()
        damaged["places.sqlite"].replaceSubrange(40_960..<45_056, with: [UInt8](repeating: 0, count: 4_096))
        #expect(try GeocodeCheck.facts(of: damaged).faultCodes == ["geocode.integrity"])
    }

    @Test(arguments: [
        ("DELETE FROM place WHERE number = 5", "geocode.schema-broken"),
        ("UPDATE place SET lat_e7 = 900000001 WHERE number = 5", "geocode.schema-broken"),
        ("UPDATE place SET cell = 7 WHERE number = 5", "geocode.schema-broken"),
        ("UPDATE place SET name = char(1) WHERE number = 5", "geocode.schema-broken"),
        ("UPDATE place SET kind = 'planet' WHERE number = 5", "geocode.schema-broken"),
        ("DELETE FROM meta WHERE key = 'documents'", "geocode.schema-broken"),
        ("DROP INDEX place_position", "geocode.schema-broken"),
        ("DROP TABLE place_text; CREATE VIRTUAL TABLE o USING fts5(x)", "geocode.schema-broken"),
    ])
    func changedRowsAreFound(_ change: String, _ code: String) throws {
        try ProjectFiles.inTemporaryDirectory { directory in
            let path = directory.path + "/places.sqlite"
            try Data(Self.sample.get()["places.sqlite"]).write(to: URL(filePath: path))
            try Database.editing(path).execute(change)
            #expect(try diskFacts(path).faultCodes == [code])
        }
    }

    @Test func hostileSchemaRunsNoCodeAndIsBounded() throws {
        let facts = try facts(
            """
            CREATE TABLE t(a, b AS (hex(zeroblob(a))) VIRTUAL, CHECK (length(hex(zeroblob(a))) >= 0));
            INSERT INTO t(a) VALUES(1);
            CREATE VIEW v AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n;
            CREATE TRIGGER tr AFTER INSERT ON t BEGIN DELETE FROM t; END;
            CREATE TABLE big(x TEXT DEFAULT '\(String(repeating: "x", count: 100_000))');
            CREATE VIRTUAL TABLE f USING fts5(name); INSERT INTO f VALUES('a');
            CREATE VIRTUAL TABLE "a""b" USING fts5(name);
            CREATE VIRTUAL TABLE viewed USING fts5(i, content='v');
            """)
        // What would read the endless view is refused, because views of a file do not run.
        #expect(facts.faultCodes.isSubset(of: ["geocode.fts-unsupported", "geocode.fts-integrity"]))
        #expect(!facts.faults.isEmpty)
    }

    @Test func flippedBytesGiveAnErrorOrAPass() throws {
        let documents = try PlaceFixtures.sampleDocuments()
        let small = try ProjectFiles.inTemporaryDirectory { directory in
            let path = try PlaceFixtures.build(Array(documents.prefix(40)), in: directory)
            return try Array(Data(contentsOf: URL(filePath: path)))
        }
        var random = SeededGenerator()
        print("flips in places.sqlite, seed \(random.seed)")
        for round in FuzzRounds(10_000) {
            var bytes = small
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                // Headers of file and pages hold what matters most.
                let page = Int.random(in: 0..<bytes.count / 4_096, using: &random) * 4_096
                let within = Bool.random(using: &random) ? 128 : 4_096
                bytes[page + Int.random(in: 0..<within, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            _ = try? GeocodeCheck.facts(of: MemoryLayer(["places.sqlite": bytes]))
            guard round % 4 == 0, let index = try? PlaceIndex(Database.reading(bytes, name: "flipped")) else {
                continue
            }
            _ = try? index.search("Malbun", near: (47.1, 9.6))
            _ = try? index.search("la")
            _ = try? index.reverse(lat: 47.1, lon: 9.5, limit: 3)
        }
    }

    private func diskFacts(_ path: String) throws -> LayerFacts {
        var faults = FaultList()
        return try GeocodeCheck.facts(of: DiskLayer(FileTree(listing: path, faults: &faults)))
    }

    private func layer(_ sql: String) throws -> MemoryLayer {
        try ProjectFiles.inTemporaryDirectory { directory in
            try Database.create(directory.path + "/places.sqlite").execute(sql)
            return try MemoryLayer(reading: directory)
        }
    }

    private func facts(_ sql: String) throws -> LayerFacts { try GeocodeCheck.facts(of: layer(sql)) }

    private func replace(_ text: String, with other: String, in bytes: inout [UInt8]) {
        if let range = Data(bytes).range(of: Data(text.utf8)) { bytes.replaceSubrange(range, with: Array(other.utf8)) }
    }
}
