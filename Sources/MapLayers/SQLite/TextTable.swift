import Database
import Diagnostics

/// A virtual table of a database.
struct TextTable {
    let name: String
    /// `fts5`, `rtree`, …, lowercase.
    let module: String

    static func all(in database: Database) throws(SnpackError) -> [TextTable] {
        var tables: [TextTable] = []
        let rows = try database.statement(
            "SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND sql LIKE 'CREATE VIRTUAL TABLE%' LIMIT 1000")
        try rows.forEach { row in
            tables.append(TextTable(name: row.text(at: 0), module: module(in: row.text(at: 1))))
        }
        return tables
    }

    /// The word after the last USING before the arguments; empty when there is none.
    private static func module(in definition: String) -> String {
        let head = definition.prefix { $0 != "(" }.lowercased().split(whereSeparator: \.isWhitespace)
        guard let using = head.lastIndex(of: "using"), using + 1 < head.count else { return "" }
        return String(head[using + 1])
    }

    var isFullText: Bool { ["fts3", "fts4", "fts5"].contains(module) }

    var quotedName: String { name.asSQLName }

    /// The statement that has the table check itself against its content; nil for a module that SQLite does not have.
    var integrityCheck: String? {
        switch module {
        case "fts5": "INSERT INTO \(quotedName)(\(quotedName), rank) VALUES('integrity-check', 1)"
        case "fts3", "fts4": "INSERT INTO \(quotedName)(\(quotedName)) VALUES('integrity-check')"
        case "rtree", "rtree_i32", "geopoly": "SELECT count(*) FROM \(quotedName)"
        default: nil
        }
    }
}
