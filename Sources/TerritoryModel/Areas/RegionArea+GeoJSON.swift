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
        var reader = CoordinateReader()
        switch type {
        case "Polygon":
            let polygon = try reader.polygon(coordinates, at: "the polygon")
            try self.init(polygons: [polygon], bufferMeters: bufferMeters)
        case "MultiPolygon":
            let polygons = try reader.list(coordinates, of: "polygon") { reader, value, place throws(SnpackError) in
                try reader.polygon(value, at: place)
            }
            try self.init(polygons: polygons, bufferMeters: bufferMeters)
        case "LineString":
            try self.init(shape: .lines([reader.line(coordinates, at: "the line")]), bufferMeters: bufferMeters)
        case "MultiLineString":
            let lines = try reader.list(coordinates, of: "line") { reader, value, place throws(SnpackError) in
                try reader.line(value, at: place)
            }
            try self.init(shape: .lines(lines.sorted(byText: Self.canonicalText)), bufferMeters: bufferMeters)
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

/// Reads nested arrays of positions and counts the points that stay.
private struct CoordinateReader {
    private var pointCount = 0

    mutating func list<Part>(
        _ value: JSONValue, of what: String,
        _ read: (inout CoordinateReader, JSONValue, String) throws(SnpackError) -> Part
    ) throws(SnpackError) -> [Part] {
        guard let elements = value.arrayValue, !elements.isEmpty else {
            throw RegionArea.invalid("its coordinates are no list of \(what)s")
        }
        var parts: [Part] = []
        for (index, element) in elements.enumerated() { parts.append(try read(&self, element, "\(what) \(index + 1)")) }
        return parts
    }

    mutating func polygon(_ value: JSONValue, at place: String) throws(SnpackError) -> RegionArea.Polygon {
        guard let rings = value.arrayValue else { throw RegionArea.invalid("\(place) is no list of rings") }
        var points: [[RegionArea.Point]] = []
        for ring in rings { points.append(try self.points(ring, at: place)) }
        let polygon = try RegionArea.Polygon(rings: points, at: place)
        try count(polygon.rings.reduce(0) { $0 + $1.count })
        return polygon
    }

    mutating func line(_ value: JSONValue, at place: String) throws(SnpackError) -> [RegionArea.Point] {
        let line = RegionArea.withoutEqualNeighbours(try points(value, at: place))
        guard line.count >= 2 else { throw RegionArea.invalid("\(place) has under 2 different points") }
        try count(line.count)
        return line
    }

    private mutating func count(_ points: Int) throws(SnpackError) {
        pointCount += points
        guard pointCount <= Limits.areaPoints else {
            throw RegionArea.invalid("more than \(Limits.areaPoints) points", hint: "simplify the outline")
        }
    }

    private func points(_ value: JSONValue, at place: String) throws(SnpackError) -> [RegionArea.Point] {
        guard let positions = value.arrayValue else { throw RegionArea.invalid("\(place) is no list of positions") }
        var points: [RegionArea.Point] = []
        points.reserveCapacity(positions.count)
        for (index, position) in positions.enumerated() {
            guard let coordinates = position.arrayValue, coordinates.count >= 2,
                let longitude = coordinates[0].numberValue, let latitude = coordinates[1].numberValue
            else { throw RegionArea.invalid("\(place), position \(index + 1) is no longitude and latitude") }
            guard coordinates.count == 2 else {
                throw RegionArea.invalid(
                    "\(place), position \(index + 1) has \(coordinates.count) coordinates",
                    hint: "leave out heights; an area is flat")
            }
            let point = RegionArea.Point(
                longitude: E7(longitude.double).units, latitude: E7(latitude.double).units)
            guard (-1_800_000_000...1_800_000_000).contains(point.longitude),
                (-900_000_000...900_000_000).contains(point.latitude)
            else {
                throw RegionArea.invalid(
                    "\(place), position \(index + 1) is out of range",
                    hint: "longitude comes first, from -180 to 180, then latitude, from -90 to 90")
            }
            points.append(point)
        }
        return points
    }
}
