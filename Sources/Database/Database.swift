import CSQLite
package import Diagnostics

/// One connection to an SQLite database. Owns its handle; used by one thread at a time.
///
/// Whatever it opens, the schema is not trusted: no trigger, view or function of a file runs, no extension loads, and
/// every value is bounded by ``DatabaseLimits``.
package final class Database {
    let handle: OpaquePointer
    let watch: OperationWatch
    /// What to call it in messages.
    package let name: String

    private init(
        uri: String, flags: Int32, name: String, limits: DatabaseLimits, cancel: CancelToken
    ) throws(SnpackError) {
        var opened: OpaquePointer?
        let status = sqlite3_open_v2(uri, &opened, flags | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX, nil)
        guard let opened, status == SQLITE_OK else {
            let failure = SQLiteFailure(status, opened)
            sqlite3_close_v2(opened)
            throw failure.error(name)
        }
        handle = opened
        self.name = name
        watch = OperationWatch(cancel: cancel, budget: limits.operationBudget)
        sqlite3_extended_result_codes(handle, 1)
        limits.apply(to: handle)
        watch.install(on: handle)
        for (option, isOn) in [
            (SQLITE_DBCONFIG_DEFENSIVE, 1), (SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0), (SQLITE_DBCONFIG_ENABLE_TRIGGER, 0),
            (SQLITE_DBCONFIG_ENABLE_VIEW, 0), (SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0),
            (SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER, 0), (SQLITE_DBCONFIG_DQS_DML, 0),
        ] as [(Int32, Int32)] {
            _ = snpack_sqlite_switch(handle, option, isOn)
        }
        try execute("PRAGMA cell_size_check=ON; PRAGMA mmap_size=0; PRAGMA temp_store=MEMORY")
    }

    deinit {
        // v2: a statement that outlives this is finalized on its own time.
        sqlite3_close_v2(handle)
    }

    /// Opens a file that nobody changes meanwhile: no lock is taken, nothing beside it is read or made.
    package static func readingImmutable(
        _ path: String, limits: DatabaseLimits = .foreign, cancel: CancelToken = CancelToken()
    ) throws(SnpackError) -> Database {
        try checkHeader(path, refusingWAL: false)
        return try Database(
            uri: DatabaseFile.uri(path, "mode=ro&immutable=1"), flags: SQLITE_OPEN_READONLY, name: path,
            limits: limits, cancel: cancel)
    }

    /// Opens a file that others may write to, with SQLite's locks. A WAL database is refused.
    package static func readOnly(
        _ path: String, limits: DatabaseLimits = .foreign, cancel: CancelToken = CancelToken()
    ) throws(SnpackError) -> Database {
        try checkHeader(path, refusingWAL: true)
        return try Database(
            uri: DatabaseFile.uri(path, "mode=ro"), flags: SQLITE_OPEN_READONLY, name: path, limits: limits,
            cancel: cancel)
    }

    /// Opens an existing file for change: a private copy, or one's own.
    package static func editing(
        _ path: String, limits: DatabaseLimits = .foreign, cancel: CancelToken = CancelToken()
    ) throws(SnpackError) -> Database {
        try checkHeader(path, refusingWAL: true)
        return try Database(
            uri: DatabaseFile.uri(path, "mode=rw"), flags: SQLITE_OPEN_READWRITE, name: path, limits: limits,
            cancel: cancel)
    }

    /// Makes a database at `path`, where nothing may be yet.
    package static func create(
        _ path: String, limits: DatabaseLimits = DatabaseLimits(), cancel: CancelToken = CancelToken()
    ) throws(SnpackError) -> Database {
        try DatabaseFile.makeEmpty(checked(path))
        return try Database(
            uri: DatabaseFile.uri(path, "mode=rw"), flags: SQLITE_OPEN_READWRITE, name: path, limits: limits,
            cancel: cancel)
    }

    /// An empty database in memory.
    package static func inMemory(
        limits: DatabaseLimits = DatabaseLimits(), cancel: CancelToken = CancelToken()
    ) throws(SnpackError) -> Database {
        try Database(
            uri: ":memory:", flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_MEMORY, name: "memory",
            limits: limits, cancel: cancel)
    }

    /// A database whose file's bytes are in memory, for reading.
    package static func reading(
        _ bytes: [UInt8], name: String, limits: DatabaseLimits = .foreign, cancel: CancelToken = CancelToken()
    ) throws(SnpackError) -> Database {
        guard DatabaseHeader(bytes) != nil else { throw notADatabase(name) }
        let database = try Database(
            uri: ":memory:", flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY, name: name, limits: limits,
            cancel: cancel)
        guard let copy = sqlite3_malloc64(UInt64(bytes.count)) else {
            throw SnpackError(.sqliteLimit, "there is not enough memory for the database", path: name)
        }
        bytes.withUnsafeBytes { copy.copyMemory(from: $0.baseAddress ?? UnsafeRawPointer(copy), byteCount: $0.count) }
        // SQLite owns the copy from here on, also when it refuses it.
        try database.check(
            sqlite3_deserialize(
                database.handle, "main", copy.assumingMemoryBound(to: UInt8.self), Int64(bytes.count),
                Int64(bytes.count), UInt32(SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_READONLY)))
        return database
    }

    private static func checked(_ path: String) throws(SnpackError) -> String {
        guard !path.utf8.contains(0), !path.isEmpty else {
            throw SnpackError(.sqliteCannotOpen, "\(quoted(path)) is not a path")
        }
        return path
    }

    private static func notADatabase(_ path: String) -> SnpackError {
        SnpackError(.sqliteNotADatabase, "the file is not an SQLite database", path: path)
    }

    private static func checkHeader(_ path: String, refusingWAL: Bool) throws(SnpackError) {
        let head = try DatabaseFile.head(of: checked(path))
        guard let header = DatabaseHeader(head) else { throw notADatabase(path) }
        if refusingWAL && header.isWAL {
            throw SnpackError(
                .sqliteWAL, "the database is in WAL mode", hint: "run PRAGMA journal_mode=DELETE on it", path: path)
        }
    }
}

