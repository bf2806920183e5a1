import TerritoryModel

/// The rule of what belongs to an area once more, in degrees and the plainest way there is: to judge the real one by.
struct PlainArea {
    typealias Point = (x: Double, y: Double)

    /// Outer rings with their holes.
    var polygons: [[[Point]]] = []
    var lines: [[Point]] = []
    var meters = 0.0

    private static let metersPerDegree = 6_371_008.8 * Double.pi / 180

    static func edges(_ ring: [Point]) -> [(Point, Point)] {
        zip(ring, ring.dropFirst() + ring.prefix(1)).map { ($0, $1) }
    }

    func contains(_ point: Point, cosine: (Double) -> Double) -> Bool {
        for rings in polygons {
            if rings.contains(where: { Self.edges($0).contains { Self.isOn(point, $0) } }) { return true }
            if Self.isIn(point, rings[0]), !rings.dropFirst().contains(where: { Self.isIn(point, $0) }) { return true }
        }
        return meters > 0 && distance((point.x, point.y, point.x, point.y), cosine) <= meters
    }

    /// Whether a box, its east and north edges left out, has a point of the area.
    func meets(_ box: (west: Double, south: Double, east: Double, north: Double), cosine: (Double) -> Double) -> Bool {
        for rings in polygons {
            if contains((box.west, box.south), cosine: cosine) { return true }
            // A hair less than the whole: edges along the box's east or north do not count.
            let inner = (box.west, box.south, box.east - 1e-9, box.north - 1e-9)
            if rings.contains(where: { Self.edges($0).contains { Self.crosses($0, inner) } }) { return true }
        }
        return meters > 0 && distance(box, cosine) <= meters
    }

    /// How far a box is from being on the other side of the buffer's edge, in metres.
    func margin(_ box: (west: Double, south: Double, east: Double, north: Double), _ cosine: (Double) -> Double)
        -> Double
    {
        meters > 0 ? abs(distance(box, cosine) - meters) : .infinity
    }

    private func distance(
        _ box: (west: Double, south: Double, east: Double, north: Double), _ cosine: (Double) -> Double
    ) -> Double {
        let scale = cosine(max(abs(box.south), abs(box.north)))
        func plane(_ point: Point) -> Point { (point.x * scale * Self.metersPerDegree, point.y * Self.metersPerDegree) }
        let segments = polygons.flatMap { $0.flatMap(Self.edges) } + lines.flatMap { Array(zip($0, $0.dropFirst())) }
        let corners = [
            (box.west, box.south), (box.east, box.south), (box.east, box.north), (box.west, box.north),
        ].map(plane)
        var least = Double.infinity
        for segment in segments {
            if Self.crosses(segment, box) { return 0 }
            let (a, b) = (plane(segment.0), plane(segment.1))
            for corner in corners { least = min(least, Self.distance(corner, a, b)) }
            for index in 0..<4 {
                for end in [a, b] { least = min(least, Self.distance(end, corners[index], corners[(index + 1) % 4])) }
            }
        }
        return least
    }

    private static func distance(_ point: Point, _ a: Point, _ b: Point) -> Double {
        let (dx, dy) = (b.x - a.x, b.y - a.y)
        let length = dx * dx + dy * dy
        let t = length == 0 ? 0 : max(0, min(1, ((point.x - a.x) * dx + (point.y - a.y) * dy) / length))
        let (x, y) = (point.x - a.x - t * dx, point.y - a.y - t * dy)
        return (x * x + y * y).squareRoot()
    }

    private static func isOn(_ p: Point, _ edge: (Point, Point)) -> Bool {
        let (a, b) = edge
        return (b.x - a.x) * (p.y - a.y) == (p.x - a.x) * (b.y - a.y) && min(a.x, b.x) <= p.x && p.x <= max(a.x, b.x)
            && min(a.y, b.y) <= p.y && p.y <= max(a.y, b.y)
    }

    private static func isIn(_ p: Point, _ ring: [Point]) -> Bool {
        var isIn = false
        for (a, b) in edges(ring) where (a.y > p.y) != (b.y > p.y) {
            if p.x < (b.x - a.x) * (p.y - a.y) / (b.y - a.y) + a.x { isIn.toggle() }
        }
        return isIn
    }

