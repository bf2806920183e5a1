package import TerritoryModel

extension ValhallaTileID {
    /// The cell's edges.
    package var box: HalfOpenBox {
        HalfOpenBox(west: west, south: south, east: west + edge, north: south + edge)
    }

    /// Whether a file of a tile tree belongs to an area: a tile whose cell does. Nothing else in a tree is a tile.
    package static func belongs(_ path: String, to footprint: AreaFootprint) -> Bool {
        ValhallaTileID(path: path.utf8).map { footprint.meets($0.box) } ?? false
    }
}
