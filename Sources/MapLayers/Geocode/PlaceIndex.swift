package import Database
public import Diagnostics
import Synchronization
public import TerritoryModel

/// Search over a `places.sqlite`: free text, search-as-you-type, and what is near a point.
///
/// Any thread may ask; questions wait for each other. Nothing is written, and nothing is made beside the file.
public final class PlaceIndex: Sendable {
    private let tables: Mutex<PlaceTables>
    /// The number of places in the index.
    public let placeCount: Int

    /// Opens the index at `path`, which must not change while it is open.
    ///
    /// - Throws: `geocode.not-an-index`, `geocode.schema-unknown`, `geocode.schema-broken`, or an `sqlite.…` code.
    public convenience init(opening path: String) throws(SnpackError) {
        var limits = DatabaseLimits.foreign
        limits.valueByteCount = 8 << 20
        // Per question: thousands of times what one takes on a sound index of a large country.
        limits.operationBudget = 1_000_000_000
        try self.init(Database.readingImmutable(path, limits: limits))
    }

    package init(_ database: sending Database) throws(SnpackError) {
        let tables = try PlaceTables(database)
        placeCount = tables.placeCount
        self.tables = Mutex(tables)
    }

    /// How a search takes an area into account.
    public enum Area: Hashable, Sendable {
        /// Places in the box come first.
        case preferred(BoundingBox)
        /// Only places in the box are found.
        case bounds(BoundingBox)
    }

    /// The places that `text` means, best first. Any text is a query; one without a letter or digit finds nothing.
    ///
    /// Words are compared without case and diacritics, in any order; the last one may be unfinished.
    ///
    /// - Parameters:
    ///   - text: the query, as it was typed.
    ///   - near: degrees; ranks nearer places higher and fills ``Place/distanceM``.
    ///   - area: a box that is preferred, or that bounds the search.
    ///   - limit: the most places to return, up to 1,000.
    /// - Throws: `geocode.query-invalid` for a limit or a point that cannot be; an `sqlite.…` code for a damaged file.
    public func search(
        _ text: String, near: (lat: Double, lon: Double)? = nil, area: Area? = nil, limit: Int = 10
    ) throws(SnpackError) -> [Place] {
        let limit = try Self.checked(limit)
        let near = try near.map { point throws(SnpackError) in try Self.checked(point) }
        let search = PlaceSearch(query: PlaceQuery(text), near: near, area: area, limit: limit)
        return try tables.withLock { tables throws(SnpackError) in
            tables.beginQuestion()
            return try search.run(on: tables)
        }
    }

    /// The places nearest to a point in degrees, nearest first, with their distances in metres.
    ///
    /// - Throws: as ``search(_:near:area:limit:)``.
    public func reverse(lat: Double, lon: Double, limit: Int = 10) throws(SnpackError) -> [Place] {
        let limit = try Self.checked(limit)
        let point = try Self.checked((lat, lon))
        return try tables.withLock { tables throws(SnpackError) in
            tables.beginQuestion()
            return try tables.nearest(to: point, limit: limit).map { found throws(SnpackError) in
                Place(try tables.document(found.number), distanceM: found.distance)
            }
        }
    }

    private static func checked(_ limit: Int) throws(SnpackError) -> Int {
        guard (0...1_000).contains(limit) else {
            throw SnpackError(.geocodeQueryInvalid, "a limit of \(limit) is not from 0 to 1000")
        }
        return limit
    }

    private static func checked(_ point: (lat: Double, lon: Double)) throws(SnpackError) -> PlacePosition {
        guard let position = PlacePosition(lat: point.lat, lon: point.lon) else {
            throw SnpackError(
                .geocodeQueryInvalid, "\(point.lat),\(point.lon) is not a place on Earth",
                hint: "give degrees, latitude first")
        }
        return position
    }
}
