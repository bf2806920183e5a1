import Diagnostics
import TerritoryModel

/// The `metadata` rows of an MBTiles database, split into what a PMTiles header holds and what its metadata holds.
struct MBTilesMetadata {
    /// As the row `bounds` gives them; nil when there is none that makes a box.
    private(set) var bounds: E7Box?
    private(set) var center: (longitude: Int32, latitude: Int32, zoom: UInt8)?
    /// Nil when the row `format` is missing.
    private(set) var tileType: PMTilesTileType?
    /// All other rows, and the members of the row `json`.
    private(set) var document: JSONObject = [:]

    init(_ rows: [(name: String, value: String)]) throws(SnpackError) {
        var fields: JSONObject = [:]
        for row in rows {
            if let other = fields[row.name]?.stringValue, !other.utf8.elementsEqual(row.value.utf8) {
                throw SnpackError(.mbtilesMetadata, "metadata has two different rows named \(quoted(row.name))")
            }
            fields[row.name] = .string(row.value)
        }
        if let json = fields["json"]?.stringValue {
            do {
                document = try StrictJSON.parse(Array(json.utf8)).objectValue ?? [:]
            } catch { throw error.recoded(.mbtilesMetadata, prefix: "metadata row \"json\": ") }
        }
        // The header tells these, and a later cut changes them there.
        let inHeader = ["bounds", "center", "minzoom", "maxzoom", "json"]
        for member in fields.members where !inHeader.contains(where: { $0.utf8.elementsEqual(member.key.utf8) }) {
            document[member.key] = member.value
        }
        bounds = fields["bounds"]?.stringValue.flatMap(Self.box)
        center = fields["center"]?.stringValue.flatMap(Self.center)
        tileType = try fields["format"]?.stringValue.map(Self.tileType)
    }

    private static func numbers(_ text: String) -> [Double] {
        text.split(separator: ",").compactMap { part in Double(part.filter { $0 != " " }) }
    }

    private static func box(_ text: String) -> E7Box? {
        let edges = numbers(text)
        guard edges.count == 4, let box = E7Box(enclosing: (edges[0], edges[1], edges[2], edges[3])) else { return nil }
        var header = PMTilesHeader()
        header.bounds = box
        return header.boundsFault() == nil ? box : nil
    }

    private static func center(_ text: String) -> (longitude: Int32, latitude: Int32, zoom: UInt8)? {
        let values = numbers(text)
        guard values.count == 3, let longitude = Int32(exactly: (values[0] * 1e7).rounded()),
            let latitude = Int32(exactly: (values[1] * 1e7).rounded()), let zoom = UInt8(exactly: values[2].rounded())
        else { return nil }
        return (longitude, latitude, zoom)
    }

    private static func tileType(_ format: String) throws(SnpackError) -> PMTilesTileType {
        switch format.lowercased() {
        case "pbf", "mvt", "application/x-protobuf": .mvt
        case "png", "image/png": .png
        case "jpg", "jpeg", "image/jpeg": .jpeg
        case "webp", "image/webp": .webp
        case "avif", "image/avif": .avif
        default: throw SnpackError(.mbtilesFormat, "the tiles' format is \(quoted(format)), which snpack does not know")
        }
    }
}
