package import Diagnostics

/// The head of one zstd frame (RFC 8878, section 3.1.1.1), read without decompressing anything.
package struct ZstdFrameHeader: Hashable, Sendable {
    package static let magic: UInt32 = 0xFD2F_B528

    /// Bytes of the head, magic number included.
    package let byteCount: Int
    /// What the frame says it decompresses to; nil when it doesn't say.
    package let contentByteCount: UInt64?
    /// Memory that a streaming decoder needs.
    package let windowByteCount: UInt64
    /// 0 when no dictionary is asked for.
    package let dictionaryID: UInt32
    package let hasChecksum: Bool

    /// Reads the head at the start of `frame`; a skippable frame is refused.
    package init(decoding frame: UnsafeRawBufferPointer) throws(SnpackError) {
        func invalid(_ reason: String) -> SnpackError { SnpackError(.zstdFrameInvalid, "zstd frame: \(reason)") }
        func integer(at offset: Int, count: Int) throws(SnpackError) -> UInt64 {
            guard offset + count <= frame.count else { throw invalid("its head is cut off") }
            return (0..<count).reduce(0) { $0 | UInt64(frame[offset + $1]) << (8 * UInt64($1)) }
        }
        guard try integer(at: 0, count: 4) == UInt64(Self.magic) else { throw invalid("it has no zstd magic number") }
        let descriptor = try integer(at: 4, count: 1)
        guard descriptor & 0x08 == 0 else { throw invalid("a reserved bit is set") }
        let isSingleSegment = descriptor & 0x20 != 0
        hasChecksum = descriptor & 0x04 != 0
        var offset = 5
        var window: UInt64 = 0
        if !isSingleSegment {
            let byte = try integer(at: offset, count: 1)
            offset += 1
            let base = UInt64(1) << (10 + (byte >> 3))
            window = base + (base >> 3) * (byte & 7)
        }
        let dictionaryCount = [0, 1, 2, 4][Int(descriptor & 3)]
        dictionaryID = UInt32(try integer(at: offset, count: dictionaryCount))
        offset += dictionaryCount
        let contentCount = [isSingleSegment ? 1 : 0, 2, 4, 8][Int(descriptor >> 6)]
        if contentCount == 0 {
            contentByteCount = nil
        } else {
            let value = try integer(at: offset, count: contentCount)
            contentByteCount = contentCount == 2 ? value + 256 : value
        }
        offset += contentCount
        windowByteCount = isSingleSegment ? contentByteCount ?? 0 : window
        byteCount = offset
    }
}
