import Compression
package import Diagnostics
package import DurableFiles

/// The size of a PNG picture (w3.org/TR/png), read from its first chunk; the last one must be there too.
package struct PNGHeader: Hashable, Sendable {
    package let width: UInt64
    package let height: UInt64

    /// - Throws: ``ErrorCode/styleSpriteMalformed`` when the bytes are no PNG or are cut off; the disk's own errors.
    package init(_ file: any RandomAccess) throws(SnpackError) {
        func malformed(_ reason: String) -> SnpackError {
            SnpackError(.styleSpriteMalformed, reason, hint: "make the sprite again", path: file.name)
        }
        // Signature, IHDR (25 bytes), some IDAT (12 at least), IEND (12).
        guard file.byteCount >= 57 else { throw malformed("\(file.byteCount) bytes are no PNG picture") }
        let head = try file.bytes(at: 0, count: 33)
        guard head.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) else {
            throw malformed("it is no PNG picture")
        }
        func word(_ offset: Int) -> UInt64 { head[offset..<offset + 4].reduce(0) { $0 << 8 | UInt64($1) } }
        guard word(8) == 13, Array(head[12..<16]) == Array("IHDR".utf8),
            word(29) == UInt64(CRC32.of(Array(head[12..<29])))
        else {
            throw malformed("its first chunk is damaged")
        }
        (width, height) = (word(16), word(20))
        guard (1...16_384).contains(width), (1...16_384).contains(height) else {
            throw malformed("it says it has \(width) by \(height) pixels")
        }
        let end = try file.bytes(at: file.byteCount - 12, count: 12)
        guard end == [0, 0, 0, 0, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82] else {
            throw malformed("its end is missing")
        }
    }
}
