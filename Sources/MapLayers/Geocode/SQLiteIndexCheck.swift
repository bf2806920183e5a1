import Database
import Diagnostics
import DurableFiles
import TerritoryModel

/// Checks an SQLite index: its pages, its full-text tables, and if it is one of ours every row.
struct SQLiteIndexCheck {
    /// What is not on disk is opened in memory.
    private static let memoryLimit = 1 << 30
    private let file: LayerSourceFile
    private let source: any LayerSource
    private let context: WorkContext
    private let path: String

    init(_ file: LayerSourceFile, in source: any LayerSource, _ context: WorkContext) {
        self.file = file
        self.source = source
        self.context = context
        path = source.shownPath(of: file)
    }

    func run(_ facts: inout LayerFacts) throws(SnpackError) {
        let head = try source.open(file).bytes(at: 0, count: DatabaseHeader.byteCount)
        guard let header = DatabaseHeader(head), !header.isWAL else {
            let isWAL = DatabaseHeader(head) != nil
            facts.faults.add(
                isWAL
                    ? SnpackError(
                        .geocodeWAL, "the database is in WAL mode: it cannot be read where nothing can be written",
                        hint: "run PRAGMA journal_mode=DELETE on it", path: path)
                    : SnpackError(.geocodeIntegrity, "the database's header is damaged", path: path))
            return
        }
        do {
            let database = try open()
            try checkPages(of: database, &facts.faults)
            guard facts.faults.isEmpty else { return }
            let tables = try TextTable.all(in: database)
            try check(tables, of: database, &facts.faults)
            guard facts.faults.isEmpty else { return }
            facts.meta["form"] = "sqlite"
            if try PlaceMeta.isOurs(database) {
                try checkPlaces(in: database, &facts)
            } else {
                try describe(tables, of: database, &facts)
            }
        } catch { try keep(error, as: .geocodeIntegrity, &facts.faults) }
    }

    /// A fault of the file is kept; what stopped the work is thrown on.
    private func keep(_ error: SnpackError, as code: ErrorCode, _ faults: inout FaultList) throws(SnpackError) {
        switch error.code.exitStatus {
        case .localIO, .interrupted, .conflict: throw error
        default: faults.add((error.code.name.hasPrefix("sqlite.") ? error.recoded(code) : error).at(path))
        }
    }

    private func open() throws(SnpackError) -> Database {
        if let path = source.diskPath(of: file) {
            return try Database.readingImmutable(path, limits: limits, cancel: context.cancel)
        }
        let bytes = try source.open(file).allBytes(limit: Self.memoryLimit)
        return try Database.reading(bytes, name: path, limits: limits, cancel: context.cancel)
    }

    /// A sound database takes a few operations per row; a damaged one may go round in circles.
    private var limits: DatabaseLimits {
        var limits = DatabaseLimits.foreign
        let (forItsSize, overflow) = Int(clamping: file.byteCount).multipliedReportingOverflow(by: 100)
        limits.operationBudget = overflow ? .max : max(100_000_000, forItsSize)
        return limits
    }

    private func checkPages(of database: Database, _ faults: inout FaultList) throws(SnpackError) {
        try database.statement("PRAGMA integrity_check(20)").forEach { row in
            let finding = row.text(at: 0)
            if finding != "ok" {
                faults.add(
                    SnpackError(
                        .geocodeIntegrity, "SQLite's integrity check says \(quoted(finding))",
                        hint: "the copy broke off or the disk is failing: build the index again", path: path))
            }
        }
    }

    // MARK: Full text

