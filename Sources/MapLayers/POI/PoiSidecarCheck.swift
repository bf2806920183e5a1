import Database
package import Diagnostics
import TerritoryModel

/// Checks a sidecar: SQLite databases that are whole, and readable where nothing can be written.
package enum PoiSidecarCheck {
    private static let codes = DatabaseCheck.Codes(
        notADatabase: .poiNotADatabase, wal: .poiWAL, sidecar: .poiSidecar, integrity: .poiIntegrity,
        textIntegrity: .poiTextIntegrity, textUnsupported: .poiTextUnsupported)
    /// More tables than this are not told of.
    private static let tableLimit = 100

    package static func facts(
        of source: any LayerSource, context: WorkContext = WorkContext()
    ) throws(SnpackError) -> LayerFacts {
        var facts = LayerFacts()
        let databases = source.isTree ? try DatabaseCheck.databases(in: source) : source.files
        guard !databases.isEmpty else {
            facts.faults.add(
                SnpackError(
                    .poiNotADatabase, "there is no SQLite database in it",
                    hint: "name the database as the layer's source",
                    path: source.files.first.map(source.shownPath)))
            return facts
        }
        var tables: [(name: String, rowCount: Int64)] = []
        var positions = PoiPositions()
        for file in databases {
            let check = DatabaseCheck(file, in: source, codes, context)
            var faults = FaultList()
            check.checkSidecars(&faults)
            try check.run(&faults) { (database, _) throws(SnpackError) in
                for table in try names(of: database).prefix(tableLimit - tables.count) {
                    let rowCount = try database.value("SELECT count(*) FROM \(table.asSQLName)")?.integer ?? 0
                    tables.append((databases.count == 1 ? table : "\(file.path):\(table)", rowCount))
                    try positions.add(table, of: database)
                }
            }
            facts.faults.add(contentsOf: faults)
        }
        describe(tables, &facts)
        facts.coverage = positions.box
        return facts
    }

    /// The tables that someone made, in the order of their names; not those that SQLite keeps for itself.
    private static func names(of database: Database) throws(SnpackError) -> [String] {
        var names: [String] = []
        let rows = try database.statement(
            """
            SELECT name FROM pragma_table_list WHERE schema = 'main' AND type IN ('table', 'virtual')
                AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND length(name) <= 200 ORDER BY name LIMIT \(tableLimit)
            """)
        try rows.forEach { row in names.append(row.text(at: 0)) }
        return names
    }

    private static func describe(_ tables: [(name: String, rowCount: Int64)], _ facts: inout LayerFacts) {
        facts.meta["tables"] = .array(tables.map { .string($0.name) })
        facts.meta["rows"] = .array(tables.map { .number(JSONNumber($0.rowCount)) })
        facts.tables.append(
            FactTable("Tables", columns: ["table", "rows"], rows: tables.map { [$0.name, String($0.rowCount)] }))
    }
}
