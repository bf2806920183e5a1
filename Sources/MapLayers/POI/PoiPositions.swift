import Database
import Diagnostics
import TerritoryModel

/// The box around the positions in a sidecar's tables, found by the names of their columns.
struct PoiPositions {
    private static let latitudes = ["lat", "latitude"]
    private static let longitudes = ["lon", "lng", "longitude"]

    private var latitude: ClosedRange<Double>?
    /// Longitudes west and east of Greenwich: apart, so that a box over the antimeridian can be told.
    private var west: ClosedRange<Double>?
    private var east: ClosedRange<Double>?

    /// Adds the positions of a table that has a column for each degree; others have none to add.
    mutating func add(_ table: String, of database: Database) throws(SnpackError) {
        var columns: [String] = []
        let rows = try database.statement("SELECT name FROM pragma_table_info(?) LIMIT 2000")
        try rows.forEach(.text(table)) { row in columns.append(row.text(at: 0)) }
        guard let lat = Self.column(Self.latitudes, of: columns), let lon = Self.column(Self.longitudes, of: columns)
        else { return }
        let ranges = try database.statement(
            """
            SELECT min(\(lat)), max(\(lat)), min(\(lon)), max(\(lon)), \(lon) >= 0 FROM \(table.asSQLName)
                WHERE typeof(\(lat)) IN ('real', 'integer') AND typeof(\(lon)) IN ('real', 'integer')
                AND \(lat) BETWEEN -90 AND 90 AND \(lon) BETWEEN -180 AND 180 GROUP BY 5
            """)
        try ranges.forEach { row in
            latitude = Self.union(latitude, row.real(at: 0), row.real(at: 1))
            if row.integer(at: 4) == 0 {
                west = Self.union(west, row.real(at: 2), row.real(at: 3))
            } else {
                east = Self.union(east, row.real(at: 2), row.real(at: 3))
            }
        }
    }

    private static func column(_ names: [String], of columns: [String]) -> String? {
        columns.first { names.contains($0.lowercased()) }.map(\.asSQLName)
    }

    private static func union(_ range: ClosedRange<Double>?, _ low: Double, _ high: Double) -> ClosedRange<Double> {
        let low = min(low, range?.lowerBound ?? low)
        return low...max(low, high, range?.upperBound ?? high)
    }

    /// Nil without two positions that differ in both directions.
    var box: BoundingBox? {
        guard let latitude, let low = west ?? east, let high = east ?? west else { return nil }
        let crosses =
            west != nil && east != nil && low.upperBound + 360 - high.lowerBound < high.upperBound - low.lowerBound
        let (first, last) = crosses ? (high.lowerBound, low.upperBound) : (low.lowerBound, high.upperBound)
        return try? BoundingBox(
            west: first, south: latitude.lowerBound, east: last, north: latitude.upperBound)
    }
}