// MARK: - Running statements

extension Database {
    /// Prepares one statement of SQL that we wrote.
    package func statement(_ sql: String) throws(SnpackError) -> Statement { try Statement(sql, on: self) }

    /// Runs SQL that we wrote, one statement after the other; rows are dropped.
    package func execute(_ sql: String) throws(SnpackError) { try check(sqlite3_exec(handle, sql, nil, nil, nil)) }

    /// The first column of the first row, nil without a row.
    package func value(_ sql: String, _ bindings: DatabaseValue...) throws(SnpackError) -> DatabaseValue? {
        let statement = try statement(sql)
        try statement.bind(bindings)
        return try statement.step() ? statement.value(at: 0) : nil
    }

    /// Runs `body` in one transaction, which is rolled back when it throws.
    package func transaction<Result>(_ body: () throws(SnpackError) -> Result) throws(SnpackError) -> Result {
        try execute("BEGIN IMMEDIATE")
        do {
            let result = try body()
            try execute("COMMIT")
            return result
        } catch {
            // Some failures have rolled back already; the first error is the one to tell.
            try? execute("ROLLBACK")
            throw error
        }
    }

    /// Writes the database, packed, to a new file at `path`.
    package func vacuum(into path: String) throws(SnpackError) {
        try statement("VACUUM INTO ?").run(.text(DatabaseFile.uri(path, "mode=rwc")))
    }

    /// Copies the database as it is, sound or not, into a private one that vanishes when it is closed; pages that do not
    /// fit in memory go to SQLite's temporary directory.
    package func privateCopy(limits: DatabaseLimits = .foreign, cancel: CancelToken = CancelToken()) throws(SnpackError)
        -> Database
    {
        let copy = try Database(
            uri: "", flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, name: name, limits: limits, cancel: cancel)
        guard let backup = sqlite3_backup_init(copy.handle, "main", handle, "main") else {
            throw SQLiteFailure(sqlite3_errcode(copy.handle), copy.handle).error(name)
        }
        var status = SQLITE_OK
        while status == SQLITE_OK && !cancel.isCancelled { status = sqlite3_backup_step(backup, 4_096) }
        let finished = sqlite3_backup_finish(backup)
        try cancel.check()
        guard status == SQLITE_DONE else { throw SQLiteFailure(finished, copy.handle).error(name) }
        return copy
    }

    /// Gives the connection its whole budget of operations again: each question to a long-lived one is bounded by itself.
    package func renewOperationBudget() { watch.renew() }

    /// Rows changed by the last INSERT, UPDATE or DELETE.
    package var changedRowCount: Int { Int(sqlite3_changes64(handle)) }

    /// Throws what a return code stands for.
    func check(_ status: Int32) throws(SnpackError) {
        guard status != SQLITE_OK && status != SQLITE_ROW && status != SQLITE_DONE else { return }
        if status & 0xFF == SQLITE_INTERRUPT {
            if watch.isOverBudget {
                throw SnpackError(
                    .sqliteRunaway, "reading the database takes more work than any sound one needs", path: name)
            }
            throw SnpackError(.interrupted, "stopped before it was finished", hint: "run the same command again")
        }
        throw SQLiteFailure(status, handle).error(name)
    }
}
