package import Database
package import Diagnostics
package import TerritoryModel

/// The documents of an index, to build another one from.
package enum PlaceRows {
    /// Hands every document in `box` (edges included; nil: all) to `body` with its number, in the order of the file.
    ///
    /// - Throws: what ``PlaceIndex`` throws when it opens the database, `geocode.schema-broken` for a damaged row.
    package static func forEach(
        of database: Database, in box: BoundingBox? = nil,
        do body: (PlaceDocument, Int) throws(SnpackError) -> Void
    ) throws(SnpackError) {
        _ = try PlaceMeta(database)
        let box = box.map { PlaceBox($0) }
        let rows = try database.statement("SELECT number, \(PlaceSchema.columns) FROM place ORDER BY number")
        try rows.forEach { row throws(SnpackError) in
            let document = try PlaceSchema.document(in: row, from: 1)
            if box?.contains(document.position) ?? true { try body(document, Int(row.integer(at: 0))) }
        }
    }
}
