/// The part of a Valhalla tile's header that says which tile of which build it is. All fields are little-endian.
package struct ValhallaTileHeader: Hashable, Sendable {
    package static let byteCount = 272

    /// Level and cell in the low 25 bits; the rest is the builder's.
    package let graphID: UInt64
    /// The south-west corner in degrees.
    package let baseLongitude: Float
    package let baseLatitude: Float
    /// The engine that built it, nil when the 16 bytes are no printable ASCII text ended by zeros.
    package let version: String?
    /// The greatest changeset of the source data: one for all tiles of an import.
    package let datasetID: UInt64
    /// 48 bits over the tile's content; all zero in tiles of an older Valhalla.
    package let tileHash: UInt64
    /// One number for all tiles of a build, made from their hashes.
    package let buildID: UInt16
    /// The size of the whole tile.
    package let tileByteCount: UInt32

    /// Nil when `bytes` are fewer than ``byteCount``.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count >= Self.byteCount else { return nil }
        func word(_ offset: Int, _ count: Int) -> UInt64 {
            bytes[offset..<offset + count].reversed().reduce(0) { $0 << 8 | UInt64($1) }
        }
        graphID = word(0, 8)
        baseLongitude = Float(bitPattern: UInt32(truncatingIfNeeded: word(8, 4)))
        baseLatitude = Float(bitPattern: UInt32(truncatingIfNeeded: word(12, 4)))
        version = Self.text(bytes[16..<32])
        datasetID = word(32, 8)
        let hashes = word(88, 8)
        tileHash = hashes & 0xFFFF_FFFF_FFFF
        buildID = UInt16(truncatingIfNeeded: hashes >> 48)
        tileByteCount = UInt32(truncatingIfNeeded: word(224, 4))
    }

    package var tileID: ValhallaTileID? { ValhallaTileID(graphID: graphID) }

    /// `3.9.1` of `3.9.1-0badc0de`: what an engine must at least be to read the tile.
    package var engineVersion: String? {
        let numbers = version?.prefix { $0 != "-" && $0 != "+" }.split(separator: ".", omittingEmptySubsequences: false)
        guard let numbers, numbers.count == 3,
            numbers.allSatisfy({ number in
                (1...6).contains(number.utf8.count)
                    && number.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
                    && (number.utf8.count == 1 || number.utf8.first != UInt8(ascii: "0"))
            })
        else { return nil }
        return numbers.joined(separator: ".")
    }

    private static func text(_ field: ArraySlice<UInt8>) -> String? {
        let text = field.prefix { $0 != 0 }
        guard !text.isEmpty, text.allSatisfy({ (0x21...0x7E).contains($0) }),
            field[text.endIndex...].allSatisfy({ $0 == 0 })
        else { return nil }
        return String(decoding: text, as: UTF8.self)
    }
}

/// The sum over all tiles of a build that its build id is folded from.
package struct ValhallaBuildSum: Hashable, Sendable {
    private var sum: UInt64 = 0

    package init() {}

    package mutating func add(tileHash: UInt64) { sum &+= tileHash }

    package var buildID: UInt16 { UInt16(truncatingIfNeeded: sum ^ sum >> 16 ^ sum >> 32 ^ sum >> 48) }
}
