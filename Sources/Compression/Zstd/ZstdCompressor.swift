import CZstd
package import Diagnostics

/// Makes zstd frames that carry their content size, no checksum and no dictionary id. Owns one context; one thread at
/// a time.
package final class ZstdCompressor {
    private let context: OpaquePointer
    package static let levels = Int(ZSTD_minCLevel())...Int(ZSTD_maxCLevel())
    /// The library that runs, as 10504: another one may make other bytes of the same content.
    package static let libraryVersion = ZSTD_versionNumber()

    package init() throws(SnpackError) {
        guard let context = ZSTD_createCCtx() else { throw SnpackError(.zstdFailed, "no memory for a zstd compressor") }
        self.context = context
    }

    deinit { ZSTD_freeCCtx(context) }

    /// One frame that holds `input`.
    /// - Parameter level: of ``levels``; the bytes depend on it and on libzstd's version.
    package func frame(of input: UnsafeRawBufferPointer, level: Int) throws(SnpackError) -> [UInt8] {
        try prepare(level: level)
        return try compress(input)
    }

    /// The same frame at the start of `output`, which must have room for it; returns its length.
    package func frame(
        of input: UnsafeRawBufferPointer, level: Int, into output: UnsafeMutableRawBufferPointer
    ) throws(SnpackError) -> Int {
        try prepare(level: level)
        let result = ZSTD_compress2(context, output.baseAddress, output.count, input.baseAddress, input.count)
        try check(result)
        return result
    }

    private func prepare(level: Int) throws(SnpackError) {
        try check(ZSTD_CCtx_reset(context, ZSTD_reset_session_and_parameters))
        try check(ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, Int32(clamping: level)))
        try check(ZSTD_CCtx_setParameter(context, ZSTD_c_contentSizeFlag, 1))
        try check(ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 0))
    }

    /// One frame that holds `input`, found again only by a decoder that is given the same `prefix`.
    ///
    /// The window covers both, with long-distance matching: the fast levels index only a prefix's tail otherwise.
    package func frame(
        of input: UnsafeRawBufferPointer, prefix: UnsafeRawBufferPointer, level: Int
    ) throws(SnpackError) -> [UInt8] {
        let reach = max(1024, input.count + prefix.count)
        let windowLog = min(26, Int.bitWidth - (reach - 1).leadingZeroBitCount)
        try prepare(level: level)
        try check(ZSTD_CCtx_setParameter(context, ZSTD_c_windowLog, Int32(windowLog)))
        try check(ZSTD_CCtx_setParameter(context, ZSTD_c_enableLongDistanceMatching, 1))
        try check(ZSTD_CCtx_refPrefix(context, prefix.baseAddress, prefix.count))
        return try compress(input)
    }

    private func compress(_ input: UnsafeRawBufferPointer) throws(SnpackError) -> [UInt8] {
        var result = 0
        let frame = [UInt8](unsafeUninitializedCapacity: ZSTD_compressBound(input.count)) { buffer, count in
            result = ZSTD_compress2(context, buffer.baseAddress, buffer.count, input.baseAddress, input.count)
            count = ZSTD_isError(result) == 0 ? result : 0
        }
        try check(result)
        return frame
    }

    private func check(_ result: Int) throws(SnpackError) {
        guard ZSTD_isError(result) == 0 else {
            throw SnpackError(.zstdFailed, "zstd cannot compress: \(String(cString: ZSTD_getErrorName(result)))")
        }
    }
}
