import CZstd
package import Diagnostics

/// Decompresses single frames into buffers of exactly the size that is known beforehand. Owns one context; one thread
/// at a time.
package final class ZstdDecompressor {
    private let context: OpaquePointer

    package init() throws(SnpackError) {
        guard let context = ZSTD_createDCtx() else {
            throw SnpackError(.zstdFailed, "no memory for a zstd decompressor")
        }
        self.context = context
    }

    deinit { ZSTD_freeDCtx(context) }

    /// The content of `frame`, which must be one ordinary frame and nothing else, of exactly `byteCount` bytes.
    ///
    /// - Parameters:
    ///   - prefix: the bytes that the frame was made against, if any.
    ///   - windowLimit: frames that ask for a larger window are refused before memory is taken.
    package func content(
        of frame: UnsafeRawBufferPointer, byteCount: Int, prefix: UnsafeRawBufferPointer? = nil, windowLimit: UInt64
    ) throws(SnpackError) -> [UInt8] {
        let head = try ZstdFrameHeader(decoding: frame)
        func require(_ condition: Bool, _ reason: String) throws(SnpackError) {
            if !condition { throw SnpackError(.zstdFrameInvalid, "zstd frame: \(reason)") }
        }
        try require(head.contentByteCount == UInt64(byteCount), "its content size is not the \(byteCount) listed")
        try require(head.dictionaryID == 0, "it asks for a dictionary")
        try require(!head.hasChecksum, "it has a checksum")
        try require(
            head.windowByteCount <= windowLimit, "its window of \(head.windowByteCount) is over \(windowLimit) bytes")
        let size = ZSTD_findFrameCompressedSize(frame.baseAddress, frame.count)
        try require(ZSTD_isError(size) == 0, "it is damaged or cut off")
        try require(size == frame.count, "it is followed by other bytes")
        ZSTD_DCtx_reset(context, ZSTD_reset_session_and_parameters)
        if let prefix {
            ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, 26)
            ZSTD_DCtx_refPrefix(context, prefix.baseAddress, prefix.count)
        }
        var result = 0
        let content = [UInt8](unsafeUninitializedCapacity: byteCount) { buffer, count in
            result = ZSTD_decompressDCtx(context, buffer.baseAddress, byteCount, frame.baseAddress, frame.count)
            count = ZSTD_isError(result) == 0 ? result : 0
        }
        if ZSTD_isError(result) != 0 {
            let reason = String(cString: ZSTD_getErrorName(result))
            throw SnpackError(.zstdFrameInvalid, "zstd frame: \(reason)")
        }
        try require(content.count == byteCount, "it holds \(content.count) bytes, not \(byteCount)")
        return content
    }
}
