import Compression
package import Diagnostics
import Hashing
import Parallel

/// Makes the frames of blobs: one chunk, one frame.
package struct FrameEncoder: Sendable {
    /// The level used unless one is asked for.
    package static let defaultLevel = 9
    /// Frames whose sample does not shrink below this share hold compressed data already.
    private static let worthwhileShare = 0.97
    private static let sampleByteCount = 16 << 10

    package let level: Int
    private let compressors = ResourcePool { () throws(SnpackError) in try ZstdCompressor() }

    package init(level: Int = defaultLevel) { self.level = level }

    /// The frame of `chunk`. Content that is compressed already, as four samples of it tell, gets level 1: it would not
    /// shrink at any level, and high ones take their time to find that out.
    package func frame(of chunk: [UInt8]) throws(SnpackError) -> [UInt8] {
        try compressors.with { compressor throws(SnpackError) in
            let isCompressed = if self.level > 1 { try looksCompressed(chunk, compressor) } else { false }
            let level = isCompressed ? 1 : self.level
            return try chunk.withBytes { bytes throws(SnpackError) in try compressor.frame(of: bytes, level: level) }
        }
    }

    private func looksCompressed(_ chunk: [UInt8], _ compressor: ZstdCompressor) throws(SnpackError) -> Bool {
        guard chunk.count >= 8 * Self.sampleByteCount else { return false }
        var sample: [UInt8] = []
        sample.reserveCapacity(4 * Self.sampleByteCount)
        for part in 0..<4 {
            let start = part * (chunk.count - Self.sampleByteCount) / 3
            sample += chunk[start..<start + Self.sampleByteCount]
        }
        let frame = try sample.withBytes { bytes throws(SnpackError) in try compressor.frame(of: bytes, level: 1) }
        return Double(frame.count) > Self.worthwhileShare * Double(sample.count)
    }
}

/// Opens the frames of blobs, each proven before it is decompressed.
package struct FrameDecoder: Sendable {
    /// The largest window that a blob's frame may ask for: 8 MiB.
    package static let windowLimit: UInt64 = 8 << 20

    private let decompressors = ResourcePool { () throws(SnpackError) in try ZstdDecompressor() }

    package init() {}

    /// The chunk in `frame`, if both are those of the table.
    package func chunk(of frame: [UInt8], as listed: ChunkTable.Chunk, index: Int) throws(SnpackError) -> [UInt8] {
        func invalid(_ reason: String) -> SnpackError {
            SnpackError(
                .blobFrameInvalid, "frame \(index): \(reason)", hint: "fetch the blob again, or build it again")
        }
        guard frame.count == Int(listed.frameByteCount), Blake3Digest.of(frame) == listed.frameBlake3 else {
            throw invalid("it does not have the listed BLAKE3")
        }
        let chunk: [UInt8]
        do throws(SnpackError) {
            chunk = try decompressors.with { decompressor throws(SnpackError) in
                try frame.withBytes { bytes throws(SnpackError) in
                    try decompressor.content(
                        of: bytes, byteCount: Int(listed.contentByteCount), windowLimit: Self.windowLimit)
                }
            }
        } catch { throw invalid(error.message) }
        guard Blake3Digest.of(chunk) == listed.contentBlake3 else {
            throw invalid("its content does not have the listed BLAKE3")
        }
        return chunk
    }
}

extension Array<UInt8> {
    /// `withUnsafeBytes` for bodies with a typed error.
    package func withBytes<Result>(
        _ body: (UnsafeRawBufferPointer) throws(SnpackError) -> Result
    ) throws(SnpackError) -> Result {
        var result: Swift.Result<Result, SnpackError>?
        withUnsafeBytes { bytes in
            do throws(SnpackError) { result = .success(try body(bytes)) } catch { result = .failure(error) }
        }
        guard let result else { preconditionFailure("the body always runs") }
        return try result.get()
    }
}
