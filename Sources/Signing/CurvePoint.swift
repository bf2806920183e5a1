import CSodium

/// Looks at the encoding of a point of edwards25519 as RFC 8032 section 5.1.3 does, and at the point's order.
enum CurvePoint {
    /// 2^255 − 19, least byte first.
    private static let fieldPrime: [UInt8] = [0xED] + [UInt8](repeating: 0xFF, count: 30) + [0x7F]
    private static let identity: [UInt8] = [1] + [UInt8](repeating: 0, count: 31)

    /// Why nobody may pin these bytes as a public key; nil if one may.
    ///
    /// Small order is found by doubling three times: eight times such a point is the identity, whatever its encoding.
    static func flaw(of encoding: [UInt8]) -> String? {
        guard encoding.count == PublicKey.byteCount else { return "\(encoding.count) bytes instead of 32" }
        if encoding.allSatisfy({ $0 == 0 }) { return "all bytes are zero (a point of small order)" }
        var height = encoding
        height[31] &= 0x7F
        guard height.reversed().lexicographicallyPrecedes(fieldPrime.reversed()) else {
            return "its encoding is not canonical (a coordinate of 2^255 - 19 or more)"
        }
        guard let twice = doubled(encoding), let fourTimes = doubled(twice), let eightTimes = doubled(fourTimes) else {
            return "the bytes are not a point of the curve"
        }
        return eightTimes == identity ? "a point of small order, with which anybody can sign" : nil
    }

    private static func doubled(_ point: [UInt8]) -> [UInt8]? {
        var sum = [UInt8](repeating: 0, count: PublicKey.byteCount)
        return crypto_core_ed25519_add(&sum, point, point) == 0 ? sum : nil
    }
}
