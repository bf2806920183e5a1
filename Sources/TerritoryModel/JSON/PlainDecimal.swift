/// Doubles as decimal text without an exponent.
enum PlainDecimal {
    /// An integer value with all its digits; any other with the fewest digits that read back as `value`. −0 is `0`.
    static func text(of value: Double) -> String {
        if value == value.rounded(.towardZero) {
            return Int64(exactly: value).map { String($0) } ?? wideInteger(value)
        }
        return withoutExponent(value.description)
    }

    /// `1.5e-09` as `0.0000000015`. Swift's description has the fewest digits, but an exponent for small values.
    private static func withoutExponent(_ description: String) -> String {
        let parts = description.split(separator: "e")
        guard parts.count == 2, let exponent = Int(parts[1]), exponent < 0 else { return description }
        let sign = parts[0].hasPrefix("-") ? "-" : ""
        var digits = parts[0].filter { $0 != "." && $0 != "-" }
        if digits.count > 1, digits.hasSuffix("0") { digits.removeLast() }  // `1.0e-07` would be one digit.
        return sign + "0." + String(repeating: "0", count: -exponent - 1) + digits
    }

    /// All digits of an integer beyond 64 bits: its highest 53 bits, doubled as often as it takes.
    private static func wideInteger(_ value: Double) -> String {
        var scaled = value.magnitude
        var doublings = 0
        while scaled >= 0x1p62 {
            scaled /= 2
            doublings += 1
        }
        // Least significant digit first.
        var digits = String(UInt64(exactly: scaled) ?? 0).utf8.reversed().map { $0 - UInt8(ascii: "0") }
        for _ in 0..<doublings {
            var carry: UInt8 = 0
            for index in digits.indices {
                let twice = digits[index] * 2 + carry
                digits[index] = twice % 10
                carry = twice / 10
            }
            if carry > 0 { digits.append(carry) }
        }
        let text = digits.reversed().map { String($0) }.joined()
        return value < 0 ? "-" + text : text
    }
}
