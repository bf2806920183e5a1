import Database
package import Diagnostics
package import DurableFiles
package import TerritoryModel

/// Cuts somebody's SQLite database to an area.
///
/// Tables with a latitude and a longitude, or with an R*Tree over their rows, lose the rows outside; tables that refer to
/// such rows by a foreign key lose what referred to them; full-text tables are made to fit. All others stay whole. The
/// file is written packed and with fixed counters: the same rows give the same bytes (with one version of SQLite).
package struct DatabaseSubset {
    private let database: Database
    private let footprint: AreaFootprint
    private let layer: LayerKind
    private let tables: [SubsetTable]
    private let virtualTables: [VirtualTable]

    /// - Parameter path: a copy of one's own, which is changed.
    private init(_ path: String, _ footprint: AreaFootprint, _ layer: LayerKind, cancel: CancelToken)
        throws(SnpackError)
    {
        self.footprint = footprint
        self.layer = layer
        database = try Database.editing(path, cancel: cancel)
        tables = try SubsetTable.all(in: database)
        virtualTables = try VirtualTable.all(in: database)
    }

    /// Cuts the database at `path`, a copy of one's own, and writes it to `name` in `directory`, where that must not be yet.
    ///
    /// - Returns: the rows that were left in tables with positions.
    /// - Throws: `cut.unsupported`, naming the table, when it cannot be told what belongs.
    package static func cut(
        _ path: String, in footprint: AreaFootprint, of layer: LayerKind, to name: String, in directory: Directory,
        context: WorkContext
    ) throws(SnpackError) -> Int64 {
        let work = try directory.makeStagingDirectory()
        let packed = work.contents.path(of: "packed.sqlite")
        let subset = try DatabaseSubset(path, footprint, layer, cancel: context.cancel)
        let rowCount = try subset.run()
        try subset.database.vacuum(into: packed)
        let file = try work.contents.file("packed.sqlite")
        // Its layer is packed from it: nothing is flushed.
        let written = try NewFile(name, in: directory, mode: 0o644)
        try file.readPieces(cancel: context.cancel) { piece, offset throws(SnpackError) in
            if offset == 0 { DatabaseHeader.setCounters(piece) }
            try written.write(UnsafeRawBufferPointer(piece))
        }
        try written.close(flushing: false)
        return rowCount
    }

    private func unsupported(_ reason: String) -> SnpackError {
        SnpackError(
            .cutUnsupported, "layer \(layer) cannot be cut: \(reason)",
            hint: "give --keep-whole \(layer) to take all of it, or --omit \(layer)")
    }

    private func belongs(_ latitude: Double, _ longitude: Double) -> Bool {
        guard abs(latitude) <= 90, abs(longitude) <= 180 else { return false }
        return footprint.contains(
            longitude: Int64((longitude * 1e7).rounded(.toNearestOrAwayFromZero)),
            latitude: Int64((latitude * 1e7).rounded(.toNearestOrAwayFromZero)))
    }

    private func run() throws(SnpackError) -> Int64 {
        let trees = virtualTables.filter(\.isBoxTree)
        for table in virtualTables where !table.isBoxTree && !table.isFullText {
            throw unsupported("the table \(quoted(table.name)) is of the module \(quoted(table.module))")
        }
        let positioned = tables.filter { $0.position != nil }
        guard !positioned.isEmpty || !trees.isEmpty else {
            throw unsupported("no table has columns lat and lon, latitude and longitude, or an R*Tree")
        }
        if let keyless = positioned.first(where: \.key.isEmpty) {
            throw unsupported("the rows of the table \(quoted(keyless.name)) have no key")
        }
        // What belongs together is seen before anything is gone.
        let links = try TableLinks(of: virtualTables, to: tables, in: database)
        try database.execute("PRAGMA foreign_keys=OFF; PRAGMA journal_mode=MEMORY; PRAGMA synchronous=OFF")
        try database.execute("BEGIN IMMEDIATE")
        for table in positioned { try table.cut(in: database, belongs) }
        for tree in trees { try cut(tree, links) }
        var cutNames = Set(positioned.map { Array($0.name.utf8) })
        for table in links.tablesOfTrees { cutNames.insert(Array(table.utf8)) }
        try removeOrphans(of: &cutNames)
        for table in virtualTables where table.isFullText { try fit(table, links, cutNames) }
        try database.execute("COMMIT")
        var rowCount: Int64 = 0
        for table in positioned {
            rowCount += try database.value("SELECT count(*) FROM main.\(table.quotedName)")?.integer ?? 0
        }
        for tree in trees where links.table(of: tree)?.position == nil {
            rowCount += try database.value("SELECT count(*) FROM main.\(tree.name.asSQLName)")?.integer ?? 0
        }
        return rowCount
    }

    // MARK: R*Trees

    private func cut(_ tree: VirtualTable, _ links: TableLinks) throws(SnpackError) {
        let name = tree.name.asSQLName
        if let table = links.table(of: tree), table.position != nil {
            let id = try tree.columns(in: database)[0].asSQLName
            try database.execute(
                "DELETE FROM main.\(name) WHERE \(id) NOT IN (SELECT \(table.key[0]) FROM main.\(table.quotedName))")
            return
        }
        let columns = try tree.columns(in: database)
        guard columns.count == 5 else {
            throw unsupported("the R*Tree \(quoted(tree.name)) is not one of two dimensions")
        }
        // The first dimension is the longitude, as x is, unless its name says that it is the latitude.
        let isLatitudeFirst = columns[1].lowercased().contains("lat") || columns[1].lowercased().hasSuffix("y")
        let (x, y) = isLatitudeFirst ? (3, 1) : (1, 3)
        var outside: [Int64] = []
        let rows = try database.statement("SELECT * FROM main.\(name)")
        try rows.forEach { row in
            let edges = [row.real(at: x), row.real(at: y), row.real(at: x + 1), row.real(at: y + 1)]
            let isOnGlobe = edges.enumerated().allSatisfy { abs($0.element) <= ($0.offset % 2 == 0 ? 180.001 : 90.001) }
            guard isOnGlobe else { return outside.append(row.integer(at: 0)) }
            // Its edges are rounded outward; all four belong to it.
            let grid = edges.map { Int64(($0 * 1e7).rounded(.toNearestOrAwayFromZero)) }
            let box = HalfOpenBox(west: grid[0], south: grid[1], east: grid[2] + 1, north: grid[3] + 1)
            if !footprint.meets(box) { outside.append(row.integer(at: 0)) }
        }
        let id = columns[0].asSQLName
        let remove = try database.statement("DELETE FROM main.\(name) WHERE \(id) = ?")
        for number in outside { try remove.run(.integer(number)) }
        if let table = links.table(of: tree) {
            try database.execute(
                "DELETE FROM main.\(table.quotedName) WHERE \(table.key[0]) NOT IN (SELECT \(id) FROM main.\(name))")
        }
    }

    // MARK: Rows that refer to others

    /// Removes rows whose foreign key led to a row that is gone, and what referred to those.
    private func removeOrphans(of cutNames: inout Set<[UInt8]>) throws(SnpackError) {
        var isChanged = true
        var rounds = 0
        while isChanged, rounds < 32 {
            isChanged = false
            rounds += 1
            for table in tables {
                var links: [(parent: String, from: String, to: String?)] = []
                var columnsPerLink: [Int64: Int] = [:]
                let rows = try database.statement(
                    "SELECT id, \"table\", \"from\", \"to\" FROM pragma_foreign_key_list(?) LIMIT 200")
                try rows.forEach(.text(table.name)) { row in
                    columnsPerLink[row.integer(at: 0), default: 0] += 1
                    if columnsPerLink[row.integer(at: 0)] == 1 {
                        links.append(
                            (row.text(at: 1), row.text(at: 2), row.type(at: 3) == .null ? nil : row.text(at: 3)))
                    }
                }
                for link in links {
                    guard cutNames.contains(Array(link.parent.utf8)), columnsPerLink.values.allSatisfy({ $0 == 1 }),
                        let parent = tables.first(where: { $0.name == link.parent }),
                        let key = link.to.map(\.asSQLName) ?? (parent.key.count == 1 ? parent.key[0] : nil)
                    else { continue }
                    let from = link.from.asSQLName
                    try database.execute(
                        """
                        DELETE FROM main.\(table.quotedName) WHERE \(from) IS NOT NULL
                            AND \(from) NOT IN (SELECT \(key) FROM main.\(parent.quotedName) WHERE \(key) IS NOT NULL)
                        """)
                    if database.changedRowCount > 0 {
                        cutNames.insert(Array(table.name.utf8))
                        isChanged = true
                    }
                }
            }
        }
    }

    // MARK: Full text

    private func fit(_ table: VirtualTable, _ links: TableLinks, _ cutNames: Set<[UInt8]>) throws(SnpackError) {
        let name = table.name.asSQLName
        switch table.content {
        case .none:
            throw unsupported(
                "the full-text table \(quoted(table.name)) keeps no content, so its rows cannot be taken out")
        case .elsewhere:
            // Also views: a full-text table may draw on one.
            try database.allowViews()
            try database.execute("INSERT INTO main.\(name)(\(name)) VALUES('rebuild')")
        case .own:
            guard let linked = links.table(of: table) else {
                throw unsupported(
                    "it cannot be told which rows of the full-text table \(quoted(table.name)) lie in the area")
            }
            guard cutNames.contains(Array(linked.name.utf8)) else { return }
            try database.execute(
                "DELETE FROM main.\(name) WHERE rowid NOT IN (SELECT \(linked.key[0]) FROM main.\(linked.quotedName))")
        }
        try database.execute("INSERT INTO main.\(name)(\(name)) VALUES('optimize')")
    }
}
