import Database
import Diagnostics
import DurableFiles
import TerritoryModel

/// Checks an SQLite index: as a database, for a full-text table, and if it is one of ours every row.
struct SQLiteIndexCheck {
    private static let codes = DatabaseCheck.Codes(
        notADatabase: .geocodeIntegrity, wal: .geocodeWAL, sidecar: .geocodeSidecar, integrity: .geocodeIntegrity,
        textIntegrity: .geocodeTextIntegrity, textUnsupported: .geocodeTextUnsupported)

    private let check: DatabaseCheck
    private var path: String { check.path }

    init(_ file: LayerSourceFile, in source: any LayerSource, _ context: WorkContext) {
        check = DatabaseCheck(file, in: source, Self.codes, context)
    }

    func run(_ facts: inout LayerFacts) throws(SnpackError) {
        var described = LayerFacts()
        var faults = FaultList()
        check.checkSidecars(&faults)
        try check.run(&faults) { (database, faults) throws(SnpackError) in
            let tables = try TextTable.all(in: database)
            guard tables.contains(where: \.isFullText) else {
                return faults.add(
                    SnpackError(
                        .geocodeNoTextTable, "the database has no full-text table to search in",
                        hint: "build the index with snpack geocode build", path: path))
            }
            described.meta["form"] = "sqlite"
            if try PlaceMeta.isOurs(database) {
                try checkPlaces(in: database, &described)
            } else {
                try describe(tables, of: database, &described)
            }
        }
        described.faults.add(contentsOf: faults)
        facts = described
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
