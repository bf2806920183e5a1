import TerritoryModel

/// A box in whole multiples of 1e-7 degrees, edges included.
struct PlaceBox: Hashable, Sendable {
    let south: Int
    let north: Int
    let west: Int
    /// Less than ``west`` when the box goes over 180°.
    let east: Int

    static let turn = 3_600_000_000

    init(_ box: BoundingBox) {
        func units(_ degrees: Double) -> Int { Int((degrees * 1e7).rounded(.toNearestOrAwayFromZero)) }
        (south, north, west, east) = (units(box.south), units(box.north), units(box.west), units(box.east))
    }

    /// All points within `latReach` and `lonReach` units of a point; at least a half turn wide means all around.
    init(around point: PlacePosition, latReach: Int, lonReach: Int) {
        south = max(-900_000_000, point.latE7 - latReach)
        north = min(900_000_000, point.latE7 + latReach)
        let reachesAround = lonReach >= Self.turn / 2
        west = reachesAround ? -Self.turn / 2 : Self.wrapped(point.lonE7 - lonReach)
        east = reachesAround ? Self.turn / 2 : Self.wrapped(point.lonE7 + lonReach)
    }

    /// The part of it between two latitudes; empty (south > north) when there is none.
    func clamped(south: Int, north: Int) -> PlaceBox {
        PlaceBox(south: max(self.south, south), north: min(self.north, north), west: west, east: east)
    }

    private init(south: Int, north: Int, west: Int, east: Int) {
        (self.south, self.north, self.west, self.east) = (south, north, west, east)
    }

    private static func wrapped(_ lon: Int) -> Int {
        lon < -turn / 2 ? lon + turn : lon > turn / 2 ? lon - turn : lon
    }

    func contains(_ point: PlacePosition) -> Bool {
        (south...north).contains(point.latE7)
            && (west <= east
                ? (west...east).contains(point.lonE7) : point.lonE7 >= west || point.lonE7 <= east)
    }

    /// The longitudes as one or two ranges that do not cross 180°.
    ///
    /// −180 and 180 are one meridian: a box that touches it from one side covers both.
    var lonRanges: [ClosedRange<Int>] {
        let half = Self.turn / 2
        var ranges = west <= east ? [west...east] : [-half...east, west...half]
        if west <= east {
            if west == -half && east < half { ranges.append(half...half) }
            if east == half && west > -half { ranges.append(-half...(-half)) }
        }
        return ranges
    }
}

/// The Earth in cells of equal degrees, counted from the south-west.
struct PlaceGrid: Sendable {
    /// 1e-7 degrees
    let cell: Int
    var columnCount: Int { PlaceBox.turn / cell }
    var rowCount: Int { PlaceBox.turn / 2 / cell }

    /// What the position index is sorted by: about half a kilometre.
    static let position = PlaceGrid(cell: 50_000)
    /// About five and thirty kilometres: what narrows a text search down to a neighbourhood.
    static let near = PlaceGrid(cell: 500_000)
    static let region = PlaceGrid(cell: 2_500_000)

    func row(_ latE7: Int) -> Int { min(rowCount - 1, (latE7 + PlaceBox.turn / 4) / cell) }
    func column(_ lonE7: Int) -> Int { min(columnCount - 1, (lonE7 + PlaceBox.turn / 2) / cell) }
    func number(_ point: PlacePosition) -> Int { row(point.latE7) * columnCount + column(point.lonE7) }

    /// The cells that `box` meets as ranges of numbers, one per row and side of 180°.
    func ranges(meeting box: PlaceBox) -> [ClosedRange<Int>] {
        guard box.south <= box.north else { return [] }
        return (row(box.south)...row(box.north)).flatMap { row in
            box.lonRanges.map { row * columnCount + column($0.lowerBound)...row * columnCount + column($0.upperBound) }
        }
    }

    /// The word that stands for a cell in the text index: one ideograph, so that it adds nothing to prefix indexes.
    ///
    /// There are more cells than ideographs: some share one, so positions are looked at afterwards.
    func word(_ number: Int) -> String {
        let mixed = UInt64(truncatingIfNeeded: number) &* 0x9E37_79B9_7F4A_7C15 ^ UInt64(truncatingIfNeeded: cell)
        let scalar = 0x4E00 + UInt32(truncatingIfNeeded: (mixed &* 0xD6E8_FEB8_6659_FD93) >> 32) % 20_000
        return Unicode.Scalar(scalar).map { String($0) } ?? "\u{4E00}"
    }

    /// The words of all cells that `box` meets; nil when they are more than `limit`.
    func words(meeting box: PlaceBox, limit: Int = 64) -> [String]? {
        guard row(box.north) - row(box.south) < limit else { return nil }
        let ranges = ranges(meeting: box)
        guard ranges.reduce(0, { $0 + $1.count }) <= limit else { return nil }
        return ranges.flatMap { $0.map(word) }
    }
}
