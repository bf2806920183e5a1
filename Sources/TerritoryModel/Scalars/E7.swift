/// An angle as a whole number of 1e-7 degrees, the resolution of every coordinate that documents carry.
///
/// Within ±180 degrees each is a different double, and that double's shortest decimal text has at most 7 decimals.
struct E7: Hashable, Sendable, Comparable {
    let units: Int32

    init(units: Int32) { self.units = units }

    /// The nearest multiple: degrees times 10^7 in double arithmetic, halves away from zero.
    ///
    /// Degrees beyond ±200 and NaN come out as ±200 and 0, so that they stay refusable.
    init(_ degrees: Double) {
        let scaled = (degrees * 1e7).rounded(.toNearestOrAwayFromZero)
        units = scaled.isNaN ? 0 : Int32(max(-2e9, min(2e9, scaled)))
    }

    /// The nearest double.
    var degrees: Double { Double(units) / 1e7 }

    /// The number as JSON carries it.
    var number: JSONNumber { JSONNumber(degrees) ?? JSONNumber(Int64(0)) }

    static func < (left: E7, right: E7) -> Bool { left.units < right.units }
}
