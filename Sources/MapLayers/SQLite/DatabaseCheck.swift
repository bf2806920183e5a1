import Database
import Diagnostics
import DurableFiles

/// Checks an SQLite file as any layer may hold one: its header, what lies beside it, its pages, its virtual tables.
struct DatabaseCheck {
    /// What faults are called: each kind of layer has its own names for them.
    struct Codes: Sendable {
        let notADatabase: ErrorCode
        let wal: ErrorCode
        let sidecar: ErrorCode
        let integrity: ErrorCode
        let textIntegrity: ErrorCode
        let textUnsupported: ErrorCode
    }

    /// What is not on disk is opened in memory.
    private static let memoryLimit = 1 << 30

    let file: LayerSourceFile
    let source: any LayerSource
    let codes: Codes
    let context: WorkContext
    let path: String

    init(_ file: LayerSourceFile, in source: any LayerSource, _ codes: Codes, _ context: WorkContext) {
        self.file = file
        self.source = source
        self.codes = codes
        self.context = context
        path = source.shownPath(of: file)
    }

    // MARK: Files

    private static func isSidecar(_ path: String) -> Bool {
        DatabaseHeader.sidecarSuffixes.contains { path.hasSuffix($0) }
    }

    /// What SQLite calls its files beside a database.
    static func sidecarPaths(of file: LayerSourceFile) -> [String] {
        DatabaseHeader.sidecarSuffixes.map { file.path + $0 }
    }

    /// The files of a layer that are SQLite databases by their first bytes.
    static func databases(in source: any LayerSource) throws(SnpackError) -> [LayerSourceFile] {
        var databases: [LayerSourceFile] = []
        for file in source.files where file.byteCount >= UInt64(DatabaseHeader.byteCount) && !isSidecar(file.path) {
            let start = try source.open(file).bytes(at: 0, count: DatabaseHeader.magic.count)
            if start == DatabaseHeader.magic { databases.append(file) }
        }
        return databases
    }

    /// Names each file beside the database that SQLite keeps rows in: those rows would not travel.
    func checkSidecars(_ faults: inout FaultList) {
        let names = Self.sidecarPaths(of: file)
        var found = source.files.filter { names.contains($0.path) }.map(source.shownPath)
        if !source.isTree, let path = source.diskPath(of: file) {
            found = DatabaseHeader.sidecarSuffixes.map { path + $0 }.filter { FileIdentity.at($0) != nil }
        }
        for path in found {
            faults.add(
                SnpackError(
                    codes.sidecar, "rows may be in this file that are not in the database yet",
                    hint: "close the program that has the database open, then run PRAGMA journal_mode=DELETE on it",
                    path: path))
        }
    }

    // MARK: The database

    /// Checks header, pages and virtual tables, then hands the sound database to `body`.
    ///
    /// What SQLite says of a damaged file becomes a fault; what stopped the work is thrown.
    func run(
        _ faults: inout FaultList, _ body: (Database, inout FaultList) throws(SnpackError) -> Void
    ) throws(SnpackError) {
        let head = try source.open(file).bytes(at: 0, count: Int(min(file.byteCount, UInt64(DatabaseHeader.byteCount))))
        guard let header = DatabaseHeader(head) else {
            return faults.add(
                SnpackError(
                    codes.notADatabase, "it does not begin as an SQLite database does",
                    hint: "the file is of another kind, or its first bytes are damaged", path: path))
        }
        guard !header.isWAL else {
            return faults.add(
                SnpackError(
                    codes.wal, "the database is in WAL mode: it cannot be read where nothing can be written",
                    hint: "run PRAGMA journal_mode=DELETE on it", path: path))
        }
        guard head[18] == 1, head[19] == 1 else {
            return faults.add(
                SnpackError(
                    codes.integrity, "its header says file format \(max(head[18], head[19])); SQLite 3 knows 1 and 2",
                    hint: "the first bytes are damaged: make the database again", path: path))
        }
        do {
            let database = try open()
            var found = FaultList()
            try checkPages(of: database, &found)
            if found.isEmpty { try checkVirtualTables(of: database, &found) }
            let isSound = found.isEmpty
            faults.add(contentsOf: found)
            if isSound { try body(database, &faults) }
        } catch { try keep(error, as: codes.integrity, &faults) }
    }

    /// A fault of the file is kept; what stopped the work is thrown on.
    func keep(_ error: SnpackError, as code: ErrorCode, _ faults: inout FaultList) throws(SnpackError) {
        switch error.code.exitStatus {
        // Only private copies are written to: what makes one read-only stands in the file.
        case .localIO where error.code != .sqliteReadOnly: throw error
        case .interrupted, .conflict: throw error
        default: faults.add((error.code.name.hasPrefix("sqlite.") ? error.recoded(code) : error).at(path))
        }
    }

    private func open() throws(SnpackError) -> Database {
        try Self.open(file, in: source, cancel: context.cancel)
    }

    /// Opens a database for reading, from disk where it lies there.
    static func open(
        _ file: LayerSourceFile, in source: any LayerSource, cancel: CancelToken
    ) throws(SnpackError) -> Database {
        let limits = limits(for: file)
        if let path = source.diskPath(of: file) {
            return try Database.readingImmutable(path, limits: limits, cancel: cancel)
        }
        let bytes = try source.open(file).allBytes(limit: memoryLimit)
        return try Database.reading(bytes, name: source.shownPath(of: file), limits: limits, cancel: cancel)
    }

    /// A sound database takes a few operations per row; a damaged one may go round in circles.
    private static func limits(for file: LayerSourceFile) -> DatabaseLimits {
        var limits = DatabaseLimits.foreign
        let (forItsSize, overflow) = Int(clamping: file.byteCount).multipliedReportingOverflow(by: 100)
        limits.operationBudget = overflow ? .max : max(100_000_000, forItsSize)
        return limits
    }

    private func checkPages(of database: Database, _ faults: inout FaultList) throws(SnpackError) {
        try database.statement("PRAGMA integrity_check(20)").forEach { row in
            let finding = row.text(at: 0)
            guard finding != "ok" else { return }
            faults.add(
                SnpackError(
                    codes.integrity, "SQLite's integrity check says \(quoted(finding))",
                    hint: "the copy broke off or the disk is failing: make the database again", path: path))
        }
    }

    /// SQLite's integrity check does not look into full-text tables; they have a check of their own.
    private func checkVirtualTables(of database: Database, _ faults: inout FaultList) throws(SnpackError) {
        let tables = try TextTable.all(in: database)
        guard !tables.isEmpty else { return }
        // FTS asks for its check by an INSERT, which a read-only connection refuses.
        let copy = try database.privateCopy(limits: Self.limits(for: file), cancel: context.cancel)
        for table in tables {
            do throws(SnpackError) {
                guard let statement = table.integrityCheck else {
                    throw SnpackError(
                        codes.textUnsupported,
                        "table \(quoted(table.name)) needs the module \(quoted(table.module)), which clients lack")
                }
                try copy.execute(statement)
            } catch  where error.code == .sqliteFailed {
                faults.add(
                    error.recoded(
                        codes.textUnsupported,
                        prefix: "the table \(quoted(table.name)) cannot be read by plain SQLite: "
                    ).at(path))
            } catch  where error.code == .sqliteMalformed {
                faults.add(
                    error.recoded(
                        codes.textIntegrity,
                        prefix: "the full-text table \(quoted(table.name)) is out of step with its content: "
                    ).at(path))
            } catch { try keep(error, as: codes.textIntegrity, &faults) }
        }
    }
}
