/// The lowercase names that the wire format builds ids, kinds and channel names from.
enum WireName {
    /// 1 to `limit` of `a`-`z`, `0`-`9` and `-`; last not `-`; first a letter, or a digit too where that is allowed.
    static func isValid(_ text: String, limit: Int, startsWithLetter: Bool) -> Bool {
        let bytes = text.utf8
        guard (1...limit).contains(bytes.count), let first = bytes.first else { return false }
        return (isLetter(first) || !startsWithLetter && isASCIIDigit(first))
            && bytes.allSatisfy { isLetter($0) || isASCIIDigit($0) || $0 == hyphen } && bytes.last != hyphen
    }

    private static let hyphen = UInt8(ascii: "-")
    private static func isLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) }
}

extension String {
    /// Order by UTF-8 bytes, which is the wire format's order. `<` orders by canonical equivalence.
    func precedesInBytes(_ other: String) -> Bool { utf8.lexicographicallyPrecedes(other.utf8) }

    /// The text with `A` to `Z` in lowercase and nothing else changed.
    var asciiLowercased: String {
        let capitals = UInt8(ascii: "A")...UInt8(ascii: "Z")
        guard utf8.contains(where: capitals.contains) else { return self }
        return String(decoding: utf8.map { capitals.contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
    }
}
