import Diagnostics

/// Reads the variable-length integers of PMTiles directories. Every number has one form: no padding, at most 64 bits.
struct VarintReader {
    private let bytes: UnsafeRawBufferPointer
    private var position = 0

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    var remaining: Int { bytes.count - position }

    mutating func next() throws(SnpackError) -> UInt64 {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while position < bytes.count {
            let byte = bytes[position]
            position += 1
            // The tenth byte holds the 64th bit alone.
            guard shift < 63 || byte <= 1, byte != 0 || shift == 0 else {
                throw SnpackError(.pmtilesDirectory, "a number in a directory is over 64 bits or padded")
            }
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return value }
            shift += 7
        }
        throw SnpackError(.pmtilesDirectory, "a directory ends within a number")
    }

    /// A number of at most 32 bits.
    mutating func nextWord(_ what: String) throws(SnpackError) -> UInt32 {
        let value = try next()
        guard let word = UInt32(exactly: value) else {
            throw SnpackError(.pmtilesDirectory, "a \(what) in a directory is \(value), over 32 bits")
        }
        return word
    }
}
