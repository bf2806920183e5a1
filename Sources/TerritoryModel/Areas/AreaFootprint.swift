/// Tells which points and which tiles belong to an area.
///
/// A point belongs if it lies in the area or on its border. A box belongs if a point of it does, where its west and south
/// edges are part of it and its east and north edges are not: so of the tiles around a point of the border one belongs.
/// Holes are no part of an area, their borders are. Without a buffer all of it is exact on the 1e-7 degree grid.
///
/// With a buffer, what lies within so many metres of the outline or lines belongs too, also across the antimeridian. The
/// distance is that on a plane tangent to the sphere of radius 6,371,008.8 m: a degree of latitude is 111,195 m, one of
/// longitude that times the cosine of the latitude, for a box of the latitude in it that is furthest from the equator (up
/// to 89°). So a box belongs whenever one of its points does, and sometimes where none quite does.
package struct AreaFootprint: Sendable {
    private static let turn: Int64 = 3_600_000_000

    private let tree: EdgeTree
    private let hasInside: Bool
    /// Metres; nil without a buffer.
    private let buffer: Double?

    package init(_ area: RegionArea) {
        switch area.shape {
        case .polygons(let polygons):
            tree = EdgeTree(rings: polygons.lazy.flatMap(\.rings))
            hasInside = true
        case .lines(let lines):
            tree = EdgeTree(lines: lines)
            hasInside = false
        }
        buffer = area.bufferMeters.map { Double($0) }
    }

    /// Whether a point belongs; degrees · 10^7.
    package func contains(longitude: Int64, latitude: Int64) -> Bool {
        if tree.hasOnEdge(longitude: longitude, latitude: latitude) { return true }
        if hasInside, tree.windings(longitude: longitude, latitude: latitude) > 0 { return true }
        let point = HalfOpenBox(west: longitude, south: latitude, east: longitude, north: latitude)
        return bufferRelation(of: point) != .outside
    }

    /// How a box lies to the area.
    package enum Relation: Hashable, Sendable {
        /// No point of the box belongs.
        case outside
        /// Some do.
        case partly
        /// All do, and so does every smaller box in it.
        case inside
    }

    package func meets(_ box: HalfOpenBox) -> Bool { relation(of: box) != .outside }

    package func relation(of box: HalfOpenBox) -> Relation {
        let shape = shapeRelation(of: box)
        if shape == .inside || buffer == nil { return shape }
        let around = bufferRelation(of: box)
        return around == .outside ? shape : around
    }

    private func shapeRelation(of box: HalfOpenBox) -> Relation {
        func near(_ extent: Extent) -> Bool {
            extent.west < box.east && box.west <= extent.east && extent.south < box.north && box.south <= extent.north
        }
        func hasEdge(isOpen: Bool) -> Bool {
            tree.contains(near: near) { tree.edges[$0].meets(box, isOpen: isOpen) }
        }
        guard hasEdge(isOpen: false) else {
            return hasInside && tree.windings(longitude: box.west, latitude: box.south) > 0 ? .inside : .outside
        }
        // Edges along the box's own do not divide it: then it is as its middle is.
        guard hasInside, box.east - box.west > 1, box.north - box.south > 1, !hasEdge(isOpen: true) else {
            return .partly
        }
        let middle = (box.west + (box.east - box.west) / 2, box.south + (box.north - box.south) / 2)
        return tree.windings(longitude: middle.0, latitude: middle.1) > 0 ? .inside : .partly
    }

    // MARK: The buffer

    private func bufferRelation(of box: HalfOpenBox) -> Relation {
        guard let buffer else { return .outside }
        var result = Relation.outside
        let metric = AreaMetric(of: box)
        let reach = metric.reach(of: buffer)
        for shift in [0, Self.turn, -Self.turn] {
            let box = box.shifted(by: shift)
            let around = Extent(
                west: box.west - reach.longitude, south: box.south - reach.latitude, east: box.east + reach.longitude,
                north: box.north + reach.latitude)
            let isInside = tree.contains(near: around.meets) { index in
                let edge = tree.edges[index]
                guard metric.distance(edge, box) <= buffer else { return false }
                result = .partly
                return metric.greatestDistance(edge, box) <= buffer
            }
            if isInside { return .inside }
        }
        return result
    }
}
