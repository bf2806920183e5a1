import TerritoryModel

/// A bounding box as one or two rectangles of degrees, to be compared with another.
struct BoxArea {
    private struct Rectangle {
        var west: Double
        var south: Double
        var east: Double
        var north: Double
        /// Square degrees: good enough to tell a country from a continent.
        var area: Double { max(0, east - west) * max(0, north - south) }
    }

    private let rectangles: [Rectangle]
    private let box: BoundingBox

    init(_ box: BoundingBox) {
        self.box = box
        let whole = Rectangle(west: box.west, south: box.south, east: box.east, north: box.north)
        guard box.crossesAntimeridian else {
            rectangles = [whole]
            return
        }
        var (left, right) = (whole, whole)
        left.east = 180
        right.west = -180
        rectangles = [left, right]
    }

    var area: Double { rectangles.reduce(0) { $0 + $1.area } }

    func overlap(with other: BoxArea) -> Double {
        var sum = 0.0
        for left in rectangles {
            for right in other.rectangles {
                sum +=
                    Rectangle(
                        west: max(left.west, right.west), south: max(left.south, right.south),
                        east: min(left.east, right.east), north: min(left.north, right.north)
                    ).area
            }
        }
        return sum
    }

    /// The area with half a degree, or a quarter of the box's size, added on each side: what tiles at its edge may reach.
    var grownArea: Double {
        let width = box.crossesAntimeridian ? box.east + 360 - box.west : box.east - box.west
        let height = box.north - box.south
        return min(360, width + max(1, width / 2)) * min(180, height + max(1, height / 2))
    }
}
