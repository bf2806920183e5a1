import TerritoryModel

/// The rectangle that tiles of one zoom fill, found block by block.
struct TileCoverage: Sendable {
    let zoom: Int
    private(set) var tileCount: UInt64 = 0
    /// Columns and rows, the last ones included.
    private var columns: ClosedRange<UInt32>?
    private var rows: ClosedRange<UInt32>?
    /// The easternmost column of the western hemisphere, the westernmost of the eastern.
    private var lastWestern: UInt32?
    private var firstEastern: UInt32?

    init(zoom: Int) { self.zoom = zoom }

    mutating func add(_ block: TileBlock) {
        tileCount += block.tileCount
        let columns = block.column...block.column + (block.side - 1)
        let rows = block.row...block.row + (block.side - 1)
        self.columns = Self.union(self.columns, columns)
        self.rows = Self.union(self.rows, rows)
        guard zoom > 0 else { return }
        let half = UInt32(1) << UInt32(zoom - 1)
        if columns.lowerBound < half { lastWestern = max(lastWestern ?? 0, min(columns.upperBound, half - 1)) }
        if columns.upperBound >= half { firstEastern = min(firstEastern ?? .max, max(columns.lowerBound, half)) }
    }

    private static func union(_ first: ClosedRange<UInt32>?, _ second: ClosedRange<UInt32>) -> ClosedRange<UInt32> {
        guard let first else { return second }
        return min(first.lowerBound, second.lowerBound)...max(first.upperBound, second.upperBound)
    }

    /// The degrees of the tiles' outer edges, and of one tile; nil without tiles.
    var degrees: (west: Double, south: Double, east: Double, north: Double)? {
        guard let columns, let rows else { return nil }
        return (
            WebMercator.longitude(ofColumn: UInt64(columns.lowerBound), zoom: zoom),
            WebMercator.latitude(ofRow: UInt64(rows.upperBound) + 1, zoom: zoom),
            WebMercator.longitude(ofColumn: UInt64(columns.upperBound) + 1, zoom: zoom),
            WebMercator.latitude(ofRow: UInt64(rows.lowerBound), zoom: zoom)
        )
    }

    /// The same as a box for a PMTiles header.
    var e7Box: E7Box? {
        degrees.flatMap { E7Box(enclosing: $0) }
    }

    /// The box of the tiles, cut to `bounds`. Tiles on both sides of the antimeridian with more than half the world
    /// free between them make a box that crosses it.
    func box(within bounds: E7Box?) -> BoundingBox? {
        guard let whole = e7Box, let columns else { return nil }
        var box = whole
        if let bounds {
            let common = whole.intersection(bounds)
            if !common.isEmpty { box = common }
        }
        let edges = box.degrees
        let side = UInt64(1) << UInt64(zoom)
        if let lastWestern, let firstEastern, columns.lowerBound == 0, UInt64(columns.upperBound) == side - 1,
            UInt64(firstEastern - lastWestern) - 1 > side / 2
        {
            return try? BoundingBox(
                west: WebMercator.longitude(ofColumn: UInt64(firstEastern), zoom: zoom), south: edges[1],
                east: WebMercator.longitude(ofColumn: UInt64(lastWestern) + 1, zoom: zoom), north: edges[3])
        }
        return try? BoundingBox(west: edges[0], south: edges[1], east: edges[2], north: edges[3])
    }
}
