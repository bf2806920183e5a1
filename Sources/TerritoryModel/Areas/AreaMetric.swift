#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Metres between an edge and a box, on a plane that is scaled for the box's latitudes.
struct AreaMetric: Sendable {
    /// Metres of 1e-7 degrees on the sphere of the Earth's mean radius (IUGG R1).
    private static let metersPerUnit = 6_371_008.8 * .pi / 180 / 1e7
    /// Cosines shrink to nothing at the poles.
    private static let latitudeLimit = 89.0

    /// Metres per unit of longitude where it is shortest in the box, and where it is longest.
    private let shortest: Double
    private let longest: Double

    init(of box: HalfOpenBox) {
        func scale(_ latitude: Double) -> Double {
            Self.metersPerUnit * cos(min(latitude / 1e7, Self.latitudeLimit) * .pi / 180)
        }
        let (south, north) = (Double(box.south), Double(box.north))
        shortest = scale(max(abs(south), abs(north)))
        longest = scale(south <= 0 && north >= 0 ? 0 : min(abs(south), abs(north)))
    }

    /// How many units further than the box edges can lie that are within `meters` of it.
    func reach(of meters: Double) -> (longitude: Int64, latitude: Int64) {
        (Int64((meters / shortest).rounded(.up)), Int64((meters / Self.metersPerUnit).rounded(.up)))
    }

    /// The least distance between a point of the edge and one of the box, never more than it is.
    func distance(_ edge: AreaEdge, _ box: HalfOpenBox) -> Double {
        let closed = HalfOpenBox(west: box.west, south: box.south, east: box.east + 1, north: box.north + 1)
        if edge.meets(closed, isOpen: false) { return 0 }
        let (start, end) = (point(edge.start, shortest), point(edge.end, shortest))
        var least = Double.infinity
        for corner in corners(box, shortest) { least = min(least, Self.distance(corner, start, end)) }
        let (low, high) = (plane(box.west, box.south, shortest), plane(box.east, box.north, shortest))
        for (x, y) in [start, end] {
            let (dx, dy) = (max(low.x - x, 0, x - high.x), max(low.y - y, 0, y - high.y))
            least = min(least, (dx * dx + dy * dy).squareRoot())
        }
        return least
    }

    /// The greatest distance of a point of the box from the edge, never less than it is.
    func greatestDistance(_ edge: AreaEdge, _ box: HalfOpenBox) -> Double {
        let (start, end) = (point(edge.start, longest), point(edge.end, longest))
        // It grows outward in every direction, so it is greatest in a corner.
        return corners(box, longest).map { Self.distance($0, start, end) }.max() ?? .infinity
    }

    private func corners(_ box: HalfOpenBox, _ scale: Double) -> [(x: Double, y: Double)] {
        [
            plane(box.west, box.south, scale), plane(box.east, box.south, scale), plane(box.east, box.north, scale),
            plane(box.west, box.north, scale),
        ]
    }

    private func point(_ point: RegionArea.Point, _ scale: Double) -> (x: Double, y: Double) {
        plane(Int64(point.longitude), Int64(point.latitude), scale)
    }

    private func plane(_ longitude: Int64, _ latitude: Int64, _ scale: Double) -> (x: Double, y: Double) {
        (Double(longitude) * scale, Double(latitude) * Self.metersPerUnit)
    }

    private static func distance(
        _ point: (x: Double, y: Double), _ start: (x: Double, y: Double), _ end: (x: Double, y: Double)
    ) -> Double {
        let (dx, dy) = (end.x - start.x, end.y - start.y)
        let length = dx * dx + dy * dy
        let along = length > 0 ? ((point.x - start.x) * dx + (point.y - start.y) * dy) / length : 0
        let fraction = min(max(along, 0), 1)
        let (restX, restY) = (point.x - start.x - fraction * dx, point.y - start.y - fraction * dy)
        return (restX * restX + restY * restY).squareRoot()
    }
}
