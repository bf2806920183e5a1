import Blobs
import Diagnostics
import DurableFiles
import Hashing
import TerritoryModel
import TerritoryPackage

/// Makes a layer again out of its damaged files and the frames of those chunks in which the damage lies.
///
/// Every chunk is proven by the signed table, whichever way it came, and the whole by the layer's BLAKE3.
struct ChunkRepair {
    let layer: Manifest.Layer
    let notes: LayerNotes
    /// The damaged layer on disk.
    let root: String
    let supply: ChannelSupply
    private let decoder = FrameDecoder()

    init(_ layer: Manifest.Layer, notes: LayerNotes, root: String, supply: ChannelSupply) {
        self.layer = layer
        self.notes = notes
        self.root = root
        self.supply = supply
    }

    /// - Returns: the chunk table; nil if single frames can't be had here and the whole blob must be fetched.
    func run(into sink: any LayerSink, context: WorkContext) throws(SnpackError) -> [UInt8]? {
        let download = supply.download(layer, report: context.report)
        let bytes = if let kept = notes.table { kept } else { try download.fetchTable() }
        guard let bytes else { return nil }
        let table = try ChunkTable(
            decoding: bytes, blobByteCount: layer.blob.byteCount, tarByteCount: layer.blob.tarByteCount)
        // The first frame is fetched before the first byte is written: only then is it known that frames can be had.
        guard let first = try firstDamage(table, context) else { return nil }
        guard let firstFrame = try fetch(first.range, download.path) else { return nil }
        var stream = DamagedStream(notes.files, root: root, isTree: layer.isTree)
        var tar = CanonicalTarReader(sink: LayerProof(of: layer, then: sink))
        var offset: UInt64 = 0
        for (index, chunk) in table.chunks.enumerated() {
            try context.cancel.check()
            var content = stream.read(Int(chunk.contentByteCount))
            if Blake3Digest.of(content) != chunk.contentBlake3 {
                let range = offset..<offset + UInt64(chunk.frameByteCount)
                guard let frame = index == first.index ? firstFrame : try fetch(range, download.path) else {
                    throw SnpackError(
                        .repairSourceLacks, "the source gave some ranges and refuses others", hint: "try again",
                        path: supply.fetcher.location(of: download.path))
                }
                content = try decoder.chunk(of: frame, as: chunk, index: index)
            }
            offset += UInt64(chunk.frameByteCount)
            try content.withBytes { bytes throws(SnpackError) in try tar.read(bytes) }
        }
        try tar.finish()
        return bytes
    }

    private func firstDamage(
        _ table: ChunkTable, _ context: WorkContext
    ) throws(SnpackError) -> (index: Int, range: Range<UInt64>)? {
        var stream = DamagedStream(notes.files, root: root, isTree: layer.isTree)
        var offset: UInt64 = 0
        for (index, chunk) in table.chunks.enumerated() {
            try context.cancel.check()
            let end = offset + UInt64(chunk.frameByteCount)
            if Blake3Digest.of(stream.read(Int(chunk.contentByteCount))) != chunk.contentBlake3 {
                return (index, offset..<end)
            }
            offset = end
        }
        return nil
    }

    private func fetch(_ range: Range<UInt64>, _ path: String) throws(SnpackError) -> [UInt8]? {
        var frame: [UInt8] = []
        let request = ChannelRequest(path, size: layer.blob.byteCount, range: range)
        switch try supply.fetcher.layerFile(request, consume: { (bytes) throws(SnpackError) in frame += bytes }) {
        case .complete: return frame
        case .rangeRefused: return nil
        case .notFound:
            throw SnpackError(
                .repairSourceLacks, "the source does not have this blob any more",
                hint: "try another source, or sync to a newer version", path: supply.fetcher.location(of: path))
        }
    }
}
