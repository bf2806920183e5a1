package import Diagnostics
import TerritoryModel

/// A place as an index is built from it: valid by construction.
package struct PlaceDocument: Hashable, Sendable {
    package let id: String
    package let kind: PlaceKind
    package let name: String
    package let housenumber: String?
    package let street: String?
    package let locality: String?
    package let region: String?
    package let postcode: String?
    package let countryCode: String
    package let position: PlacePosition
    package let categories: [String]
    /// 0 to 1
    package let importance: Double

    /// The keys of a line of `places.ndjson`.
    package static let keys = [
        "id", "kind", "name", "housenumber", "street", "locality", "region", "postcode", "country_code", "lat", "lon",
        "categories", "importance",
    ]

    /// The most bytes that each part may have.
    package enum Limits {
        package static let lineByteCount = 64 << 10
        static let id = 256
        static let name = 1_024
        static let text = 512
        static let category = 128
        static let categories = 32
    }

    /// Parses one line of `places.ndjson`: an object with ``keys``. `id`, `kind`, `name`, `country_code`, `lat` and
    /// `lon` must be there; of the others absent, null and "" are alike. Keys that are not listed are ignored.
    ///
    /// - Throws: `geocode.place-invalid` with the reason.
    package init(decoding line: [UInt8]) throws(SnpackError) {
        let parsed: JSONValue
        do { parsed = try StrictJSON.parse(line, depthLimit: 8) } catch { throw error.recoded(.geocodePlaceInvalid) }
        guard case .object(let object) = parsed else { throw Self.invalid("it is not an object") }
        let kind = try Self.text("kind", of: object) ?? ""
        guard let kind = PlaceKind(rawValue: kind) else {
            throw Self.invalid(
                "kind \(quoted(kind)) is none of \(PlaceKind.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        try self.init(
            id: Self.text("id", of: object) ?? "", kind: kind,
            name: Self.text("name", of: object) ?? "",
            housenumber: Self.text("housenumber", of: object), street: Self.text("street", of: object),
            locality: Self.text("locality", of: object), region: Self.text("region", of: object),
            postcode: Self.text("postcode", of: object),
            countryCode: Self.text("country_code", of: object) ?? "",
            position: Self.position(of: object), categories: Self.categories(of: object),
            importance: Self.number("importance", of: object) ?? 0)
    }

    /// A place with these fields; empty texts become nil.
    ///
    /// - Throws: `geocode.place-invalid` with the reason.
    package init(
        id: String, kind: PlaceKind, name: String, housenumber: String? = nil, street: String? = nil,
        locality: String? = nil, region: String? = nil, postcode: String? = nil, countryCode: String,
        position: PlacePosition, categories: [String] = [], importance: Double = 0
    ) throws(SnpackError) {
        guard !id.isEmpty else { throw Self.invalid("it has no id") }
        guard !name.isEmpty else { throw Self.invalid("it has no name") }
        guard countryCode.utf8.count == 2, countryCode.utf8.allSatisfy({ (0x41...0x5A).contains($0) }) else {
            throw Self.invalid("country_code \(quoted(countryCode)) is not two capital letters")
        }
        guard (0...1).contains(importance) else { throw Self.invalid("importance \(importance) is not from 0 to 1") }
        guard categories.count <= Limits.categories else {
            throw Self.invalid("it has more than \(Limits.categories) categories")
        }
        self.id = try Self.checked(id, "id", limit: Limits.id)
        self.kind = kind
        self.name = try Self.checked(name, "name", limit: Limits.name)
        self.housenumber = try Self.optional(housenumber, "housenumber")
        self.street = try Self.optional(street, "street")
        self.locality = try Self.optional(locality, "locality")
        self.region = try Self.optional(region, "region")
        self.postcode = try Self.optional(postcode, "postcode")
        self.countryCode = countryCode
        self.position = position
        for category in categories {
            guard !category.isEmpty else { throw Self.invalid("a category is empty") }
            _ = try Self.checked(category, "category", limit: Limits.category)
        }
        self.categories = categories
        // Adding zero turns −0 into 0.
        self.importance = importance + 0
    }

    // MARK: Fields of the JSON object

    private static func text(_ key: String, of object: JSONObject) throws(SnpackError) -> String? {
        switch object[key] {
        case nil, .null?: return nil
        case .string(let text)?: return text
        default: throw invalid("\(key) is not a text")
        }
    }

    private static func number(_ key: String, of object: JSONObject) throws(SnpackError) -> Double? {
        switch object[key] {
        case nil, .null?: return nil
        case .number(let number)?: return number.double
        default: throw invalid("\(key) is not a number")
        }
    }

    private static func position(of object: JSONObject) throws(SnpackError) -> PlacePosition {
        guard let lat = try number("lat", of: object), let lon = try number("lon", of: object) else {
            throw invalid("it has no lat and lon")
        }
        guard let position = PlacePosition(lat: lat, lon: lon) else {
            throw invalid("lat \(lat), lon \(lon) is not a place on Earth")
        }
        return position
    }

    private static func categories(of object: JSONObject) throws(SnpackError) -> [String] {
        switch object["categories"] {
        case nil, .null?: return []
        case .array(let values)?:
            return try values.map { value throws(SnpackError) in
                guard case .string(let text) = value else { throw invalid("a category is not a text") }
                return text
            }
        default: throw invalid("categories is not an array")
        }
    }

    // MARK: Texts

    private static func optional(_ text: String?, _ key: String) throws(SnpackError) -> String? {
        guard let text, !text.isEmpty else { return nil }
        return try checked(text, key, limit: Limits.text)
    }

    private static func checked(_ text: String, _ key: String, limit: Int) throws(SnpackError) -> String {
        guard text.utf8.count <= limit else { throw invalid("\(key) is longer than \(limit) bytes") }
        let hasControl = text.unicodeScalars.contains { scalar in
            switch scalar.value {
            case 0...0x1F, 0x7F...0x9F, 0x2028, 0x2029: true
            default: false
            }
        }
        guard !hasControl else { throw invalid("\(key) \(quoted(text)) has a control character") }
        return text
    }

    private static func invalid(_ reason: String) -> SnpackError {
        SnpackError(.geocodePlaceInvalid, reason)
    }
}
