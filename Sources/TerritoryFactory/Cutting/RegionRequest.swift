import Diagnostics
package import TerritoryModel

/// A region that somebody wants.
package struct RegionRequest: Sendable {
    package let name: DisplayText
    package let area: RegionArea

    package init(name: DisplayText, area: RegionArea) {
        self.name = name
        self.area = area
    }

    /// Throws unless the area has something in common with `source`, the box of what it is cut out of.
    func check(against source: Manifest) throws(SnpackError) {
        let box = try area.boundingBox
        guard !box.meets(source.boundingBox) else { return }
        let swapped = try? BoundingBox(west: box.south, south: box.west, east: box.north, north: box.east)
        let isSwapped = swapped.map { $0.meets(source.boundingBox) } ?? false
        throw SnpackError(
            .cutOutside,
            "the area of \(quoted(name.rawValue)), \(box.text), lies outside of \(source.territoryID), "
                + source.boundingBox.text,
            hint: isSwapped
                ? "latitude and longitude look swapped: longitude comes first" : "is it the right country?")
    }
}

extension BoundingBox {
    fileprivate var spans: [(west: Double, east: Double)] {
        crossesAntimeridian ? [(west, 180), (-180, east)] : [(west, east)]
    }

    /// Whether the boxes, edges included, have a point in common.
    fileprivate func meets(_ other: BoundingBox) -> Bool {
        guard south <= other.north, other.south <= north else { return false }
        return spans.contains { span in other.spans.contains { span.west <= $0.east && $0.west <= span.east } }
    }

    fileprivate var text: String { "[\(west), \(south), \(east), \(north)]" }
}
