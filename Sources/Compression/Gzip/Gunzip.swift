import CDeflate
package import Diagnostics

/// Decompresses gzip members (RFC 1952), each in memory, each bounded. One handle serves many; one thread at a time.
///
/// A member must be all there is: bytes behind it, a second member or an early end are errors, and so is a checksum or
/// length that does not fit. By libdeflate, which takes under half of zlib's time; what it cannot do, stream, is not
/// needed for tiles.
package final class Gunzip {
    private let decompressor: OpaquePointer
    /// Grows to the largest output so far and is used again.
    private var buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 64)

    package init() throws(SnpackError) {
        guard let decompressor = libdeflate_alloc_decompressor() else {
            buffer.deallocate()
            throw SnpackError(.zlibFailed, "no memory for a gzip decompressor")
        }
        self.decompressor = decompressor
    }

    deinit {
        libdeflate_free_decompressor(decompressor)
        buffer.deallocate()
    }

    /// Hands the decompressed bytes to `body`; they are valid within it only.
    /// - Parameter limit: more output than this is refused (`gzip.too-large`), before memory for it is taken.
    package func withDecompressed<Result>(
        _ member: UnsafeRawBufferPointer, limit: Int, _ body: (UnsafeRawBufferPointer) -> Result
    ) throws(SnpackError) -> Result {
        let count = try inflate(member, limit: limit)
        return body(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
    }

    /// The decompressed bytes of a member.
    package func decompress(_ member: [UInt8], limit: Int) throws(SnpackError) -> [UInt8] {
        // Typed throws do not pass through withUnsafeBytes.
        try member.withUnsafeBytes { input in
            Result { () throws(SnpackError) in try withDecompressed(input, limit: limit) { Array($0) } }
        }.get()
    }

    private func inflate(_ member: UnsafeRawBufferPointer, limit: Int) throws(SnpackError) -> Int {
        guard member.count >= 18 else {
            throw SnpackError(.gzipInvalid, "\(member.count) bytes are no gzip member")
        }
        // The member's own claim, where it is possible: deflate packs no more than 1,032 bytes into one.
        let claim = Int(member.loadUnaligned(fromByteOffset: member.count - 4, as: UInt32.self).littleEndian)
        let (most, overflow) = member.count.multipliedReportingOverflow(by: 1_032)
        let room = min(claim, limit, overflow ? .max : most)
        reserve(room)
        var (read, written) = (0, 0)
        let result = libdeflate_gzip_decompress_ex(
            decompressor, member.baseAddress, member.count, buffer.baseAddress, room, &read, &written)
        switch result {
        case LIBDEFLATE_SUCCESS:
            guard read == member.count else {
                throw SnpackError(.gzipInvalid, "\(member.count - read) bytes follow the gzip member")
            }
            return written
        case LIBDEFLATE_INSUFFICIENT_SPACE where room == limit:
            throw SnpackError(.gzipTooLarge, "it decompresses to more than \(limit) bytes")
        case LIBDEFLATE_INSUFFICIENT_SPACE:
            throw SnpackError(.gzipInvalid, "the gzip member is damaged: it holds more than it says")
        default: throw SnpackError(.gzipInvalid, "the gzip member is damaged or cut off")
        }
    }

    private func reserve(_ byteCount: Int) {
        guard byteCount > buffer.count else { return }
        let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: byteCount, alignment: 64)
        buffer.deallocate()
        buffer = larger
    }
}
