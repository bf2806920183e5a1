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
        // Whatever asks for memory in vain is found out before it is taken.
        try check(frame, byteCount: byteCount, windowLimit: windowLimit)
        var outcome: Result<Void, SnpackError>?
        let content = [UInt8](unsafeUninitializedCapacity: byteCount) { buffer, count in
            let output = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[..<byteCount])
            let decompressed = Result { () throws(SnpackError) in
                try decompress(frame, prefix: prefix, into: output)
            }
            if case .success = decompressed { count = byteCount }
            outcome = decompressed
        }
        try outcome?.get()
        return content
    }

    /// The same into `output`, which has the content's exact size.
    package func content(
        of frame: UnsafeRawBufferPointer, windowLimit: UInt64, into output: UnsafeMutableRawBufferPointer
    ) throws(SnpackError) {
        try check(frame, byteCount: output.count, windowLimit: windowLimit)
        try decompress(frame, prefix: nil, into: output)
    }

    private func require(_ condition: Bool, _ reason: @autoclosure () -> String) throws(SnpackError) {
        if !condition { throw SnpackError(.zstdFrameInvalid, "zstd frame: \(reason())") }
    }

    private func check(_ frame: UnsafeRawBufferPointer, byteCount: Int, windowLimit: UInt64) throws(SnpackError) {
        let head = try ZstdFrameHeader(decoding: frame)
        try require(head.contentByteCount == UInt64(byteCount), "its content size is not the \(byteCount) listed")
        try require(head.dictionaryID == 0, "it asks for a dictionary")
        try require(!head.hasChecksum, "it has a checksum")
        try require(
            head.windowByteCount <= windowLimit, "its window of \(head.windowByteCount) is over \(windowLimit) bytes")
        let size = ZSTD_findFrameCompressedSize(frame.baseAddress, frame.count)
        try require(ZSTD_isError(size) == 0, "it is damaged or cut off")
        try require(size == frame.count, "it is followed by other bytes")
    }

    private func decompress(
        _ frame: UnsafeRawBufferPointer, prefix: UnsafeRawBufferPointer?, into output: UnsafeMutableRawBufferPointer
    ) throws(SnpackError) {
        ZSTD_DCtx_reset(context, ZSTD_reset_session_and_parameters)
        if let prefix {
            ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, 26)
            ZSTD_DCtx_refPrefix(context, prefix.baseAddress, prefix.count)
        }
        let result = ZSTD_decompressDCtx(context, output.baseAddress, output.count, frame.baseAddress, frame.count)
        try require(ZSTD_isError(result) == 0, String(cString: ZSTD_getErrorName(result)))
        try require(result == output.count, "it holds \(result) bytes, not \(output.count)")
    }
}
