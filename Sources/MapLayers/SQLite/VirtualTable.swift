import Database
import Diagnostics

/// A virtual table, and where the rows are that it is an index of.
struct VirtualTable {
    enum Content: Hashable {
        case own
        /// In another table or view.
        case elsewhere
        /// Nowhere: `content=''`.
        case none
    }

    let name: String
    /// `fts5`, `rtree`, …, lowercase.
    let module: String
    let content: Content

    var isFullText: Bool { ["fts3", "fts4", "fts5"].contains(module) }
    var isBoxTree: Bool { ["rtree", "rtree_i32"].contains(module) }

    static func all(in database: Database) throws(SnpackError) -> [VirtualTable] {
        let modules = try TextTable.all(in: database)
        var definitions: [[UInt8]: String] = [:]
        let rows = try database.statement("SELECT name, sql FROM sqlite_schema WHERE type = 'table' LIMIT 4000")
        try rows.forEach { row in definitions[Array(row.text(at: 0).utf8)] = row.text(at: 1) }
        return modules.map { table in
            VirtualTable(
                name: table.name, module: table.module,
                content: content(in: definitions[Array(table.name.utf8)] ?? ""))
        }
    }

    /// What the argument `content=` says.
    private static func content(in definition: String) -> Content {
        guard let open = definition.firstIndex(of: "("), let close = definition.lastIndex(of: ")"), open < close else {
            return .own
        }
        for argument in definition[definition.index(after: open)..<close].split(separator: ",") {
            let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, parts[0].filter({ !$0.isWhitespace }).lowercased() == "content" else { continue }
            let value = parts[1].filter { !$0.isWhitespace && !"'\"`[]".contains($0) }
            return value.isEmpty ? .none : .elsewhere
        }
        return .own
    }

    func columns(in database: Database) throws(SnpackError) -> [String] {
        var columns: [String] = []
        let rows = try database.statement("SELECT name FROM pragma_table_info(?) ORDER BY cid LIMIT 100")
        try rows.forEach(.text(name)) { row in columns.append(row.text(at: 0)) }
        guard !columns.isEmpty else {
            throw SnpackError(.cutUnsupported, "the table \(quoted(name)) has no columns", path: database.name)
        }
        return columns
    }
}

/// Which ordinary table a virtual one is about: the one whose rows it numbers.
struct TableLinks {
    private var links: [[UInt8]: SubsetTable] = [:]
    /// Tables that get their positions from an R*Tree alone.
    private(set) var tablesOfTrees: [String] = []

    init(of virtual: [VirtualTable], to tables: [SubsetTable], in database: Database) throws(SnpackError) {
        // Tables with positions first: they know best.
        let candidates =
            tables.filter { $0.hasRowID && $0.position != nil } + tables.filter { $0.hasRowID && $0.position == nil }
        for table in virtual where table.isBoxTree || table.isFullText && table.content == .own {
            let id = table.isBoxTree ? try table.columns(in: database)[0].asSQLName : "rowid"
            for candidate in candidates {
                let (name, other) = (table.name.asSQLName, candidate.quotedName)
                let isSame =
                    try database.value(
                        """
                        SELECT NOT EXISTS (SELECT 1 FROM main.\(name) WHERE \(id) NOT IN (SELECT \(candidate.key[0]) FROM main.\(other)))
                            AND NOT EXISTS (SELECT 1 FROM main.\(other) WHERE \(candidate.key[0]) NOT IN (SELECT \(id) FROM main.\(name)))
                            AND EXISTS (SELECT 1 FROM main.\(other))
                        """)?.integer == 1
                guard isSame else { continue }
                links[Array(table.name.utf8)] = candidate
                if table.isBoxTree, candidate.position == nil { tablesOfTrees.append(candidate.name) }
                break
            }
        }
    }

    func table(of virtual: VirtualTable) -> SubsetTable? { links[Array(virtual.name.utf8)] }
}
