/// A ring on a globe that does not end at the antimeridian: its longitudes go on beyond ±180 degrees.
struct UnrolledRing {
    private(set) var points: [(x: Int64, y: Int64)]

    init(_ points: [(x: Int64, y: Int64)]) { self.points = points }

    init(_ ring: [RegionArea.Point]) {
        points = ring.map { (Int64($0.longitude), Int64($0.latitude)) }
    }

    var west: Int64 { points.lazy.map(\.x).min() ?? 0 }
    var east: Int64 { points.lazy.map(\.x).max() ?? 0 }

    mutating func shift(by units: Int64) {
        for index in points.indices { points[index].x += units }
    }

    mutating func orient(clockwise: Bool) {
        if (doubledArea < 0) != clockwise { points.reverse() }
    }

    var doubledArea: Int128 {
        guard var previous = points.last else { return 0 }
        var sum: Int128 = 0
        for point in points {
            sum += Int128(previous.x) * Int128(point.y) - Int128(point.x) * Int128(previous.y)
            previous = point
        }
        return sum
    }

    // MARK: Cutting along a meridian

    /// A stretch of a ring on one side of the meridian; both of its ends lie on it.
    private struct Chain {
        var points: [(x: Int64, y: Int64)]
        var isUsed = false
    }

    /// The rings that are left of `rings`, the outer one counter-clockwise, holes clockwise, on one side of a meridian.
    static func parts(
        of rings: [UnrolledRing], at meridian: Int64, isEast: Bool, shift: Int64
    ) -> [[RegionArea.Point]] {
        var whole: [[(x: Int64, y: Int64)]] = []
        var chains: [Chain] = []
        for ring in rings {
            let points = ring.points
            let sides = points.map { ($0.x >= meridian) == isEast }
            guard
                let start = points.indices.first(where: { sides[$0] && !sides[($0 + points.count - 1) % points.count] })
            else {
                if sides.first == true { whole.append(points) }
                continue
            }
            for offset in points.indices {
                let index = (start + offset) % points.count
                guard sides[index] else { continue }
                let previous = (index + points.count - 1) % points.count
                let next = (index + 1) % points.count
                if !sides[previous] {
                    chains.append(Chain(points: [crossing(points[previous], points[index], meridian)]))
                }
                chains[chains.count - 1].points.append(points[index])
                if !sides[next] {
                    chains[chains.count - 1].points.append(crossing(points[index], points[next], meridian))
                }
            }
        }
        return (whole + joined(&chains)).map { ring in
            RegionArea.withoutEqualNeighbours(
                ring.map { RegionArea.Point(longitude: Int32(clamping: $0.x + shift), latitude: Int32(clamping: $0.y)) }
            )
        }.filter { $0.count >= 3 }
    }

    private static func crossing(
        _ from: (x: Int64, y: Int64), _ to: (x: Int64, y: Int64), _ meridian: Int64
    ) -> (x: Int64, y: Int64) {
        // From the western end always, so that both sides round alike.
        let (west, east) = from.x <= to.x ? (from, to) : (to, from)
        let fraction = Double(meridian - west.x) / Double(east.x - west.x)
        return (meridian, Int64((Double(west.y) + fraction * Double(east.y - west.y)).rounded()))
    }

    /// Along the meridian the inside lies between its first and second crossing, its third and fourth, and so on: there
    /// each chain goes on with another.
    private static func joined(_ chains: inout [Chain]) -> [[(x: Int64, y: Int64)]] {
        struct End {
            let y: Int64
            let chain: Int
            let isStart: Bool
        }
        var ends: [End] = []
        for (index, chain) in chains.enumerated() {
            ends.append(End(y: chain.points[0].y, chain: index, isStart: true))
            ends.append(End(y: chain.points[chain.points.count - 1].y, chain: index, isStart: false))
        }
        ends.sort { ($0.y, $0.chain) < ($1.y, $1.chain) }
        var following: [Int: Int] = [:]
        for pair in stride(from: 0, to: ends.count - 1, by: 2) {
            let (first, second) = (ends[pair], ends[pair + 1])
            if first.isStart != second.isStart {
                following[first.isStart ? second.chain : first.chain] = first.isStart ? first.chain : second.chain
            }
        }
        var rings: [[(x: Int64, y: Int64)]] = []
        for start in chains.indices where !chains[start].isUsed {
            var ring: [(x: Int64, y: Int64)] = []
            var next: Int? = start
            while let index = next, !chains[index].isUsed {
                chains[index].isUsed = true
                ring += chains[index].points
                next = following[index]
            }
            rings.append(ring)
        }
        return rings
    }
}
