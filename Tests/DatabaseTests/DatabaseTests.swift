import Database
import Diagnostics
import Foundation
import SnpackTestSupport
import Testing

@Suite struct DatabaseTests {
    @Test func keepsEveryTypeOfValue() throws {
        let database = try Database.inMemory()
        try database.execute("CREATE TABLE t(a, b, c, d, e)")
        let insert = try database.statement("INSERT INTO t VALUES(?, ?, ?, ?, ?)")
        let row: [DatabaseValue] = [.null, .integer(.min), .real(0.1), .text("Städtle \u{0} 😀"), .blob([0, 255])]
        try insert.bind(row)
        #expect(try insert.step() == false)
        let select = try database.statement("SELECT * FROM t")
        #expect(try select.step())
        #expect((0..<select.columnCount).map { select.value(at: $0) } == row)
        #expect((0..<5).map { select.type(at: $0) } == [.null, .integer, .real, .text, .blob])
        #expect(select.bytes(at: 3) == Array("Städtle \u{0} 😀".utf8))
        #expect(select.bytes(at: 0) == [])
        #expect(select.columnName(at: 1) == "b")
        #expect(try select.step() == false)
    }

    @Test func statementOutlivesItsDatabaseVariable() throws {
        let statement = try Database.inMemory().statement("SELECT 42")
        #expect(try statement.step())
        #expect(statement.integer(at: 0) == 42)
    }

    @Test func emptyTextAndBlobAreNotNull() throws {
        let database = try Database.inMemory()
        #expect(try database.value("SELECT typeof(?)", .text("")) == .text("text"))
        #expect(try database.value("SELECT typeof(?)", .blob([])) == .text("blob"))
    }

    @Test func rollsBackWhenTheBodyThrows() throws {
        let database = try Database.inMemory()
        try database.execute("CREATE TABLE t(a UNIQUE)")
        let error = #expect(throws: SnpackError.self) {
            try database.transaction { () throws(SnpackError) in
                try database.execute("INSERT INTO t VALUES(1)")
                try database.execute("INSERT INTO t VALUES(1)")
            }
        }
        #expect(error?.code == .sqliteConstraint)
        #expect(try database.value("SELECT count(*) FROM t") == .integer(0))
    }

    @Test func namesWhatIsMissing() throws {
        let database = try Database.inMemory()
        let error = #expect(throws: SnpackError.self) { try database.statement("SELECT * FROM nowhere") }
        #expect(error?.code == .sqliteFailed)
        #expect(error?.message.contains("nowhere") == true)
    }

    @Test func cancelStopsAStatement() throws {
        let cancel = CancelToken()
        let database = try Database.inMemory(cancel: cancel)
        cancel.cancel()
        let error = #expect(throws: SnpackError.self) { try database.value(Self.endless) }
        #expect(error?.code == .interrupted)
    }

    @Test func budgetStopsARunawayStatement() throws {
        var limits = DatabaseLimits()
        limits.operationBudget = 1_000_000
        let database = try Database.inMemory(limits: limits)
        let error = #expect(throws: SnpackError.self) { try database.value(Self.endless) }
        #expect(error?.code == .sqliteRunaway)
        #expect(throws: SnpackError.self) { try database.value(Self.short) }
        database.renewOperationBudget()
        #expect(try database.value(Self.short) == .integer(10_000))
    }

    @Test func valuesAreBounded() throws {
        var limits = DatabaseLimits()
        limits.valueByteCount = 1_000
        let database = try Database.inMemory(limits: limits)
        let error = #expect(throws: SnpackError.self) { try database.value("SELECT zeroblob(1001)") }
        #expect(error?.code == .sqliteLimit)
    }

    @Test func extensionsDoNotLoad() throws {
        let database = try Database.inMemory()
        #expect(throws: SnpackError.self) { try database.value("SELECT load_extension('x')") }
    }

    static let short = """
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 10000) SELECT count(*) FROM n
        """
    static let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
}

