/// A box in degrees · 10^7, as PMTiles headers hold it. It does not cross the antimeridian.
package struct E7Box: Hashable, Sendable {
    package var west: Int32
    package var south: Int32
    package var east: Int32
    package var north: Int32

    package init(west: Int32, south: Int32, east: Int32, north: Int32) {
        (self.west, self.south, self.east, self.north) = (west, south, east, north)
    }

    /// All that Web Mercator shows.
    package static let world = E7Box(
        west: -1_800_000_000, south: -850_511_288, east: 1_800_000_000, north: 850_511_288)

    /// The smallest box that holds the one given in degrees: a value of up to 7 decimals is kept exactly, any other
    /// is rounded outward. Nil for what is no number or lies outside ±180, ±90.
    package init?(enclosing degrees: (west: Double, south: Double, east: Double, north: Double)) {
        guard let west = Self.e7(degrees.west, .down), let south = Self.e7(degrees.south, .down),
            let east = Self.e7(degrees.east, .up),
            let north = Self.e7(degrees.north, .up)
        else { return nil }
        self.init(west: west, south: south, east: east, north: north)
        guard isOnGlobe else { return nil }
    }

    package var isOnGlobe: Bool {
        [west, east].allSatisfy { (-1_800_000_000...1_800_000_000).contains($0) }
            && [south, north].allSatisfy { (-900_000_000...900_000_000).contains($0) }
    }

    private static func e7(_ degrees: Double, _ outward: FloatingPointRoundingRule) -> Int32? {
        // 137.6924403 · 10^7 is 1376924402.9999998 in binary: what is exact in decimal must not be cut off.
        let nearest = (degrees * 1e7).rounded()
        return Int32(exactly: nearest / 1e7 == degrees ? nearest : (degrees * 1e7).rounded(outward))
    }

    /// `[west, south, east, north]` in degrees.
    package var degrees: [Double] { [west, south, east, north].map { Double($0) / 1e7 } }

    package var isEmpty: Bool { west >= east || south >= north }

    package func contains(longitude: Int32, latitude: Int32) -> Bool {
        (west...max(west, east)).contains(longitude) && (south...max(south, north)).contains(latitude)
    }

    /// What lies in both; empty when nothing does.
    package func intersection(_ other: E7Box) -> E7Box {
        E7Box(
            west: max(west, other.west), south: max(south, other.south), east: min(east, other.east),
            north: min(north, other.north))
    }
}

extension E7Box: CustomStringConvertible {
    package var description: String { degrees.map { "\($0)" }.joined(separator: ", ") }
}
