/// A JSON number, kept as the text it was read from, so that no integer loses digits. Always finite.
///
/// Two numbers are equal when they are written alike in the canonical layout: `1`, `1.0` and `1e0` are one number.
public struct JSONNumber: Hashable, Sendable {
    /// The number as it was read, or in canonical notation if it was made from a value.
    public let literal: String

    /// An integer.
    public init(_ value: Int64) { literal = String(value) }
    /// An integer.
    public init(_ value: UInt64) { literal = String(value) }
    /// A double, or nil for an infinity or NaN, which JSON has no notation for.
    public init?(_ value: Double) {
        guard value.isFinite else { return nil }
        literal = PlainDecimal.text(of: value)
    }

    /// Text that follows JSON's grammar and is no infinity, as the reader has checked.
    init(checkedLiteral literal: String) { self.literal = literal }

    /// The nearest IEEE double.
    public var double: Double { Double(literal) ?? 0 }

    /// The value if it is written `0` or `[1-9][0-9]*` and is at most 2^53 − 1: what the wire format calls an integer.
    public var unsignedInteger: UInt64? {
        guard literal.utf8.count <= 16, literal.utf8.first != UInt8(ascii: "0") || literal.utf8.count == 1,
            literal.utf8.allSatisfy(isASCIIDigit), let value = UInt64(literal), value <= Limits.byteCount
        else { return nil }
        return value
    }

    /// The value if it is written as an integer, with or without a minus sign, and fits. `-0` is none.
    public var integer: Int64? {
        guard literal.utf8.count <= 20, isIntegerLiteral, literal != "-0" else { return nil }
        return Int64(literal)
    }

    /// How the canonical layout writes this number: an integer as one, anything else in plain decimal notation with the
    /// fewest digits that read back as the same double.
    public var canonicalText: String {
        guard isIntegerLiteral else { return PlainDecimal.text(of: double) }
        return literal == "-0" ? "0" : literal
    }

    private var isIntegerLiteral: Bool {
        literal.utf8.dropFirst(literal.utf8.first == UInt8(ascii: "-") ? 1 : 0).allSatisfy(isASCIIDigit)
    }

    public static func == (left: JSONNumber, right: JSONNumber) -> Bool {
        left.literal == right.literal || left.canonicalText == right.canonicalText
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(canonicalText) }
}

func isASCIIDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
