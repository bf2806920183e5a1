import Blobs
import Diagnostics
import DurableFiles
import Hashing
import TerritoryModel
import TerritoryPackage
import Transfer

/// Fetches one blob into the cache, going on where an earlier run stopped.
///
/// With the chunk table every frame is proven as it arrives, so a wrong byte costs one frame. A server without ranges
/// gives no table in advance: then the whole is proven at its end. Bytes of the last, incomplete frame are kept too and
/// proven with its rest.
struct BlobDownload {
    /// Up to this size the table isn't worth a request of its own.
    private static let smallByteCount: UInt64 = 1 << 20

    let fetcher: ChannelFetcher
    let cache: BlobCache
    let blob: Manifest.Blob
    /// Where the channel has it.
    let path: String
    let report: any ProgressReporter

    /// The whole blob, proven, in the cache's file.
    func run() throws(SnpackError) -> GrowingFile {
        let part = try cache.part(of: blob.blake3)
        do throws(SnpackError) {
            try fill(part)
            return part
        } catch  where error.code == .blobLonger || error.code == .blobShort {
            throw error.at(fetcher.location(of: path))
        } catch {
            // A file that was made for nothing is no parked download.
            if part.byteCount == 0 { try? cache.drop(blob.blake3) }
            throw error.at(fetcher.location(of: path))
        }
    }

    private func fill(_ part: GrowingFile) throws(SnpackError) {
        if part.byteCount > blob.byteCount { try part.truncate(to: 0) }
        if part.byteCount == 0 && blob.byteCount <= Self.smallByteCount { return try fetchWhole(into: part) }
        guard let bytes = try tableBytes() else { return try fetchWhole(into: part) }
        let table = try ChunkTable(
            decoding: bytes, blobByteCount: blob.byteCount, tarByteCount: blob.tarByteCount)
        let frames = FrameProof(table, part: part)
        try frames.proveWhatIsThere(cancel: fetcher.cancel)
        report.advance(part.byteCount)
        var isSecondTry = false
        while !frames.isComplete {
            do throws(SnpackError) {
                guard try fetch(frames, past: isSecondTry) else {
                    try part.truncate(to: 0)
                    return try fetchWhole(into: part)
                }
            } catch  where error.code == .blobFrameInvalid && !isSecondTry {
                isSecondTry = true
            }
        }
        try bytes.withBytes { bytes throws(SnpackError) in try part.append(bytes) }
    }

    private func fetch(_ frames: FrameProof, past isPastCaches: Bool) throws(SnpackError) -> Bool {
        let range = frames.part.byteCount..<frames.byteCount
        let request = ChannelRequest(path, size: blob.byteCount, range: range, isPastCaches: isPastCaches)
        let answer = try fetcher.layerFile(request) { (bytes) throws(SnpackError) in
            report.advance(UInt64(bytes.count))
            try frames.take(bytes)
        }
        if answer == .notFound { throw missing }
        return answer == .complete
    }

    /// The signed table: kept, or fetched by a range; nil where ranges can't be had.
    private func tableBytes() throws(SnpackError) -> [UInt8]? {
        if let kept = cache.table(of: blob) { return kept }
        guard let table = try fetchTable() else { return nil }
        try cache.keep(table, of: blob)
        return table
    }

    /// The chunk table by a range, proven.
    func fetchTable() throws(SnpackError) -> [UInt8]? {
        _ = try ChunkTable.readableByteCount(blob.tableByteCount)
        for isPastCaches in [false, true] {
            var bytes: [UInt8] = []
            let range = blob.byteCount - blob.tableByteCount..<blob.byteCount
            let request = ChannelRequest(path, size: blob.byteCount, range: range, isPastCaches: isPastCaches)
            switch try fetcher.layerFile(request, consume: { (piece) throws(SnpackError) in bytes += piece }) {
            case .complete: if Blake3Digest.of(bytes) == blob.tableBlake3 { return bytes }
            case .notFound: throw missing
            case .rangeRefused: return nil
            }
        }
        throw SnpackError(
            .blobTableInvalid, "chunk table: it does not have the signed BLAKE3",
            hint: "the file there is not the signed one; use another source")
    }

