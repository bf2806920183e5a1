import Compression
package import Diagnostics
import DurableFiles
import Hashing
import Parallel

/// Makes the frames of blobs: one chunk, one frame.
package struct FrameEncoder: Sendable {
    /// The level used unless one is asked for.
    package static let defaultLevel = 9
    /// Frames whose sample does not shrink below this share hold compressed data already.
    private static let worthwhileShare = 0.97
    private static let sampleByteCount = 16 << 10
    /// Of gzip tiles it leaves as much as level 3, at twice the speed.
    private static let cheapLevel = -1

    package let level: Int
    private let compressors = ResourcePool { () throws(SnpackError) in try ZstdCompressor() }

    package init(level: Int = defaultLevel) { self.level = level }

    /// The frame of `chunk`. Content that is compressed already, as four samples of it tell, gets a cheap level: it would
    /// not shrink at any, and high ones take their time to find that out.
    package func frame(of chunk: [UInt8]) throws(SnpackError) -> [UInt8] {
        try compressors.with { compressor throws(SnpackError) in
            try chunk.withBytes { bytes throws(SnpackError) in
                try compressor.frame(of: bytes, level: level(for: bytes, compressor))
            }
        }
    }

    /// The same frame into `frame`.
    func frame(of chunk: UnsafeRawBufferPointer, into frame: PageBuffer) throws(SnpackError) {
        frame.count = try compressors.with { compressor throws(SnpackError) in
            try compressor.frame(of: chunk, level: level(for: chunk, compressor), into: frame.room)
        }
    }

    private func level(for chunk: UnsafeRawBufferPointer, _ compressor: ZstdCompressor) throws(SnpackError) -> Int {
        guard level > Self.cheapLevel, try looksCompressed(chunk, compressor) else { return level }
        return Self.cheapLevel
    }

    private func looksCompressed(
        _ chunk: UnsafeRawBufferPointer, _ compressor: ZstdCompressor
    ) throws(SnpackError) -> Bool {
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
        try fillingArray(count: Int(listed.contentByteCount)) { chunk throws(SnpackError) in
            try frame.withBytes { bytes throws(SnpackError) in
                try self.chunk(of: bytes, as: listed, index: index, into: chunk)
            }
        }
    }

    /// The same into `chunk`, which has the listed size.
    package func chunk(
        of frame: UnsafeRawBufferPointer, as listed: ChunkTable.Chunk, index: Int,
        into chunk: UnsafeMutableRawBufferPointer
    ) throws(SnpackError) {
        func invalid(_ reason: String) -> SnpackError {
            SnpackError(
                .blobFrameInvalid, "frame \(index): \(reason)", hint: "fetch the blob again, or build it again")
        }
        guard frame.count == Int(listed.frameByteCount), Blake3Digest.of(frame) == listed.frameBlake3 else {
            throw invalid("it does not have the listed BLAKE3")
        }
        do throws(SnpackError) {
            try decompressors.with { decompressor throws(SnpackError) in
                try decompressor.content(of: frame, windowLimit: Self.windowLimit, into: chunk)
            }
        } catch { throw invalid(error.message) }
        guard Blake3Digest.of(UnsafeRawBufferPointer(chunk)) == listed.contentBlake3 else {
            throw invalid("its content does not have the listed BLAKE3")
        }
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
