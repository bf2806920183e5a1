import Diagnostics

/// Cuts outlines and lines that jump from one side of the antimeridian to the other, as `[179, 0], [-179, 1]`.
///
/// A step of more than 180 degrees of longitude is a jump, except one of exactly 360: that is the edge of the world.
enum AntimeridianCut {
    typealias Ring = [RegionArea.Point]

    private static let half: Int64 = 1_800_000_000
    private static let turn: Int64 = 3_600_000_000

    private static func isJump(_ from: RegionArea.Point, _ to: RegionArea.Point) -> Bool {
        let step = abs(Int64(to.longitude) - Int64(from.longitude))
        return step > half && step < turn
    }

    // MARK: Lines

    /// The pieces of a line; the line itself where it does not jump.
    static func lines(_ line: Ring) -> [Ring] {
        var pieces: [Ring] = []
        var piece: Ring = []
        for point in line {
            if let last = piece.last, isJump(last, point) {
                let isEastward = last.longitude > 0
                let edge = isEastward ? half : -half
                let far = Int64(point.longitude) + (isEastward ? turn : -turn)
                let latitude = crossing(
                    (Int64(last.longitude), Int64(last.latitude)), (far, Int64(point.latitude)), at: edge)
                pieces.append(piece + [.init(longitude: Int32(edge), latitude: Int32(latitude))])
                piece = [.init(longitude: Int32(-edge), latitude: Int32(latitude))]
            }
            piece.append(point)
        }
        pieces.append(piece)
        return pieces.map(RegionArea.withoutEqualNeighbours).filter { $0.count > 1 }
    }

    private static func crossing(
        _ from: (x: Int64, y: Int64), _ to: (x: Int64, y: Int64), at x: Int64
    ) -> Int64 {
        guard to.x != from.x else { return from.y }
        let fraction = Double(x - from.x) / Double(to.x - from.x)
        return Int64((Double(from.y) + fraction * Double(to.y - from.y)).rounded())
    }

    // MARK: Polygons

    /// The polygons, as their rings, that a polygon's rings make; the same rings where none jumps.
    static func polygons(_ rings: [Ring], at place: String) throws(SnpackError) -> [[Ring]] {
        let jumps = rings.contains { ring in
            zip(ring, ring.dropFirst() + ring.prefix(1)).contains { isJump($0, $1) }
        }
        guard jumps, !rings.isEmpty else { return [rings] }
        var unrolled = try rings.map { ring throws(SnpackError) in try unroll(ring, at: place) }
        // The outer ring begins in the world proper, holes lie where it is.
        for index in unrolled.indices {
            let west = unrolled[index].west
            let base = index == 0 ? -half : unrolled[0].west
            unrolled[index].shift(by: -floorDivided(west - base, turn) * turn)
            unrolled[index].orient(clockwise: index > 0)
        }
        var result: [[Ring]] = []
        for isEast in [false, true] {
            let parts = UnrolledRing.parts(of: unrolled, at: half, isEast: isEast, shift: isEast ? -turn : 0)
            result += assembled(parts)
        }
        return result
    }

    private static func floorDivided(_ value: Int64, _ by: Int64) -> Int64 {
        value >= 0 ? value / by : -((by - 1 - value) / by)
    }

    private static func unroll(_ ring: Ring, at place: String) throws(SnpackError) -> UnrolledRing {
        var points: [(x: Int64, y: Int64)] = []
        for point in ring {
            var x = Int64(point.longitude)
            if let last = points.last {
                while x - last.x > half { x -= turn }
                while last.x - x > half { x += turn }
            }
            points.append((x, Int64(point.latitude)))
        }
        while let first = points.first, let last = points.last, points.count > 1, first == last { points.removeLast() }
        let result = UnrolledRing(points)
        guard let first = points.first, let last = points.last, abs(first.x - last.x) <= half,
            result.east - result.west <= turn
        else {
            throw RegionArea.invalid(
                "\(place) has a ring that runs around a pole", hint: "cut it along the antimeridian, down to the pole")
        }
        return result
    }

    /// Outer rings with their holes.
    private static func assembled(_ rings: [Ring]) -> [[Ring]] {
        let outer = rings.filter { UnrolledRing($0).doubledArea > 0 }
        var polygons = outer.map { [$0] }
        for hole in rings where UnrolledRing(hole).doubledArea < 0 {
            let home = outer.firstIndex { ring in
                let tree = EdgeTree(rings: [ring])
                return hole.contains { point in
                    tree.windings(longitude: Int64(point.longitude), latitude: Int64(point.latitude)) > 0
                        && !tree.hasOnEdge(longitude: Int64(point.longitude), latitude: Int64(point.latitude))
                }
            }
            if let home { polygons[home].append(hole) }
        }
        return polygons
    }
}
