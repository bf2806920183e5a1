/// One tile of the Web Mercator pyramid: zoom, column from the west, row from the north.
package struct TileAddress: Hashable, Sendable {
    /// The deepest zoom whose ids this module computes.
    package static let zoomLimit = 31

    /// 0 to ``zoomLimit``.
    package let zoom: Int
    /// 0 to 2^zoom − 1.
    package let column: UInt32
    package let row: UInt32

    /// Nil when there is no such tile.
    package init?(zoom: Int, column: some BinaryInteger, row: some BinaryInteger) {
        guard (0...Self.zoomLimit).contains(zoom), let column = UInt32(exactly: column), let row = UInt32(exactly: row),
            UInt64(max(column, row)) < 1 << UInt64(zoom)
        else { return nil }
        self.init(unchecked: zoom, column, row)
    }

    private init(unchecked zoom: Int, _ column: UInt32, _ row: UInt32) {
        self.zoom = zoom
        self.column = column
        self.row = row
    }
}

extension TileAddress: CustomStringConvertible {
    package var description: String { "\(zoom)/\(column)/\(row)" }
}

// MARK: - Tile ids

/// PMTiles numbers all tiles: zoom by zoom, within a zoom along a Hilbert curve (PMTiles v3, section 2.2.1).
extension TileAddress {
    /// The id of the first tile of `zoom`; for ``zoomLimit`` + 1, one more than the last id there is.
    package static func firstID(ofZoom zoom: Int) -> UInt64 {
        // (4^zoom − 1) / 3; shifting out all 64 bits leaves 0, and 0 − 1 wraps to 2^64 − 1 as it should.
        (UInt64(1) << UInt64(2 * zoom) &- 1) / 3
    }

    /// The ids that exist.
    package static let ids = 0..<firstID(ofZoom: zoomLimit + 1)

    /// The zoom of a tile id; nil when there is no such id.
    package static func zoom(ofID id: UInt64) -> Int? {
        guard ids.contains(id) else { return nil }
        return (UInt64.bitWidth - 1 - (3 * id + 1).leadingZeroBitCount) / 2
    }

    package var id: UInt64 {
        var (x, y) = (column, row)
        var position: UInt64 = 0
        for level in stride(from: zoom - 1, through: 0, by: -1) {
            let side = UInt32(1) << UInt32(level)
            let (isRight, isLower) = (x & side != 0, y & side != 0)
            let quadrant: UInt64 = isRight ? (isLower ? 2 : 3) : (isLower ? 1 : 0)
            position += quadrant << UInt64(2 * level)
            Self.turn(&x, &y, side: side, isRight: isRight, isLower: isLower)
        }
        return Self.firstID(ofZoom: zoom) + position
    }

    /// The tile of an id; nil when there is no such id.
    package init?(id: UInt64) {
        guard let zoom = Self.zoom(ofID: id) else { return nil }
        var position = id - Self.firstID(ofZoom: zoom)
        var (x, y): (UInt32, UInt32) = (0, 0)
        for level in 0..<zoom {
            let side = UInt32(1) << UInt32(level)
            let quadrant = position & 3
            let (isRight, isLower) = (quadrant >= 2, quadrant == 1 || quadrant == 2)
            Self.turn(&x, &y, side: side, isRight: isRight, isLower: isLower)
            if isRight { x += side }
            if isLower { y += side }
            position >>= 2
        }
        self.init(unchecked: zoom, x, y)
    }

    /// Turns a quadrant of the curve as its place asks for. Only the bits below `side` count afterwards.
    private static func turn(_ x: inout UInt32, _ y: inout UInt32, side: UInt32, isRight: Bool, isLower: Bool) {
        guard !isLower else { return }
        if isRight {
            x = side &- 1 &- x & (side &- 1)
            y = side &- 1 &- y & (side &- 1)
        }
        swap(&x, &y)
    }
}
