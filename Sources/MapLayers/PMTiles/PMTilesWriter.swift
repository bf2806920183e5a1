package import Diagnostics
package import DurableFiles
package import Hashing

/// Writes an archive tile by tile: equal contents once, neighbours with one content as a run.
///
/// The tiles wait in a temporary file beside the target, since what stands before them depends on all of them; only
/// the directory is in memory, some 60 bytes a tile.
package final class PMTilesWriter {
    private static let copyByteCount = 1 << 20
    private let spool: StagedFile
    private var list = PMTilesEntryList<ContentKey>()
    private var waiting: [UInt8] = []

    /// Half a digest: enough to tell any number of tiles apart, and half the memory.
    private struct ContentKey: Hashable {
        let high: UInt64
        let low: UInt64

        init(_ digest: Blake3Digest) {
            (high, low) = digest.bytes.withUnsafeBytes {
                ($0.loadUnaligned(as: UInt64.self), $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
            }
        }
    }

    /// - Parameter directory: has room for the tiles' bytes once more.
    package init(spoolingIn directory: Directory) throws(SnpackError) {
        spool = try StagedFile(in: directory, mode: 0o600)
    }

    /// Adds a tile. Ids ascend.
    /// - Parameters:
    ///   - bytes: as they are stored, not empty, under 4 GiB.
    ///   - digest: of `bytes`; made by the caller, who may have more cores.
    package func append(_ id: UInt64, _ bytes: [UInt8], digest: Blake3Digest) throws(SnpackError) {
        guard let byteCount = UInt32(exactly: bytes.count), byteCount > 0 else {
            throw SnpackError(.pmtilesTileTooLarge, "\(PMTilesArchive.name(id)) has \(bytes.count) bytes")
        }
        guard list.append(id..<id + 1, content: ContentKey(digest), byteCount: byteCount) else { return }
        waiting += bytes
        if waiting.count >= Self.copyByteCount { try flush() }
    }

    private func flush() throws(SnpackError) {
        try spool.write(waiting)
        waiting.removeAll(keepingCapacity: true)
    }

    /// Writes the whole archive into `target`, which the caller commits.
    package func finish(
        _ description: PMTilesDescription, into target: StagedFile, context: WorkContext
    ) throws(SnpackError) -> PMTilesHeader {
        try flush()
        let head = try PMTilesHead(list, description)
        try target.write(head.bytes)
        let tiles = try spool.reader()
        var offset: UInt64 = 0
        while offset < tiles.byteCount {
            try context.cancel.check()
            let count = min(tiles.byteCount - offset, UInt64(Self.copyByteCount))
            try target.write(try tiles.bytes(at: offset, count: Int(count)))
            offset += count
        }
        spool.discard()
        return head.header
    }
}
