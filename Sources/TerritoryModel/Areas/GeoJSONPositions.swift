import Diagnostics

/// Reads the nested arrays of a GeoJSON geometry's `coordinates` onto the 1e-7 degree grid.
enum GeoJSONPositions {
    /// The parts of a Multi… geometry, each with what to call it in errors.
    static func parts<Part>(
        _ value: JSONValue, of what: String, _ read: (JSONValue, String) throws(SnpackError) -> Part
    ) throws(SnpackError) -> [Part] {
        guard let elements = value.arrayValue, !elements.isEmpty else {
            throw RegionArea.invalid("its coordinates are no list of \(what)s")
        }
        var parts: [Part] = []
        for (index, element) in elements.enumerated() { parts.append(try read(element, "\(what) \(index + 1)")) }
        return parts
    }

    static func rings(_ value: JSONValue, at place: String) throws(SnpackError) -> [[RegionArea.Point]] {
        guard let rings = value.arrayValue else { throw RegionArea.invalid("\(place) is no list of rings") }
        return try rings.map { ring throws(SnpackError) in try points(ring, at: place) }
    }

    static func line(_ value: JSONValue, at place: String) throws(SnpackError) -> [RegionArea.Point] {
        let line = RegionArea.withoutEqualNeighbours(try points(value, at: place))
        guard line.count >= 2 else { throw RegionArea.invalid("\(place) has under 2 different points") }
        return line
    }

    private static func points(_ value: JSONValue, at place: String) throws(SnpackError) -> [RegionArea.Point] {
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
