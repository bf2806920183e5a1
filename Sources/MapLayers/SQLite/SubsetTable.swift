import Database
import Diagnostics

/// A table of a database that is to be cut, and what its rows can be told apart by.
struct SubsetTable {
    let name: String
    /// The columns of degrees, both or neither.
    let position: (latitude: String, longitude: String)?
    /// What names a row: the rowid under a name that no column has, or the primary key of a table without.
    let key: [String]
    let hasRowID: Bool

    private static let latitudes = ["lat", "latitude"]
    private static let longitudes = ["lon", "lng", "longitude"]

    /// - Parameter hasRowID: false for a table that is `WITHOUT ROWID`.
    init(_ name: String, hasRowID: Bool, in database: Database) throws(SnpackError) {
        var columns: [String] = []
        var primary: [(order: Int64, name: String)] = []
        let rows = try database.statement("SELECT name, pk FROM pragma_table_info(?) LIMIT 2000")
        try rows.forEach(.text(name)) { row in
            columns.append(row.text(at: 0))
            if row.integer(at: 1) > 0 { primary.append((row.integer(at: 1), row.text(at: 0))) }
        }
        self.name = name
        let (latitude, longitude) = (Self.column(Self.latitudes, columns), Self.column(Self.longitudes, columns))
        if let latitude, let longitude { position = (latitude, longitude) } else { position = nil }
        let taken = columns.map { $0.lowercased() }
        let rowID = ["rowid", "_rowid_", "oid"].first { !taken.contains($0) }
        self.hasRowID = hasRowID && rowID != nil
        if hasRowID, let rowID {
            key = [rowID]
        } else {
            key = primary.sorted { $0.order < $1.order }.map(\.name.asSQLName)
        }
    }

    private static func column(_ names: [String], _ columns: [String]) -> String? {
        columns.first { names.contains($0.lowercased()) }
    }

    var quotedName: String { name.asSQLName }

    /// Ordinary tables, without those that SQLite and its virtual tables keep for themselves.
    static func all(in database: Database) throws(SnpackError) -> [SubsetTable] {
        var found: [(name: String, hasRowID: Bool)] = []
        let rows = try database.statement(
            """
            SELECT name, wr FROM pragma_table_list WHERE schema = 'main' AND type = 'table'
                AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name LIMIT 2000
            """)
        try rows.forEach { row in found.append((row.text(at: 0), row.integer(at: 1) == 0)) }
        return try found.map { table throws(SnpackError) in
            try SubsetTable(table.name, hasRowID: table.hasRowID, in: database)
        }
    }

    /// Removes the rows for which `belongs` is false of their position; rows without one do not belong.
    func cut(
        in database: Database, _ belongs: (_ latitude: Double, _ longitude: Double) -> Bool
    ) throws(SnpackError) {
        guard let position, !key.isEmpty else { return }
        let columns = key.indices.map { "k\($0)" }
        // Collected first: a table is not changed while it is read.
        try database.execute(
            "DROP TABLE IF EXISTS temp.gone; CREATE TEMP TABLE gone(\(columns.joined(separator: ", ")))")
        let marks = key.map { _ in "?" }.joined(separator: ", ")
        let note = try database.statement("INSERT INTO temp.gone VALUES(\(marks))")
        let (latitude, longitude) = (position.latitude.asSQLName, position.longitude.asSQLName)
        let rows = try database.statement(
            "SELECT \(latitude), \(longitude), \(key.joined(separator: ", ")) FROM main.\(quotedName)")
        try rows.forEach { row throws(SnpackError) in
            func degrees(_ index: Int) -> Double? {
                [.integer, .real].contains(row.type(at: index)) ? row.real(at: index) : nil
            }
            if let latitude = degrees(0), let longitude = degrees(1), belongs(latitude, longitude) { return }
            note.reset()
            try note.bind(key.indices.map { row.value(at: $0 + 2) })
            _ = try note.step()
        }
        note.reset()
        let match = zip(key, columns).map { "main.\(quotedName).\($0) IS gone.\($1)" }.joined(separator: " AND ")
        if hasRowID {
            try database.execute(
                "DELETE FROM main.\(quotedName) WHERE \(key[0]) IN (SELECT k0 FROM temp.gone)")
        } else {
            try database.execute(
                """
                CREATE INDEX temp.gone_key ON gone(\(columns.joined(separator: ", ")));
                DELETE FROM main.\(quotedName) WHERE EXISTS (SELECT 1 FROM temp.gone WHERE \(match))
                """)
        }
        try database.execute("DROP TABLE temp.gone")
    }
}
