package import Diagnostics

/// Areas as people have them: GeoJSON geometries, features and collections, before they are in canonical order.
///
/// Stricter than ``RegionArea``'s own reading, which has to take every area that was ever signed: rings must not cross
/// themselves. And more helpful: outlines that jump over the antimeridian are cut there.
package struct AreaDocument: Sendable {
    /// What an area may be made of.
    package enum Form: Hashable, Sendable {
        case polygons
        case corridor
        /// Whichever it is.
        case either
    }

    private var polygons: [(rings: [[RegionArea.Point]], place: String)] = []
    private var lines: [[RegionArea.Point]] = []
    private var pointCount = 0

    private init() {}

    /// The area of all polygons, or all lines, in a document.
    ///
    /// - Throws: `area.invalid` with the reason.
    package static func area(
        _ document: JSONValue, form: Form, bufferMeters: UInt64?
    ) throws(SnpackError) -> RegionArea {
        var contents = AreaDocument()
        try contents.add(document, depth: 0)
        return try contents.area(form, bufferMeters)
    }

    /// The areas of a FeatureCollection, each with its `properties.name`.
    ///
    /// - Throws: `area.invalid`, naming the feature.
    package static func namedAreas(
        _ document: JSONValue, bufferMeters: UInt64?
    ) throws(SnpackError) -> [(name: String, area: RegionArea)] {
        guard document.objectValue?["type"]?.stringValue == "FeatureCollection",
            let features = document.objectValue?["features"]?.arrayValue, !features.isEmpty
        else { throw RegionArea.invalid("a list of areas is a FeatureCollection with features") }
        var areas: [(name: String, area: RegionArea)] = []
        for (index, feature) in features.enumerated() {
            let place = "feature \(index + 1)"
            guard let name = feature.objectValue?["properties"]?.objectValue?["name"]?.stringValue, !name.isEmpty else {
                throw RegionArea.invalid("\(place) has no name", hint: "give it \"properties\": {\"name\": …}")
            }
            do throws(SnpackError) {
                areas.append((name, try area(feature, form: .either, bufferMeters: bufferMeters)))
            } catch {
                throw error.recoded(.areaInvalid, prefix: "\(place), \(quoted(name)): ")
            }
        }
        return areas
    }

    private func area(_ form: Form, _ bufferMeters: UInt64?) throws(SnpackError) -> RegionArea {
        guard polygons.isEmpty || lines.isEmpty else {
            throw RegionArea.invalid("it has polygons and lines", hint: "cut the lines' corridor by itself")
        }
        if form == .polygons, !lines.isEmpty {
            throw RegionArea.invalid(
                "a line is open, and an area needs a polygon",
                hint: "close the line to a Polygon, or give --corridor and --buffer")
        }
        if form == .corridor, !polygons.isEmpty {
            throw RegionArea.invalid("a corridor runs along lines, and this is a polygon", hint: "give it as --area")
        }
        guard lines.isEmpty else {
            return try RegionArea(lines: lines.flatMap(AntimeridianCut.lines), bufferMeters: bufferMeters)
        }
        guard !polygons.isEmpty else {
            throw RegionArea.invalid("there is no \(form == .corridor ? "line" : "polygon") in it")
        }
        var cut: [RegionArea.Polygon] = []
        for (rings, place) in polygons {
            for rings in try AntimeridianCut.polygons(rings, at: place) {
                let polygon = try RegionArea.Polygon(rings: rings, at: place)
                try polygon.checkRings(at: place)
                cut.append(polygon)
            }
        }
        return try RegionArea(polygons: cut, bufferMeters: bufferMeters)
    }

    // MARK: Reading

    private mutating func add(_ value: JSONValue, depth: Int) throws(SnpackError) {
        guard let object = value.objectValue, let type = object["type"]?.stringValue else {
            throw RegionArea.invalid("GeoJSON is an object with a type")
        }
        let coordinates = object["coordinates"] ?? .null
        switch type {
        case "FeatureCollection", "GeometryCollection":
            let key = type == "FeatureCollection" ? "features" : "geometries"
            guard let members = object[key]?.arrayValue else { throw RegionArea.invalid("a \(type) has \(key)") }
            guard depth < 8 else { throw RegionArea.invalid("collections are nested more than 8 deep") }
            for (index, member) in members.enumerated() {
                if key == "features", member.objectValue?["geometry"] == .null {
                    throw RegionArea.invalid("feature \(index + 1) has no geometry", hint: "leave it out, or draw it")
                }
                try add(member, depth: depth + 1)
            }
        case "Feature":
            guard let geometry = object["geometry"], geometry != .null else {
                throw RegionArea.invalid("a feature has no geometry")
            }
            try add(geometry, depth: depth + 1)
        case "Polygon":
            try add(rings: coordinates, place("polygon"))
        case "MultiPolygon":
            _ = try GeoJSONPositions.parts(coordinates, of: "polygon") { part, _ throws(SnpackError) in
                try add(rings: part, place("polygon"))
            }
        case "LineString":
            try add(line: coordinates)
        case "MultiLineString":
            _ = try GeoJSONPositions.parts(coordinates, of: "line") { part, _ throws(SnpackError) in
                try add(line: part)
            }
        default:
            throw RegionArea.invalid(
                "\(quoted(type)) is no kind of area",
                hint: "use a Polygon, a MultiPolygon, or a LineString or MultiLineString with a buffer")
        }
    }

    private func place(_ what: String) -> String { "\(what) \(polygons.count + lines.count + 1)" }

    private mutating func add(rings value: JSONValue, _ place: String) throws(SnpackError) {
        let rings = try GeoJSONPositions.rings(value, at: place)
        polygons.append((rings, place))
        // Closing points do not count; neither do points that stand twice, so that this only bounds the work.
        try count(rings.reduce(0) { $0 + max(0, $1.count - 1) })
    }

    private mutating func add(line value: JSONValue) throws(SnpackError) {
        let line = try GeoJSONPositions.line(value, at: place("line"))
        lines.append(line)
        try count(line.count)
    }

    private mutating func count(_ points: Int) throws(SnpackError) {
        pointCount += points
        guard pointCount <= 4 * Limits.areaPoints else {
            throw RegionArea.invalid("more than \(Limits.areaPoints) points", hint: "simplify the outline")
        }
    }
}
