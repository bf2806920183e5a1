public import Diagnostics

extension RegionArea {
    /// Reads a GeoJSON geometry: `Polygon` or `MultiPolygon`, or `LineString` or `MultiLineString` with a buffer.
    ///
    /// - Throws: `area.invalid` with the reason: another type, a third coordinate, a coordinate out of range, a ring of
    ///   under 3 points, with a point twice or without area, more than 100,000 points, a line without a buffer.
    public init(geoJSON value: JSONValue, bufferMeters: UInt64? = nil) throws(SnpackError) {
        guard let object = value.objectValue, let type = object["type"]?.stringValue else {
            throw Self.invalid("a GeoJSON geometry is an object with a type")
        }
        let coordinates = object["coordinates"] ?? .null
        switch type {
        case "Polygon":
            let rings = try GeoJSONPositions.rings(coordinates, at: "the polygon")
            try self.init(polygons: [Polygon(rings: rings, at: "the polygon")], bufferMeters: bufferMeters)
        case "MultiPolygon":
            let polygons = try GeoJSONPositions.parts(coordinates, of: "polygon") { value, place throws(SnpackError) in
                try Polygon(rings: GeoJSONPositions.rings(value, at: place), at: place)
            }
            try self.init(polygons: polygons, bufferMeters: bufferMeters)
        case "LineString":
            let line = try GeoJSONPositions.line(coordinates, at: "the line")
            try self.init(lines: [line], bufferMeters: bufferMeters)
        case "MultiLineString":
            let lines = try GeoJSONPositions.parts(coordinates, of: "line") { value, place throws(SnpackError) in
                try GeoJSONPositions.line(value, at: place)
            }
            try self.init(lines: lines, bufferMeters: bufferMeters)
        default:
            throw Self.invalid(
                "\(quoted(type)) is no kind of area",
                hint: "use a Polygon, a MultiPolygon, or a LineString or MultiLineString with a buffer")
        }
    }

    /// The area as a GeoJSON geometry in canonical order, with closed rings. The buffer is not part of it.
    public var geoJSON: JSONValue {
        func position(_ point: Point) -> JSONValue {
            [.number(E7(units: point.longitude).number), .number(E7(units: point.latitude).number)]
        }
        func geometry(_ type: String, _ parts: [JSONValue]) -> JSONValue {
            parts.count == 1
                ? ["type": .string(type), "coordinates": parts[0]]
                : ["type": .string("Multi" + type), "coordinates": .array(parts)]
        }
        switch shape {
        case .polygons(let polygons):
            return geometry(
                "Polygon",
                polygons.map { .array($0.rings.map { ring in .array((ring + ring.prefix(1)).map(position)) }) })
        case .lines(let lines):
            return geometry("LineString", lines.map { .array($0.map(position)) })
        }
    }
}
