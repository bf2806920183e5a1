/// A straight piece of an area's outline or line, on the 1e-7 degree grid.
struct AreaEdge: Hashable, Sendable {
    let start: RegionArea.Point
    let end: RegionArea.Point

    init(_ start: RegionArea.Point, _ end: RegionArea.Point) { (self.start, self.end) = (start, end) }

    private var ax: Int64 { Int64(start.longitude) }
    private var ay: Int64 { Int64(start.latitude) }
    private var dx: Int64 { Int64(end.longitude) - ax }
    private var dy: Int64 { Int64(end.latitude) - ay }

    var extent: Extent {
        Extent(
            west: Int64(min(start.longitude, end.longitude)), south: Int64(min(start.latitude, end.latitude)),
            east: Int64(max(start.longitude, end.longitude)), north: Int64(max(start.latitude, end.latitude)))
    }

    /// Which side of the edge a point lies on, looking from start to end: 1 left, −1 right, 0 on its line.
    func side(longitude: Int64, latitude: Int64) -> Int {
        // Differences have 33 bits, so products need 128.
        let left = Int128(dx) * Int128(latitude - ay)
        let right = Int128(longitude - ax) * Int128(dy)
        return left > right ? 1 : left < right ? -1 : 0
    }

    func side(_ point: RegionArea.Point) -> Int {
        side(longitude: Int64(point.longitude), latitude: Int64(point.latitude))
    }

    func contains(longitude: Int64, latitude: Int64) -> Bool {
        extent.contains(longitude: longitude, latitude: latitude)
            && side(longitude: longitude, latitude: latitude) == 0
    }

    func contains(_ point: RegionArea.Point) -> Bool {
        contains(longitude: Int64(point.longitude), latitude: Int64(point.latitude))
    }

    /// Whether the edges have a point in common.
    func touches(_ other: AreaEdge) -> Bool {
        guard extent.meets(other.extent) else { return false }
        return side(other.start) * side(other.end) <= 0 && other.side(start) * other.side(end) <= 0
    }

    /// Whether the edges cross at a point within both.
    func crosses(_ other: AreaEdge) -> Bool {
        side(other.start) * side(other.end) < 0 && other.side(start) * other.side(end) < 0
    }

    /// Whether `next`, which starts where this edge ends, runs back along it.
    func isFoldedBack(by next: AreaEdge) -> Bool {
        side(next.end) == 0 && Int128(dx) * Int128(next.dx) + Int128(dy) * Int128(next.dy) < 0
    }

    // MARK: Boxes

    /// Whether a point of the edge lies in `box`, or, with `isOpen`, in the box without any of its four edges.
    func meets(_ box: HalfOpenBox, isOpen: Bool) -> Bool {
        var span = Span()
        return span.cut(from: ax, by: dx, above: box.west, below: box.east, isOpen)
            && span.cut(from: ay, by: dy, above: box.south, below: box.north, isOpen)
    }

    /// The part of an edge that is left, as fractions of its length, and whether the two ends belong to it.
    private struct Span {
        var low = (over: Int64(0), under: Int64(1), isIn: true)
        var high = (over: Int64(1), under: Int64(1), isIn: true)

        /// Keeps what lies from `above` up to but not including `below`; false when nothing is left.
        mutating func cut(from start: Int64, by step: Int64, above: Int64, below: Int64, _ isOpen: Bool) -> Bool {
            if step == 0 { return (isOpen ? above < start : above <= start) && start < below }
            if step > 0 {
                raiseLow((above - start, step, !isOpen))
                lowerHigh((below - start, step, false))
            } else {
                raiseLow((start - below, -step, false))
                lowerHigh((start - above, -step, !isOpen))
            }
            let order = Self.compare(low, high)
            return order < 0 || order == 0 && low.isIn && high.isIn
        }

        private mutating func raiseLow(_ bound: (over: Int64, under: Int64, isIn: Bool)) {
            let order = Self.compare(bound, low)
            if order > 0 || order == 0 && !bound.isIn { low = bound }
        }

        private mutating func lowerHigh(_ bound: (over: Int64, under: Int64, isIn: Bool)) {
            let order = Self.compare(bound, high)
            if order < 0 || order == 0 && !bound.isIn { high = bound }
        }

        private static func compare(
            _ left: (over: Int64, under: Int64, isIn: Bool), _ right: (over: Int64, under: Int64, isIn: Bool)
        ) -> Int {
            let (first, second) = (Int128(left.over) * Int128(right.under), Int128(right.over) * Int128(left.under))
            return first < second ? -1 : first > second ? 1 : 0
        }
    }
}

/// The box around edges, all of its edges included.
struct Extent: Hashable, Sendable {
    var west: Int64
    var south: Int64
    var east: Int64
    var north: Int64

    func contains(longitude: Int64, latitude: Int64) -> Bool {
        west <= longitude && longitude <= east && south <= latitude && latitude <= north
    }

    func meets(_ other: Extent) -> Bool {
        west <= other.east && other.west <= east && south <= other.north && other.south <= north
    }

    mutating func formUnion(_ other: Extent) {
        (west, south) = (min(west, other.west), min(south, other.south))
        (east, north) = (max(east, other.east), max(north, other.north))
    }
}
