import Glibc

/// A point as whole multiples of 1e-7 degrees.
package struct PlacePosition: Hashable, Sendable {
    /// −900,000,000 to 900,000,000
    package let latE7: Int
    /// −1,800,000,000 to 1,800,000,000
    package let lonE7: Int

    /// Nil when out of range or NaN. More digits are rounded to the nearest multiple, halves away from zero.
    package init?(lat: Double, lon: Double) {
        guard abs(lat) <= 90, abs(lon) <= 180 else { return nil }
        latE7 = Int((lat * 1e7).rounded(.toNearestOrAwayFromZero))
        lonE7 = Int((lon * 1e7).rounded(.toNearestOrAwayFromZero))
    }

    /// Nil when out of range.
    package init?(latE7: Int64, lonE7: Int64) {
        guard (-900_000_000...900_000_000).contains(latE7), (-1_800_000_000...1_800_000_000).contains(lonE7) else {
            return nil
        }
        self.latE7 = Int(latE7)
        self.lonE7 = Int(lonE7)
    }

    package var lat: Double { Double(latE7) / 1e7 }
    package var lon: Double { Double(lonE7) / 1e7 }

    /// The Earth's mean radius (IUGG R1) in metres.
    package static let earthRadius = 6_371_008.8

    /// Metres along the great circle, by the haversine formula.
    package func distance(to other: PlacePosition) -> Double {
        let radians = Double.pi / 180
        let latHalf = sin(Double(other.latE7 - latE7) / 1e7 * radians / 2)
        let lonHalf = sin(Double(other.lonE7 - lonE7) / 1e7 * radians / 2)
        let haversine = latHalf * latHalf + cos(lat * radians) * cos(other.lat * radians) * lonHalf * lonHalf
        return 2 * Self.earthRadius * asin(min(1, haversine.squareRoot()))
    }
}
