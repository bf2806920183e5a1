/// What kind of thing a place is.
public enum PlaceKind: String, Hashable, Sendable, CaseIterable {
    /// A town, village, suburb or hamlet.
    case locality
    /// A named road.
    case street
    /// A building or unit with a house number.
    case address
    /// A point of interest: a museum, a station, a peak.
    case poi
    /// The centre of a postcode.
    case postcode
}

/// One search result: what to show of a place, and where it is. Fields as in MapMapKit's `Place`.
public struct Place: Hashable, Sendable {
    /// Stable identifier, unique in its index.
    public let id: String
    /// What it is.
    public let kind: PlaceKind
    /// Display name.
    public let name: String
    /// As it is written at the door: `12a`, `3–5`.
    public let housenumber: String?
    /// Street of an address.
    public let street: String?
    /// Town or village that it lies in.
    public let locality: String?
    /// County, canton or state that it lies in.
    public let region: String?
    /// Postcode of an address, or of the place itself.
    public let postcode: String?
    /// ISO 3166-1 alpha-2, uppercase.
    public let countryCode: String
    /// Degrees, WGS 84, to 1e-7.
    public let lat: Double
    /// Degrees, WGS 84, to 1e-7.
    public let lon: Double
    /// What a point of interest is, as in `amenity:cafe`; empty for most other kinds.
    public let categories: [String]
    /// 0 to 1; larger is more prominent.
    public let importance: Float
    /// Metres on the sphere from the point of the search; nil when none was given.
    public let distanceM: Double?

    init(_ document: PlaceDocument, distanceM: Double?) {
        id = document.id
        kind = document.kind
        name = document.name
        housenumber = document.housenumber
        street = document.street
        locality = document.locality
        region = document.region
        postcode = document.postcode
        countryCode = document.countryCode
        lat = document.position.lat
        lon = document.position.lon
        categories = document.categories
        importance = Float(document.importance)
        self.distanceM = distanceM
    }
}
