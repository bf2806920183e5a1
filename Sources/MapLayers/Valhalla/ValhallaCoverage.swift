import Diagnostics
package import TerritoryModel

/// The smallest box around tiles, across the antimeridian where that makes it smaller.
package enum ValhallaCoverage {
    /// Nil without tiles. All tiles are of one level.
    package static func box(of tiles: some Sequence<ValhallaTileID>) -> BoundingBox? {
        var columns: Set<Int> = []
        var rows: ClosedRange<Int>?
        var level: Int?
        for tile in tiles {
            columns.insert(tile.column)
            rows = min(rows?.lowerBound ?? tile.row, tile.row)...max(rows?.upperBound ?? tile.row, tile.row)
            level = tile.level
        }
        guard let level, let rows else { return nil }
        let edge = ValhallaTileID.edges[level]
        let (first, last) = extent(of: columns.sorted(), columnCount: ValhallaTileID.columnCount(level: level))
        return try? BoundingBox(
            west: Double(first) * edge - 180, south: Double(rows.lowerBound) * edge - 90,
            east: Double(last + 1) * edge - 180, north: Double(rows.upperBound + 1) * edge - 90)
    }

    /// The first and last column of the shortest run around the world that holds all of them.
    private static func extent(of columns: [Int], columnCount: Int) -> (first: Int, last: Int) {
        guard let lowest = columns.first, let highest = columns.last else { return (0, columnCount - 1) }
        // The widest gap lies outside the run: at first the one that the antimeridian is in.
        var widest = lowest + columnCount - highest
        var run = (first: lowest, last: highest)
        for (left, right) in zip(columns, columns.dropFirst()) where right - left > widest {
            widest = right - left
            run = (first: right, last: left)
        }
        return run
    }
}
