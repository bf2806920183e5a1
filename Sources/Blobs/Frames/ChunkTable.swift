package import Diagnostics
package import DurableFiles
package import Hashing
import TerritoryModel

/// The list of a blob's frames, in the skippable zstd frame at its end.
///
/// Layout: magic `0x184D2A5D`, u32 payload size; payload `SNCT`, u32 1, u32 n, u32 0, then 72 bytes a chunk. Integers are
/// little-endian.
package struct ChunkTable: Hashable, Sendable {
    package struct Chunk: Hashable, Sendable {
        package let frameByteCount: UInt32
        package let contentByteCount: UInt32
        package let frameBlake3: Blake3Digest
        package let contentBlake3: Blake3Digest

        package init(
            frameByteCount: UInt32, contentByteCount: UInt32, frameBlake3: Blake3Digest, contentBlake3: Blake3Digest
        ) {
            self.frameByteCount = frameByteCount
            self.contentByteCount = contentByteCount
            self.frameBlake3 = frameBlake3
            self.contentBlake3 = contentBlake3
        }
    }

    /// Larger tables are not taken into memory: 1 GiB, those of blobs of over 7 TiB.
    private static let byteLimit: UInt64 = 1 << 30
    package static let skippableMagic: UInt32 = 0x184D_2A5D
    private static let headByteCount = Int(Limits.chunkTableHeadBytes)
    private static let chunkByteCount = Int(Limits.chunkEntryBytes)
    private static let name: [UInt8] = Array("SNCT".utf8)

    package let chunks: [Chunk]

    package init(_ chunks: [Chunk]) { self.chunks = chunks }

    /// Bytes of the table with its 8-byte head.
    package var byteCount: UInt64 { Self.byteCount(chunkCount: chunks.count) }

    package static func byteCount(chunkCount: Int) -> UInt64 {
        UInt64(headByteCount) + UInt64(chunkByteCount) * UInt64(chunkCount)
    }

    /// The size that a manifest tells of a table, as one that memory is taken for.
    package static func readableByteCount(_ stated: UInt64) throws(SnpackError) -> Int {
        guard stated <= byteLimit, let count = Int(exactly: stated) else {
            throw SnpackError(.blobTableInvalid, "chunk table: \(stated) bytes; at most \(byteLimit) are read")
        }
        return count
    }

    package var encoded: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Int(byteCount))
        func put(_ value: UInt32) { withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) } }
        put(Self.skippableMagic)
        put(UInt32(byteCount - 8))
        bytes += Self.name
        put(1)
        put(UInt32(chunks.count))
        put(0)
        for chunk in chunks {
            put(chunk.frameByteCount)
            put(chunk.contentByteCount)
            bytes += chunk.frameBlake3.bytes
            bytes += chunk.contentBlake3.bytes
        }
        return bytes
    }

    /// Reads a table whose bytes are proven, and checks it against the signed sizes.
    package init(decoding bytes: [UInt8], blobByteCount: UInt64, tarByteCount: UInt64) throws(SnpackError) {
        func require(_ condition: Bool, _ reason: @autoclosure () -> String) throws(SnpackError) {
            if !condition { throw SnpackError(.blobTableInvalid, "chunk table: \(reason())") }
        }
        func integer(at offset: Int) -> UInt32 {
            (0..<4).reduce(0) { $0 | UInt32(bytes[offset + $1]) << (8 * UInt32($1)) }
        }
        try require(bytes.count >= Self.headByteCount + Self.chunkByteCount, "it is too short")
        try require(integer(at: 0) == Self.skippableMagic, "it is not the skippable frame expected")
        try require(UInt64(integer(at: 4)) == UInt64(bytes.count - 8), "its size field is wrong")
        try require(Array(bytes[8..<12]) == Self.name && integer(at: 12) == 1, "it is not version 1")
        let count = Int(integer(at: 16))
        try require(integer(at: 20) == 0, "its reserved field is not 0")
        try require(
            UInt64(bytes.count) == Self.byteCount(chunkCount: count), "its size does not fit its \(count) chunks")
        try require(
            Limits.chunks(tarBytes: tarByteCount).contains(UInt64(count)),
            "\(count) chunks are too many for \(tarByteCount) bytes")
        var chunks: [Chunk] = []
        chunks.reserveCapacity(count)
        var frameTotal: UInt64 = UInt64(bytes.count)
        var contentTotal: UInt64 = 0
        for index in 0..<count {
            let offset = Self.headByteCount + index * Self.chunkByteCount
            let chunk = Chunk(
                frameByteCount: integer(at: offset), contentByteCount: integer(at: offset + 4),
                frameBlake3: Blake3Digest(checked: bytes[offset + 8..<offset + 40]),
                contentBlake3: Blake3Digest(checked: bytes[offset + 40..<offset + 72]))
            try require(
                (1...Limits.chunkFrameBytes).contains(UInt64(chunk.frameByteCount)),
                "chunk \(index): its frame size is out of range"
            )
            try require(
                (1...Limits.chunkBytes).contains(UInt64(chunk.contentByteCount)),
                "chunk \(index): its length is out of range")
            frameTotal += UInt64(chunk.frameByteCount)
            contentTotal += UInt64(chunk.contentByteCount)
            chunks.append(chunk)
        }
        try require(frameTotal == blobByteCount, "its frames do not add up to the blob's \(blobByteCount) bytes")
        try require(contentTotal == tarByteCount, "its chunks do not add up to \(tarByteCount) bytes")
        self.chunks = chunks
    }
}

extension Blake3Digest {
    /// From 32 bytes whose number the caller has checked.
    fileprivate init(checked bytes: ArraySlice<UInt8>) {
        guard let digest = Blake3Digest(bytes: bytes) else { preconditionFailure("a digest is 32 bytes") }
        self = digest
    }
}

extension ChunkTable {
    private static let searchLimit = 1 << 20

    /// The table at the end of a blob that nobody vouches for: found by its own size field, for a look inside.
    package init(lastIn blob: any RandomAccess) throws(SnpackError) {
        let fields = 16
        // The number of chunks is not known from the end: walk back a chunk at a time until a head fits. Every chunk has
        // a frame of at least a byte, and more chunks than a terabyte has are not looked for.
        for count in 1...Self.searchLimit {
            let size = Self.byteCount(chunkCount: count)
            guard size + UInt64(count) <= blob.byteCount else { break }
            let head = try blob.bytes(at: blob.byteCount - size, count: fields)
            func integer(_ offset: Int) -> UInt64 {
                (0..<4).reduce(0) { $0 | UInt64(head[offset + $1]) << (8 * UInt64($1)) }
            }
            if integer(0) == UInt64(Self.skippableMagic), integer(4) == size - 8, Array(head[8..<12]) == Self.name {
                let bytes = try blob.bytes(at: blob.byteCount - size, count: Int(size))
                let total = (0..<count).reduce(UInt64(0)) { total, index in
                    let offset = Self.headByteCount + index * Self.chunkByteCount + 4
                    return total + (0..<4).reduce(0) { $0 | UInt64(bytes[offset + $1]) << (8 * UInt64($1)) }
                }
                try self.init(decoding: bytes, blobByteCount: blob.byteCount, tarByteCount: total)
                return
            }
        }
        throw SnpackError(.blobTableInvalid, "no chunk table at its end: not a blob of a layer", path: blob.name)
    }
}
