/// A square of 2^`order` × 2^`order` tiles of one zoom, aligned to its own size: a stretch of the Hilbert curve.
package struct TileBlock: Hashable, Sendable {
    package let zoom: Int
    package let order: Int
    /// Of the north-western tile.
    package let column: UInt32
    package let row: UInt32

    /// Tiles along one edge.
    package var side: UInt32 { 1 << UInt32(order) }
    package var tileCount: UInt64 { 1 << UInt64(2 * order) }

    /// The fewest blocks that `ids` consist of, in their order: at most 6 a zoom and level, however long the run.
    ///
    /// Ids that do not exist are passed over.
    package static func covering(_ ids: Range<UInt64>, _ body: (TileBlock) -> Void) {
        var next = ids.lowerBound
        let end = min(ids.upperBound, TileAddress.ids.upperBound)
        while next < end, let address = TileAddress(id: next) {
            let first = TileAddress.firstID(ofZoom: address.zoom)
            let zoomEnd = min(end, TileAddress.firstID(ofZoom: address.zoom + 1))
            let position = next - first
            var order = min(address.zoom, position == 0 ? address.zoom : position.trailingZeroBitCount / 2)
            while order > 0, UInt64(1) << UInt64(2 * order) > zoomEnd - next { order -= 1 }
            let mask = ~(UInt32(1) << UInt32(order) &- 1)
            body(TileBlock(zoom: address.zoom, order: order, column: address.column & mask, row: address.row & mask))
            next += 1 << UInt64(2 * order)
        }
    }
}
