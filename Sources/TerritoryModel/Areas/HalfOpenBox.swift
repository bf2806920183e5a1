/// A box on the 1e-7 degree grid, to which its west and south edges belong and its east and north edges do not.
///
/// So tiles that lie side by side share no point. Edges lie within the globe; a box does not cross the antimeridian.
package struct HalfOpenBox: Hashable, Sendable {
    package let west: Int64
    package let south: Int64
    package let east: Int64
    package let north: Int64

    package init(west: Int64, south: Int64, east: Int64, north: Int64) {
        (self.west, self.south, self.east, self.north) = (west, south, east, north)
    }

    /// The box in degrees, each edge moved to the first point of the grid that lies on or east or north of it.
    package init(west: Double, south: Double, east: Double, north: Double) {
        func grid(_ degrees: Double) -> Int64 {
            let exact = degrees * 1e7
            // An edge that is meant to be on the grid may be a hair beside it after the multiplication.
            let nearest = exact.rounded()
            return Int64(nearest / 1e7 == degrees ? nearest : exact.rounded(.up))
        }
        self.init(west: grid(west), south: grid(south), east: grid(east), north: grid(north))
    }

    func contains(longitude: Int64, latitude: Int64) -> Bool {
        west <= longitude && longitude < east && south <= latitude && latitude < north
    }

    /// The box on the other side of the antimeridian, as seen from an area that ends there.
    func shifted(by units: Int64) -> HalfOpenBox {
        HalfOpenBox(west: west + units, south: south, east: east + units, north: north)
    }
}