    private func fetchWhole(into part: GrowingFile) throws(SnpackError) {
        var cameWhole = false
        for isPastCaches in [false, true] {
            try part.truncate(to: 0)
            var hasher = Blake3Hasher()
            let request = ChannelRequest(path, size: blob.byteCount, isPastCaches: isPastCaches)
            let answer: ChannelAnswer
            do throws(SnpackError) {
                answer = try fetcher.layerFile(request) { (bytes) throws(SnpackError) in
                    hasher.update(bytes)
                    try part.append(bytes)
                    report.advance(UInt64(bytes.count))
                }
            } catch  where error.code == .blobLonger || error.code == .blobShort {
                try part.truncate(to: 0)
                throw error
            }
            switch answer {
            case .notFound: throw missing
            case .complete where hasher.finalize() == blob.blake3: return
            case .complete: cameWhole = true
            // It broke off, and there is no going on in the middle.
            case .rangeRefused: break
            }
            try part.truncate(to: 0)
        }
        guard cameWhole else {
            throw SnpackError(
                .transferBodyShort, "the transfer broke off, and the server cannot go on in the middle of a file",
                hint: "run the command again, or use a server that knows ranges")
        }
        throw SnpackError(
            .blobMismatch, "it does not have the signed BLAKE3",
            hint: "the file there is not the signed one; use another source")
    }

    private var missing: SnpackError {
        SnpackError(
            .fileMissing, "the signed manifest names it, and it is not there",
            hint: "a partial mirror may not have it: try another source")
    }
}

/// The frames of a blob as they grow in a file: each hashed while it comes, and cut off again if it is not the listed one.
private final class FrameProof {
    let part: GrowingFile
    private let table: ChunkTable
    private var index = 0
    private var frameStart: UInt64 = 0
    private var taken: UInt64 = 0
    private var hasher = Blake3Hasher()
    /// All frames, without the table behind them.
    let byteCount: UInt64

    init(_ table: ChunkTable, part: GrowingFile) {
        self.table = table
        self.part = part
        byteCount = table.chunks.reduce(0) { $0 + UInt64($1.frameByteCount) }
    }

    var isComplete: Bool { index == table.chunks.count }

    /// Proves the file's frames from the first on; what follows a wrong one is cut off.
    func proveWhatIsThere(cancel: CancelToken) throws(SnpackError) {
        let end = min(part.byteCount, byteCount)
        try part.truncate(to: end)
        var offset: UInt64 = 0
        while offset < end {
            try cancel.check()
            let piece = try part.bytes(at: offset, count: Int(min(1 << 20, end - offset)))
            guard try piece.withBytes({ bytes throws(SnpackError) in try hash(bytes) }) else { return }
            offset += UInt64(piece.count)
        }
    }

    /// Appends bytes; throws `blob.frame-invalid` when they end a frame that is not the listed one.
    func take(_ bytes: UnsafeRawBufferPointer) throws(SnpackError) {
        try part.append(bytes)
        guard try hash(bytes) else {
            throw SnpackError(
                .blobFrameInvalid, "frame \(index): it does not have the listed BLAKE3",
                hint: "the file there is not the signed one; use another source")
        }
    }

    /// False, and all from that frame on cut off, if a frame is not the listed one.
    private func hash(_ bytes: UnsafeRawBufferPointer) throws(SnpackError) -> Bool {
        var rest = bytes
        while !rest.isEmpty, index < table.chunks.count {
            let chunk = table.chunks[index]
            let count = min(rest.count, Int(UInt64(chunk.frameByteCount) - taken))
            hasher.update(UnsafeRawBufferPointer(rebasing: rest[..<count]))
            taken += UInt64(count)
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            guard taken == UInt64(chunk.frameByteCount) else { continue }
            let isListed = hasher.finalize() == chunk.frameBlake3
            hasher = Blake3Hasher()
            taken = 0
            guard isListed else {
                try part.truncate(to: frameStart)
                return false
            }
            frameStart += UInt64(chunk.frameByteCount)
            index += 1
        }
        return true
    }
}