@Suite struct DatabaseFileTests {
    @Test(arguments: ["plain.db", "per%20cent.db", "ques?mode=rwc.db", "hash#.db", "Städtle & Co.db", "a%00b.db"])
    func opensFilesOfAnyName(_ name: String) throws {
        try ProjectFiles.inTemporaryDirectory { directory in
            let path = directory.path + "/" + name
            try make(path)
            for database in [try Database.readingImmutable(path), try Database.readOnly(path)] {
                #expect(try database.value("SELECT a FROM t") == .integer(7))
                let error = #expect(throws: SnpackError.self) { try database.execute("INSERT INTO t VALUES(8)") }
                #expect(error?.code == .sqliteReadOnly)
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).count == 1)
        }
    }

    @Test func readsNothingThatIsNoDatabaseFile() throws {
        try ProjectFiles.inTemporaryDirectory { directory in
            let text = directory.path + "/text"
            try Data("just text, long enough for a header: ".utf8 + [UInt8](repeating: 32, count: 200))
                .write(to: URL(filePath: text))
            let fifo = directory.path + "/fifo"
            #expect(mkfifo(fifo, 0o600) == 0)
            let cases: [(String, ErrorCode)] = [
                (text, .sqliteNotADatabase), (fifo, .sqliteCannotOpen), (directory.path, .sqliteCannotOpen),
                (directory.path + "/missing", .sqliteCannotOpen), ("", .sqliteCannotOpen), ("a\0b", .sqliteCannotOpen),
            ]
            for (path, code) in cases {
                let error = #expect(throws: SnpackError.self) { try Database.readingImmutable(path) }
                #expect(error?.code == code, "\(path)")
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted() == ["fifo", "text"])
        }
    }

    @Test func neverOverwritesWhatIsThere() throws {
        try ProjectFiles.inTemporaryDirectory { directory in
            let path = directory.path + "/a.db"
            try make(path)
            let error = #expect(throws: SnpackError.self) { try Database.create(path) }
            #expect(error?.code == .sqliteCannotOpen)
        }
    }

    @Test func walDatabaseIsToldAndLeftAlone() throws {
        try ProjectFiles.inTemporaryDirectory { directory in
            let path = directory.path + "/a.db"
            try make(path, "PRAGMA journal_mode=WAL; CREATE TABLE w(x)")
            #expect(try DatabaseHeader(Data(contentsOf: URL(filePath: path)))?.isWAL == true)
            let error = #expect(throws: SnpackError.self) { try Database.readOnly(path) }
            #expect(error?.code == .sqliteWAL)
            #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["a.db"])
        }
    }

    @Test func headerTellsPagesAndCounters() throws {
        try ProjectFiles.inTemporaryDirectory { directory in
            let path = directory.path + "/a.db"
            try make(path, "PRAGMA user_version=9; PRAGMA application_id=77")
            let bytes = try Data(contentsOf: URL(filePath: path))
            let header = try #require(DatabaseHeader(bytes))
            #expect(header.pageByteCount * Int(header.pageCount) == bytes.count)
            #expect(header.userVersion == 9 && header.applicationID == 77 && !header.isWAL)
            #expect(DatabaseHeader(bytes.prefix(99)) == nil)
        }
    }

    @Test func hostileSchemaRunsNoCode() throws {
        try ProjectFiles.inTemporaryDirectory { directory in
            let path = directory.path + "/a.db"
            try make(
                path,
                """
                CREATE TABLE log(x); CREATE TRIGGER tr AFTER INSERT ON t BEGIN INSERT INTO log VALUES(1); END;
                CREATE VIEW v AS SELECT load_extension('/tmp/evil') AS x;
                CREATE VIEW named AS SELECT a FROM t;
                """)
            let database = try Database.editing(path)
            try database.execute("INSERT INTO t VALUES(8)")
            #expect(try database.value("SELECT count(*) FROM log") == .integer(0))
            #expect(throws: SnpackError.self) { try database.value("SELECT x FROM v") }
            #expect(throws: SnpackError.self) { try database.value("SELECT a FROM named") }
        }
    }

    private func make(_ path: String, _ more: String = "") throws {
        let database = try Database.create(path)
        try database.execute("CREATE TABLE t(a); INSERT INTO t VALUES(7)")
        try database.execute(more)
    }
}
