import Diagnostics

extension RegionArea.Polygon {
    /// Throws if a ring touches or crosses itself, or crosses another ring: what it encloses would be a matter of taste.
    ///
    /// Only the signer of a region asks this. Readers do not need to: the id is computed from the points alone.
    func checkRings(at place: String) throws(SnpackError) {
        let tree = EdgeTree(rings: rings)
        var ringStarts: [Int] = []
        var ringOfEdge: [Int] = []
        ringOfEdge.reserveCapacity(tree.edges.count)
        for (index, ring) in rings.enumerated() {
            ringStarts.append(ringOfEdge.count)
            ringOfEdge += repeatElement(index, count: ring.count)
        }
        for (index, edge) in tree.edges.enumerated() {
            let ring = ringOfEdge[index]
            let isLast = index + 1 == tree.edges.count || ringOfEdge[index + 1] != ring
            let next = isLast ? ringStarts[ring] : index + 1
            if edge.isFoldedBack(by: tree.edges[next]) {
                throw RegionArea.invalid(
                    "\(place) has a ring that runs back along itself at \(RegionArea.degrees(edge.end))")
            }
            let extent = edge.extent
            var other: AreaEdge?
            _ = tree.contains(near: { $0.meets(extent) }) { candidate in
                guard candidate > index else { return false }
                let found = tree.edges[candidate]
                let isHit =
                    if ringOfEdge[candidate] != ring { edge.crosses(found) } else {
                        candidate != next && index != Self.next(candidate, ring, ringOfEdge, ringStarts)
                            && edge.touches(found)
                    }
                if isHit { other = found }
                return isHit
            }
            if let other {
                throw RegionArea.invalid(
                    "\(place) has a ring that crosses \(ringOfEdge.count == rings[0].count ? "itself" : "itself or another")"
                        + ": from \(RegionArea.degrees(edge.start)) to \(RegionArea.degrees(edge.end)), and from "
                        + "\(RegionArea.degrees(other.start)) to \(RegionArea.degrees(other.end))",
                    hint: "repair the outline, in QGIS with \"Fix geometries\"")
            }
        }
        try checkHoles(at: place)
    }

    /// Throws if a hole lies outside of the outer ring, or the holes leave nothing of it. No two rings cross.
    private func checkHoles(at place: String) throws(SnpackError) {
        guard rings.count > 1 else { return }
        let outer = EdgeTree(rings: [rings[0]])
        for (index, hole) in rings.enumerated().dropFirst() {
            let isOutside = hole.contains { point in
                let (longitude, latitude) = (Int64(point.longitude), Int64(point.latitude))
                return !outer.hasOnEdge(longitude: longitude, latitude: latitude)
                    && outer.windings(longitude: longitude, latitude: latitude) == 0
            }
            if isOutside {
                throw RegionArea.invalid(
                    "\(place), hole \(index) lies outside of its outer ring",
                    hint: "make it a polygon of its own in a MultiPolygon")
            }
        }
        let areas = rings.map { UnrolledRing($0).doubledArea.magnitude }
        guard areas.dropFirst().reduce(0, +) < areas[0] else {
            throw RegionArea.invalid("the holes of \(place) leave nothing of it")
        }
    }

    private static func next(_ edge: Int, _ ring: Int, _ ringOfEdge: [Int], _ ringStarts: [Int]) -> Int {
        edge + 1 < ringOfEdge.count && ringOfEdge[edge + 1] == ring ? edge + 1 : ringStarts[ring]
    }
}
