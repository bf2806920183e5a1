import CZlib
package import Diagnostics

/// Decompresses gzip members (RFC 1952), each in memory, each bounded. One handle serves many; one thread at a time.
///
/// A member must be all there is: bytes behind it, a second member or an early end are errors, and so is a checksum or
/// length that does not fit.
package final class Gunzip {
    /// zlib keeps the stream's address, so the stream must not move.
    private let stream: UnsafeMutablePointer<z_stream>
    /// Grows to the largest output so far and is used again.
    private var buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)

    package init() throws(SnpackError) {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        // 16: a gzip header is wanted, no zlib one.
        let status = inflateInit2_(stream, MAX_WBITS + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        guard status == Z_OK else {
            let failure = zlibFailure(status)
            stream.deallocate()
            buffer.deallocate()
            throw failure
        }
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
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
        guard let inputCount = UInt32(exactly: member.count), inputCount >= 18 else {
            throw SnpackError(.gzipInvalid, "\(member.count) bytes are no gzip member")
        }
        guard inflateReset(stream) == Z_OK else { throw zlibFailure(Z_STREAM_ERROR) }
        // The member's own claim, where it is possible: deflate packs no more than 1,032 bytes into one.
        let claim = Int(member.loadUnaligned(fromByteOffset: member.count - 4, as: UInt32.self).littleEndian)
        reserve(min(claim, limit, member.count * 1_032) + 1, keeping: 0)
        stream.pointee.next_in = UnsafeMutablePointer(mutating: member.assumingMemoryBound(to: UInt8.self).baseAddress)
        stream.pointee.avail_in = inputCount
        var count = 0
        while true {
            let room = min(buffer.count, limit + 1) - count
            stream.pointee.next_out = buffer.baseAddress?.advanced(by: count).assumingMemoryBound(to: UInt8.self)
            stream.pointee.avail_out = UInt32(clamping: room)
            let status = CZlib.inflate(stream, Z_FINISH)
            count += Int(UInt32(clamping: room) - stream.pointee.avail_out)
            guard count <= limit else {
                throw SnpackError(.gzipTooLarge, "it decompresses to more than \(limit) bytes")
            }
            switch status {
            case Z_STREAM_END:
                guard stream.pointee.avail_in == 0 else {
                    throw SnpackError(.gzipInvalid, "\(stream.pointee.avail_in) bytes follow the gzip member")
                }
                return count
            case Z_BUF_ERROR where stream.pointee.avail_out == 0:
                reserve(buffer.count * 2, keeping: count)
            case Z_BUF_ERROR, Z_OK:
                throw SnpackError(.gzipInvalid, "the gzip member ends early")
            case Z_DATA_ERROR:
                let reason = stream.pointee.msg.map { String(cString: $0) } ?? "damaged data"
                throw SnpackError(.gzipInvalid, "the gzip member is damaged: \(reason)")
            default: throw zlibFailure(status)
            }
        }
    }

    private func reserve(_ byteCount: Int, keeping kept: Int) {
        guard byteCount > buffer.count else { return }
        let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: byteCount, alignment: 16)
        larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer[..<kept]))
        buffer.deallocate()
        buffer = larger
    }
}
