import CZlib
package import Diagnostics

/// Makes gzip members whose bytes depend on the input (and zlib) alone: level 6, memory level 8, no time, no name,
/// system Unix. They are the bytes that tippecanoe writes. One handle serves many; one thread at a time.
package final class GzipWriter {
    /// zlib keeps the stream's address, so the stream must not move.
    private let stream: UnsafeMutablePointer<z_stream>

    package init() throws(SnpackError) {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        let status = deflateInit2_(
            stream, 6, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size))
        guard status == Z_OK else { throw zlibFailure(status) }
    }

    deinit {
        deflateEnd(stream)
        stream.deallocate()
    }

    /// The bytes as one gzip member. At most 4 GiB at a time.
    package func compress(_ bytes: UnsafeRawBufferPointer) throws(SnpackError) -> [UInt8] {
        guard let inputCount = UInt32(exactly: bytes.count), deflateReset(stream) == Z_OK else {
            throw SnpackError(.gzipTooLarge, "\(bytes.count) bytes are too many for one gzip member here")
        }
        let bound = Int(deflateBound(stream, UInt(inputCount)))
        stream.pointee.next_in = UnsafeMutablePointer(mutating: bytes.assumingMemoryBound(to: UInt8.self).baseAddress)
        stream.pointee.avail_in = inputCount
        var status = Z_OK
        let output = [UInt8](unsafeUninitializedCapacity: bound) { output, count in
            stream.pointee.next_out = output.baseAddress
            stream.pointee.avail_out = UInt32(clamping: bound)
            status = deflate(stream, Z_FINISH)
            count = Int(UInt32(clamping: bound) - stream.pointee.avail_out)
        }
        guard status == Z_STREAM_END else { throw zlibFailure(status) }
        return output
    }

    package func compress(_ bytes: [UInt8]) throws(SnpackError) -> [UInt8] {
        try bytes.withUnsafeBytes { input in
            Result { () throws(SnpackError) in try compress(input) }
        }.get()
    }
}

func zlibFailure(_ status: Int32) -> SnpackError {
    SnpackError(.zlibFailed, "zlib says \(String(cString: zError(status)))")
}
