public import Diagnostics

/// A box in WGS 84 degrees. One whose west lies east of its east crosses the antimeridian.
public struct BoundingBox: Hashable, Sendable {
    /// −180 ≤ west < 180
    public let west: Double
    /// −90 ≤ south < north
    public let south: Double
    /// −180 < east ≤ 180, not west
    public let east: Double
    /// south < north ≤ 90
    public let north: Double

    /// A box with these edges, in degrees.
    ///
    /// - Throws: `bbox.invalid`, naming the edge that is out of range.
    public init(west: Double, south: Double, east: Double, north: Double) throws(SnpackError) {
        guard -180 <= west, west < 180 else { throw Self.invalid("west is \(west), not -180 or more and below 180") }
        guard -180 < east, east <= 180 else { throw Self.invalid("east is \(east), not above -180 and up to 180") }
        guard west != east else { throw Self.invalid("west and east are both \(west)") }
        guard -90 <= south, south < north, north <= 90 else {
            throw Self.invalid("south \(south) and north \(north) are not in order between -90 and 90")
        }
        // Adding zero turns −0 into 0.
        (self.west, self.south, self.east, self.north) = (west + 0, south + 0, east + 0, north + 0)
    }

    /// True for a box that goes eastwards over 180°.
    public var crossesAntimeridian: Bool { west > east }

    /// The box with its edges rounded to the 7 decimals that documents carry.
    ///
    /// - Throws: `bbox.invalid` if nothing is left of it.
    public var rounded: BoundingBox {
        get throws(SnpackError) {
            try BoundingBox(
                west: E7(west).degrees, south: E7(south).degrees, east: E7(east).degrees, north: E7(north).degrees)
        }
    }

    /// The box as documents write it: `[west, south, east, north]` with at most 7 decimals.
    public var json: JSONValue {
        .array([west, south, east, north].map { .number(E7($0).number) })
    }

    private static func invalid(_ reason: String) -> SnpackError {
        SnpackError(
            .boundingBoxInvalid, "not a bounding box: \(reason)",
            hint: "give west, south, east, north in degrees, as in 9.47,47.05,9.64,47.27")
    }
}
