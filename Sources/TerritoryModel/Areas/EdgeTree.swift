/// Finds the edges of an outline that are near something.
///
/// Neighbours in a ring lie near each other, so boxes around 8, 64, 512, … edges in their order make an index without
/// any sorting.
struct EdgeTree: Sendable {
    private static let fanOut = 8

    let edges: [AreaEdge]
    /// `levels[0]` has a box for each edge; each next level one for every 8 of the level before.
    private let levels: [[Extent]]

    init(_ edges: [AreaEdge]) {
        self.edges = edges
        var levels = [edges.map(\.extent)]
        while let last = levels.last, last.count > Self.fanOut {
            levels.append(
                stride(from: 0, to: last.count, by: Self.fanOut).map { start in
                    last[start..<min(start + Self.fanOut, last.count)].dropFirst().reduce(into: last[start]) {
                        $0.formUnion($1)
                    }
                })
        }
        self.levels = levels
    }

    /// Whether `isWanted` is true for an edge whose box, and all boxes around it, are `near`.
    func contains(near: (Extent) -> Bool, where isWanted: (Int) -> Bool) -> Bool {
        let top = levels.count - 1
        for index in levels[top].indices where contains(top, index, near, isWanted) { return true }
        return false
    }

    private func contains(
        _ level: Int, _ index: Int, _ near: (Extent) -> Bool, _ isWanted: (Int) -> Bool
    ) -> Bool {
        guard near(levels[level][index]) else { return false }
        if level == 0 { return isWanted(index) }
        let start = index * Self.fanOut
        for child in start..<min(start + Self.fanOut, levels[level - 1].count)
        where contains(level - 1, child, near, isWanted) {
            return true
        }
        return false
    }

    /// Hands over every edge whose box, and all boxes around it, are `near`.
    func forEach(near: (Extent) -> Bool, _ body: (Int) -> Void) {
        _ = contains(near: near) { index in
            body(index)
            return false
        }
    }

    // MARK: What rings enclose

    func hasOnEdge(longitude: Int64, latitude: Int64) -> Bool {
        contains(near: { $0.contains(longitude: longitude, latitude: latitude) }) {
            edges[$0].contains(longitude: longitude, latitude: latitude)
        }
    }

    /// How often the rings run around a point that lies on none of them, counter-clockwise less clockwise.
    func windings(longitude: Int64, latitude: Int64) -> Int {
        var windings = 0
        forEach(near: { $0.south <= latitude && latitude <= $0.north && longitude <= $0.east }) { index in
            let edge = edges[index]
            let (first, second) = (Int64(edge.start.latitude), Int64(edge.end.latitude))
            if first <= latitude && latitude < second {
                if edge.side(longitude: longitude, latitude: latitude) > 0 { windings += 1 }
            } else if second <= latitude && latitude < first {
                if edge.side(longitude: longitude, latitude: latitude) < 0 { windings -= 1 }
            }
        }
        return windings
    }
}

extension EdgeTree {
    /// The edges of closed rings.
    init(rings: some Sequence<[RegionArea.Point]>) {
        self.init(
            rings.flatMap { ring in
                zip(ring, ring.dropFirst() + ring.prefix(1)).map { AreaEdge($0, $1) }
            })
    }

    /// The edges of lines.
    init(lines: [[RegionArea.Point]]) {
        self.init(lines.flatMap { line in zip(line, line.dropFirst()).map { AreaEdge($0, $1) } })
    }
}
