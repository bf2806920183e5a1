import Database
import Diagnostics
import DurableFiles

/// An MBTiles database (github.com/mapbox/mbtiles-spec, 1.3), open for reading: which tiles it has, and each of them.
struct MBTilesFile {
    /// A tile, and the row it lies in where the table has row ids.
    struct Key: Hashable, Sendable {
        let id: UInt64
        let row: Int64
    }

    let path: String
    private let database: Database
    private let hasRowIDs: Bool
    private let fetch: Statement
    /// Ascending by tile id.
    let keys: [Key]
    /// The rows of `metadata`, in no order.
    let metadata: [(name: String, value: String)]

    /// Opens the file and reads all keys. Every row is looked at, none of the tiles' bytes.
    init(_ path: String, context: WorkContext) throws(SnpackError) {
        self.path = path
        for suffix in ["-wal", "-journal"] where FileIdentity.at(path + suffix) != nil {
            throw SnpackError(
                .mbtilesInUse, "\(quoted(path + suffix)) lies beside the database: rows may be missing from it",
                hint: "close the program that writes it, then run `PRAGMA wal_checkpoint(TRUNCATE)`", path: path)
        }
        database = try Database.readingImmutable(path, cancel: context.cancel)
        try database.allowViews()
        do {
            // A view has no row ids, nor has a table WITHOUT ROWID: SQLite then refuses, or gives NULL.
            let kind = try database.value("SELECT type FROM sqlite_master WHERE lower(name) = 'tiles'")?.text
            hasRowIDs = kind == "table" && (try? database.value("SELECT rowid FROM tiles LIMIT 1")) != nil
            fetch = try database.statement(
                "SELECT tile_data FROM tiles WHERE "
                    + (hasRowIDs ? "rowid = ?" : "zoom_level = ? AND tile_column = ? AND tile_row = ?"))
            metadata = try Self.metadata(of: database)
        } catch  where error.code == .sqliteFailed {
            throw error.recoded(.mbtilesSchema, prefix: "this is no MBTiles database: ").at(path)
        }
        keys = try Self.keys(of: database, hasRowIDs: hasRowIDs, path)
    }

    private static func metadata(of database: Database) throws(SnpackError) -> [(name: String, value: String)] {
        var rows: [(name: String, value: String)] = []
        let statement = try database.statement("SELECT name, value FROM metadata")
        try statement.forEach { row throws(SnpackError) in
            guard row.type(at: 0) == .text, row.type(at: 1) != .null else { return }
            rows.append((row.text(at: 0), row.text(at: 1)))
        }
        return rows
    }

    private static func keys(
        of database: Database, hasRowIDs: Bool, _ path: String
    ) throws(SnpackError) -> [Key] {
        var keys: [Key] = []
        var faults = FaultList()
        let statement = try database.statement(
            "SELECT zoom_level, tile_column, tile_row, typeof(tile_data), length(tile_data), "
                + (hasRowIDs ? "rowid" : "0") + " FROM tiles")
        try statement.forEach { row throws(SnpackError) in
            func refuse(_ reason: String) {
                let address = (0..<3).map { "\(shown(row.value(at: $0)))" }.joined(separator: "/")
                faults.add(
                    SnpackError(.mbtilesRow, "the row of tile \(address) (zoom/column/row) \(reason)", path: path))
            }
            guard (0..<3).allSatisfy({ row.type(at: $0) == .integer }) else {
                return refuse("is not three whole numbers")
            }
            let zoom = row.integer(at: 0)
            guard (0...Int64(TileAddress.zoomLimit)).contains(zoom) else { return refuse("has no zoom that exists") }
            // Rows count from the south.
            let (flipped, overflow) = (Int64(1) << zoom - 1).subtractingReportingOverflow(row.integer(at: 2))
            guard !overflow, let address = TileAddress(zoom: Int(zoom), column: row.integer(at: 1), row: flipped) else {
                return refuse("lies outside of its zoom")
            }
            guard row.text(at: 3) == "blob" else { return refuse("has \(row.text(at: 3)) as data, not a blob") }
            guard row.integer(at: 4) > 0 else { return refuse("has no data") }
            keys.append(Key(id: address.id, row: row.integer(at: 5)))
        }
        keys.sort { ($0.id, $0.row) < ($1.id, $1.row) }
        for (first, second) in zip(keys, keys.dropFirst()) where first.id == second.id {
            faults.add(
                SnpackError(
                    .mbtilesDuplicate, "\(PMTilesArchive.name(first.id)) is there more than once", path: path))
        }
        try faults.throwIfAny("the MBTiles database has rows that are no tiles")
        return keys
    }

    private static func shown(_ value: DatabaseValue) -> String {
        switch value {
        case .null: "NULL"
        case .integer(let number): String(number)
        case .real(let number): String(number)
        case .text(let text): quoted(text)
        case .blob: "a blob"
        }
    }

    /// The bytes of a tile as they are stored.
    func tile(_ key: Key) throws(SnpackError) -> [UInt8] {
        defer { fetch.reset() }
        if hasRowIDs {
            try fetch.bind(key.row, at: 0)
        } else if let address = TileAddress(id: key.id) {
            try fetch.bind(Int64(address.zoom), at: 0)
            try fetch.bind(Int64(address.column), at: 1)
            try fetch.bind((Int64(1) << Int64(address.zoom)) - 1 - Int64(address.row), at: 2)
        }
        guard try fetch.step() else {
            throw SnpackError(.mbtilesRow, "\(PMTilesArchive.name(key.id)) is gone", path: path)
        }
        return fetch.bytes(at: 0)
    }
}
