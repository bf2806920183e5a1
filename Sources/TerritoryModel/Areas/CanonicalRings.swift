import Diagnostics

extension RegionArea.Polygon {
    /// A polygon of rings as they were given, closed or not, the outer one first.
    ///
    /// `place` names the polygon in errors.
    init(rings: [[RegionArea.Point]], at place: String) throws(SnpackError) {
        var canonical: [[RegionArea.Point]] = []
        for (index, ring) in rings.enumerated() {
            canonical.append(
                try Self.canonicalRing(
                    ring, clockwise: index > 0, at: index == 0 ? place : "\(place), hole \(index)"))
        }
        guard let outer = canonical.first else { throw RegionArea.invalid("\(place) has no ring") }
        self.outer = outer
        holes = canonical.dropFirst().sorted(byText: RegionArea.canonicalText)
    }

    private static func canonicalRing(
        _ points: [RegionArea.Point], clockwise: Bool, at place: String
    ) throws(SnpackError) -> [RegionArea.Point] {
        var ring = RegionArea.withoutEqualNeighbours(points)
        while ring.count > 1, ring.last == ring.first { ring.removeLast() }
        guard ring.count >= 3 else {
            throw RegionArea.invalid("\(place) has \(ring.count) different points, and a ring needs 3")
        }
        let sorted = ring.sorted()
        if let twice = zip(sorted, sorted.dropFirst()).first(where: { $0 == $1 }) {
            throw RegionArea.invalid("\(place) passes the point \(RegionArea.degrees(twice.0)) twice")
        }
        let area = doubledArea(ring)
        guard area != 0 else { throw RegionArea.invalid("\(place) has no area") }
        if (area < 0) != clockwise { ring.reverse() }
        let start = ring.firstIndex(of: sorted[0]) ?? 0
        return Array(ring[start...] + ring[..<start])
    }

    /// Twice the area in square units, positive if the ring runs counter-clockwise. 128 bits hold it for any ring that
    /// fits in memory; one product alone takes 62.
    private static func doubledArea(_ ring: [RegionArea.Point]) -> Int128 {
        var sum: Int128 = 0
        var previous = ring[ring.count - 1]
        for point in ring {
            sum += Int128(previous.longitude) * Int128(point.latitude)
            sum -= Int128(point.longitude) * Int128(previous.latitude)
            previous = point
        }
        return sum
    }
}

extension RegionArea {
    static func withoutEqualNeighbours(_ points: [Point]) -> [Point] {
        var result: [Point] = []
        result.reserveCapacity(points.count)
        for point in points where point != result.last { result.append(point) }
        return result
    }

    /// A point for messages.
    static func degrees(_ point: Point) -> String {
        "\(E7(units: point.longitude).number.literal),\(E7(units: point.latitude).number.literal)"
    }
}