    /// Whether an edge has a point in a closed box (Liang and Barsky).
    private static func crosses(
        _ edge: (Point, Point), _ box: (west: Double, south: Double, east: Double, north: Double)
    ) -> Bool {
        let (a, b) = edge
        var (low, high) = (0.0, 1.0)
        for (p, q) in [
            (a.x - b.x, a.x - box.west), (b.x - a.x, box.east - a.x), (a.y - b.y, a.y - box.south),
            (b.y - a.y, box.north - a.y),
        ] {
            if p == 0 {
                if q < 0 { return false }
            } else if p < 0 {
                low = max(low, q / p)
            } else {
                high = min(high, q / p)
            }
        }
        return low <= high
    }
}

/// Random areas around a place, each in both forms.
struct RandomAreas {
    var random: SeededGenerator
    let west: Double
    let south: Double
    let east: Double
    let north: Double

    /// A ring whose corners go once around their middle, and another inside it.
    private mutating func star(holes: Bool) -> [[PlainArea.Point]] {
        let middle = (Double.random(in: west...east, using: &random), Double.random(in: south...north, using: &random))
        let size = Double.random(in: 0.05...0.6, using: &random)
        let count = Int.random(in: 3...10, using: &random)
        var outer: [PlainArea.Point] = []
        var inner: [PlainArea.Point] = []
        for index in 0..<count {
            let turn = (Double(index) + .random(in: 0..<0.8, using: &random)) / Double(count)
            let (x, y) = Self.onSquare(turn)
            let radius = Double.random(in: 0.3...1, using: &random) * size
            outer.append(grid(middle.0 + x * radius * (east - west), middle.1 + y * radius * (north - south)))
            // Nearer to the middle than any edge of the outer ring may come.
            inner.append(
                grid(middle.0 + x * 0.02 * size * (east - west), middle.1 + y * 0.02 * size * (north - south)))
        }
        return holes ? [outer, inner] : [outer]
    }

    /// Once around the edge of a square, counter-clockwise.
    private static func onSquare(_ turn: Double) -> (Double, Double) {
        let side = turn * 4
        return switch Int(side) {
        case 0: (1, 2 * side - 1)
        case 1: (1 - 2 * (side - 1), 1)
        case 2: (-1, 1 - 2 * (side - 2))
        default: (2 * (side - 3) - 1, -1)
        }
    }

    private func grid(_ x: Double, _ y: Double) -> PlainArea.Point {
        ((x * 1e7).rounded() / 1e7, (y * 1e7).rounded() / 1e7)
    }

    mutating func next(_ kind: Int) -> (plain: PlainArea, area: RegionArea)? {
        var plain = PlainArea()
        switch kind % 5 {
        case 0:
            let (a, b) = (star(holes: false)[0][0], star(holes: false)[0][1])
            let (w, s, e, n) = (min(a.x, b.x), min(a.y, b.y), max(a.x, b.x), max(a.y, b.y))
            guard w < e, s < n else { return nil }
            plain.polygons = [[[(w, s), (e, s), (e, n), (w, n)]]]
        case 1: plain.polygons = [star(holes: true)]
        case 2: plain.polygons = [star(holes: false), star(holes: true)]
        case 3:
            plain.lines = [star(holes: false)[0], star(holes: false)[0]]
            plain.meters = Double(Int.random(in: 50...4_000, using: &random))
        default:
            plain.polygons = [star(holes: false)]
            plain.meters = Double(Int.random(in: 50...2_000, using: &random))
        }
        func json(_ points: [PlainArea.Point]) -> JSONValue {
            .array(
                points.map { point in
                    [
                        .number(JSONNumber(point.x) ?? JSONNumber(Int64(0))),
                        .number(JSONNumber(point.y) ?? JSONNumber(Int64(0))),
                    ]
                })
        }
        let document: JSONValue =
            plain.lines.isEmpty
            ? ["type": "MultiPolygon", "coordinates": .array(plain.polygons.map { .array($0.map(json)) })]
            : ["type": "MultiLineString", "coordinates": .array(plain.lines.map(json))]
        let buffer = plain.meters > 0 ? UInt64(plain.meters) : nil
        guard let area = try? AreaDocument.area(document, form: .either, bufferMeters: buffer) else { return nil }
        return (plain, area)
    }
}
