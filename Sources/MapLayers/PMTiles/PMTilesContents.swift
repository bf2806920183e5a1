import Diagnostics
import DurableFiles
import Parallel

/// Reads every distinct content of an archive once, in the order of the file, and looks at each on all cores.
struct PMTilesContents {
    /// How much is read at once; a longer tile is read alone.
    private static let batchByteCount = 1 << 20
    /// Longer tiles than this, compressed or not, are refused.
    static let tileLimit = 32 << 20

    private(set) var contentCount: UInt64 = 0
    private(set) var unusedByteCount: UInt64 = 0
    /// The names of the vector layers met, ascending by their bytes.
    private(set) var layerNames: [String] = []
    private(set) var faults = FaultList()

    init(of archive: PMTilesArchive, repeats: [TileContent], context: WorkContext) throws(SnpackError) {
        let header = archive.header
        var sequence = TileContentSequence(of: archive, repeats: repeats)
        var names = VectorLayerNames()
        var found = FaultList()
        var waiting: TileContent?
        let check = TileContentCheck(compression: header.tileCompression, type: header.tileType)

        context.report.begin("checking tiles", byteCount: header.tiles.byteCount)
        defer { context.report.end() }
        try orderedPipeline(
            jobs: context.jobs,
            produce: { () throws(SnpackError) in
                try context.cancel.check()
                var batch = TileBatch()
                while batch.byteCount < Self.batchByteCount {
                    if waiting == nil { waiting = try sequence.next() }
                    guard let content = waiting else { break }
                    waiting = nil
                    guard content.byteCount <= Self.tileLimit else {
                        found.add(.tooLarge(content.tileID, byteCount: Int(content.byteCount)))
                        continue
                    }
                    guard batch.append(content) else {
                        waiting = content
                        break
                    }
                }
                guard let first = batch.contents.first else { return nil }
                batch.bytes = try archive.file.bytes(at: header.tiles.offset + first.offset, count: batch.byteCount)
                return batch
            },
            transform: { batch throws(SnpackError) in try check.run(on: batch) },
            consume: { result throws(SnpackError) in
                names.formUnion(result.names)
                for fault in result.faults { found.add(fault) }
                context.report.advance(UInt64(result.byteCount))
            })
        contentCount = sequence.contentCount
        unusedByteCount = sequence.unusedByteCount + (header.tiles.byteCount - sequence.end)
        layerNames = names.sorted
        faults.add(contentsOf: sequence.faults)
        if let stray = sequence.firstOutOfOrder {
            faults.add(
                SnpackError(
                    .pmtilesNotClustered,
                    "the bytes of \(PMTilesArchive.name(stray.tileID)) lie before those of tiles with lower ids",
                    hint: "run `pmtiles cluster` on it"))
        }
        faults.add(contentsOf: found)
    }
}

extension SnpackError {
    static func tooLarge(_ id: UInt64, byteCount: Int) -> SnpackError {
        SnpackError(
            .pmtilesTileTooLarge,
            "\(PMTilesArchive.name(id)) has \(byteCount) bytes; tiles are at most \(PMTilesContents.tileLimit) long")
    }
}

/// Contents that lie next to each other in the file.
struct TileBatch: Sendable {
    private(set) var contents: [TileContent] = []
    private(set) var byteCount = 0
    var bytes: [UInt8] = []

    /// False when `content` does not lie right behind the others.
    mutating func append(_ content: TileContent) -> Bool {
        if let last = contents.last, last.end != content.offset { return false }
        contents.append(content)
        byteCount += Int(content.byteCount)
        return true
    }

    /// Adds a tile that comes from elsewhere, with its bytes.
    mutating func append(_ tile: [UInt8], of id: UInt64) {
        contents.append(TileContent(tileID: id, offset: UInt64(byteCount), byteCount: UInt32(clamping: tile.count)))
        byteCount += tile.count
        bytes += tile
    }
}
