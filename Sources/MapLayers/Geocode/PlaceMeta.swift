import Database
import Diagnostics

/// What an index says of itself in its table `meta`.
struct PlaceMeta {
    let documentCount: Int
    let south: Int
    let north: Int
    private let values: [String: String]

    /// True when the database says that it is an index of ours, whatever its version.
    static func isOurs(_ database: Database) throws(SnpackError) -> Bool {
        try database.value("PRAGMA application_id")?.integer == Int64(PlaceSchema.applicationID)
    }

    /// - Throws: `geocode.not-an-index`, `geocode.schema-unknown`, `geocode.schema-broken`.
    init(_ database: Database) throws(SnpackError) {
        guard try Self.isOurs(database) else {
            throw SnpackError(
                .geocodeNotAnIndex, "the database is no place index", hint: "make one with snpack geocode build",
                path: database.name)
        }
        guard let version = try database.value("PRAGMA user_version")?.integer, version == PlaceSchema.version else {
            throw SnpackError(
                .geocodeSchemaUnknown, "the place index has a schema that this version of snpack does not know",
                hint: "use a newer snpack, or build the index again", path: database.name)
        }
        var values: [String: String] = [:]
        try database.statement("SELECT key, value FROM meta LIMIT 100").forEach { row in
            values[row.text(at: 0)] = row.text(at: 1)
        }
        func number(_ key: String, _ range: ClosedRange<Int>) throws(SnpackError) -> Int {
            guard let number = values[key].flatMap({ Int($0) }), range.contains(number) else {
                throw SnpackError(
                    .geocodeSchemaBroken, "the index's meta has no sound \(quoted(key))", hint: "build it again",
                    path: database.name)
            }
            return number
        }
        _ = try number("schema_version", PlaceSchema.version...PlaceSchema.version)
        documentCount = try number("documents", 0...Int(Int32.max))
        south = try number("south_e7", -900_000_000...900_000_000)
        north = try number("north_e7", south...900_000_000)
        self.values = values
    }

    /// How many places of a kind there should be.
    func count(of kind: PlaceKind) -> Int? { values["documents_\(kind.rawValue)"].flatMap { Int($0) } }
}
