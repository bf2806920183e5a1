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
    }

    private static func next(_ edge: Int, _ ring: Int, _ ringOfEdge: [Int], _ ringStarts: [Int]) -> Int {
        edge + 1 < ringOfEdge.count && ringOfEdge[edge + 1] == ring ? edge + 1 : ringStarts[ring]
    }
}