    private func check(
        _ tables: [TextTable], of database: Database, _ faults: inout FaultList
    ) throws(SnpackError) {
        guard tables.contains(where: \.isFullText) else {
            return faults.add(
                SnpackError(
                    .geocodeNoTextTable, "the database has no full-text table to search in",
                    hint: "build the index with snpack geocode build", path: path))
        }
        // FTS asks for its check by an INSERT, which a read-only connection refuses.
        let copy = try database.privateCopy(limits: limits, cancel: context.cancel)
        for table in tables {
            do throws(SnpackError) {
                guard let statement = table.integrityCheck else {
                    throw SnpackError(
                        .geocodeTextUnsupported,
                        "table \(quoted(table.name)) needs the module \(quoted(table.module)), which clients lack")
                }
                try copy.execute(statement)
            } catch  where error.code == .sqliteFailed {
                faults.add(
                    error.recoded(
                        .geocodeTextUnsupported,
                        prefix: "the full-text table \(quoted(table.name)) cannot be read by plain SQLite: "
                    ).at(path))
            } catch  where error.code == .sqliteMalformed {
                faults.add(
                    error.recoded(
                        .geocodeTextIntegrity,
                        prefix: "the full-text table \(quoted(table.name)) is out of step with its content: "
                    ).at(path))
            } catch { try keep(error, as: .geocodeTextIntegrity, &faults) }
        }
    }

    private func describe(
        _ tables: [TextTable], of database: Database, _ facts: inout LayerFacts
    ) throws(SnpackError) {
        let names = tables.filter(\.isFullText).map(\.name)
        facts.meta["full_text_tables"] = .array(names.prefix(20).map { .string($0) })
        let rows = try tables.filter(\.isFullText).map { table throws(SnpackError) in
            [
                table.name, table.module,
                try String(database.value("SELECT count(*) FROM \(table.quotedName)")?.integer ?? 0),
            ]
        }
        facts.tables.append(FactTable("Full-text tables", columns: ["table", "module", "rows"], rows: rows))
    }

    // MARK: Our own form

    private func checkPlaces(in database: Database, _ facts: inout LayerFacts) throws(SnpackError) {
        let meta = try PlaceMeta(database)
        // Preparing a search's statements finds every table and column that is not there.
        do { _ = try PlaceTables(database) } catch { throw error.recoded(.geocodeSchemaBroken) }
        var counts: [PlaceKind: Int] = [:]
        var coverage = PlaceCoverage()
        try PlaceRows.forEach(of: database) { document, _ in
            counts[document.kind, default: 0] += 1
            coverage.add(document.position)
        }
        let grid = PlaceGrid.position
        let strayed = try database.value(
            """
            SELECT count(*) FROM place WHERE cell != min(\(grid.rowCount - 1), (lat_e7 + 900000000) / \(grid.cell))
                * \(grid.columnCount) + min(\(grid.columnCount - 1), (lon_e7 + 1800000000) / \(grid.cell))
            """)?.integer
        let indexed = try database.value("SELECT count(*) FROM place_text_docsize")?.integer
        let documentCount = counts.values.reduce(0, +)
        let asTold = PlaceKind.allCases.allSatisfy { meta.count(of: $0) == counts[$0] ?? 0 }
        if strayed != 0 || meta.documentCount != documentCount || indexed != Int64(documentCount) || !asTold {
            facts.faults.add(
                SnpackError(
                    .geocodeSchemaBroken,
                    "its tables do not agree: \(documentCount) places, \(indexed ?? 0) of them in the"
                        + " text index, \(meta.documentCount) by its meta, \(strayed ?? 0) in the wrong cell",
                    hint: "build the index again", path: path))
        }
        facts.coverage = coverage.box
        facts.meta["schema_version"] = .number(JSONNumber(Int64(PlaceSchema.version)))
        facts.meta["documents"] = .number(JSONNumber(Int64(documentCount)))
        let names: [(PlaceKind, String)] = [
            (.address, "addresses"), (.locality, "localities"), (.poi, "pois"), (.postcode, "postcodes"),
            (.street, "streets"),
        ]
        for (kind, name) in names { facts.meta[name] = .number(JSONNumber(Int64(counts[kind] ?? 0))) }
        if let box = coverage.box { facts.meta["bbox"] = box.json }
        facts.tables.append(
            FactTable(
                "Places", columns: ["kind", "places"], rows: names.map { [$0.1, String(counts[$0.0] ?? 0)] }))
    }
}
