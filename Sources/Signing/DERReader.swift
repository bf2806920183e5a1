/// Reads DER (X.690) values one after the other: definite lengths in their shortest form, nothing beyond the end.
struct DERReader {
    static let integer: UInt8 = 0x02
    static let bitString: UInt8 = 0x03
    static let octetString: UInt8 = 0x04
    static let objectIdentifier: UInt8 = 0x06
    static let sequence: UInt8 = 0x30

    private var rest: Slice<UnsafeBufferPointer<UInt8>>

    init(_ bytes: UnsafeBufferPointer<UInt8>) { rest = bytes[...] }
    private init(_ rest: Slice<UnsafeBufferPointer<UInt8>>) { self.rest = rest }

    var isAtEnd: Bool { rest.isEmpty }
    /// What is not read yet.
    var bytes: Slice<UnsafeBufferPointer<UInt8>> { rest }

    /// The content of the next value if it is of this tag.
    mutating func read(_ tag: UInt8) -> DERReader? {
        guard rest.first == tag else { return nil }
        var content = rest.dropFirst()
        guard let count = Self.length(&content), count <= content.count else { return nil }
        rest = content.dropFirst(count)
        return DERReader(content.prefix(count))
    }

    /// Lengths up to 65,535 are enough for any key.
    private static func length(_ bytes: inout Slice<UnsafeBufferPointer<UInt8>>) -> Int? {
        guard let first = bytes.popFirst() else { return nil }
        if first < 0x80 { return Int(first) }
        guard first == 0x81 || first == 0x82, let high = bytes.popFirst() else { return nil }
        if first == 0x81 { return high >= 0x80 ? Int(high) : nil }
        guard high > 0, let low = bytes.popFirst() else { return nil }
        return Int(high) << 8 | Int(low)
    }
}
