import TerritoryModel

/// The ids of the tiles that belong to an area.
enum AreaTiles {
    /// Ascending and apart. What lies beyond Web Mercator belongs to the outermost rows.
    ///
    /// Descends from the whole zoom into quarters as long as the area's border runs through them, so that the work goes
    /// with the border's length and not with the area.
    static func ids(of footprint: AreaFootprint, zoom: Int) -> [Range<UInt64>] {
        var ranges: [Range<UInt64>] = []
        let first = TileAddress.firstID(ofZoom: zoom)
        descend(first, order: zoom, zoom: zoom, footprint, &ranges)
        return ranges
    }

    private static func descend(
        _ first: UInt64, order: Int, zoom: Int, _ footprint: AreaFootprint, _ ranges: inout [Range<UInt64>]
    ) {
        guard let address = TileAddress(id: first) else { return }
        let mask = ~(UInt32(1) << UInt32(order) &- 1)
        let block = TileBlock(
            zoom: zoom, order: order, column: address.column & mask, row: address.row & mask)
        switch footprint.relation(of: block.box) {
        case .outside: return
        case .partly where order > 0:
            let quarter: UInt64 = 1 << UInt64(2 * (order - 1))
            for part in 0..<4 as Range<UInt64> {
                descend(first + part * quarter, order: order - 1, zoom: zoom, footprint, &ranges)
            }
        case .partly, .inside:
            let end = first + block.tileCount
            if let last = ranges.last, last.upperBound == first {
                ranges[ranges.count - 1] = last.lowerBound..<end
            } else {
                ranges.append(first..<end)
            }
        }
    }
}

extension TileBlock {
    /// The block's edges; the first row reaches up to the north pole, the last down to the south pole.
    var box: HalfOpenBox {
        let (column, row, side) = (UInt64(column), UInt64(row), UInt64(side))
        let end: UInt64 = 1 << UInt64(zoom)
        return HalfOpenBox(
            west: WebMercator.longitude(ofColumn: column, zoom: zoom),
            south: row + side == end ? -90 : WebMercator.latitude(ofRow: row + side, zoom: zoom),
            east: WebMercator.longitude(ofColumn: column + side, zoom: zoom),
            north: row == 0 ? 90 : WebMercator.latitude(ofRow: row, zoom: zoom))
    }
}
