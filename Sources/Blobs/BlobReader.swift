package import Diagnostics
package import DurableFiles
import Hashing
import Parallel
package import TerritoryModel

/// Takes a signed layer out of its blob. No byte reaches the decompressor, and no chunk the tar reader, before it is proven.
package struct BlobReader: Sendable {
    let blob: any RandomAccess
    let layer: Manifest.Layer
    let decoder: FrameDecoder

    package init(_ blob: any RandomAccess, layer: Manifest.Layer, decoder: FrameDecoder = FrameDecoder()) {
        self.blob = blob
        self.layer = layer
        self.decoder = decoder
    }

    /// Throws unless the blob has the signed size.
    package func checkSize() throws(SnpackError) {
        guard blob.byteCount == layer.blob.byteCount else {
            throw SnpackError(
                .blobMismatch, "\(blob.byteCount) bytes, not the \(layer.blob.byteCount) signed",
                hint: "fetch it again, or build the release again", path: blob.name)
        }
    }

    /// The chunk table, its bytes proven by the signed BLAKE3.
    package func table() throws(SnpackError) -> ChunkTable {
        try checkSize()
        guard layer.blob.tableByteCount <= blob.byteCount else {
            throw SnpackError(.blobTableInvalid, "chunk table: larger than the blob", path: blob.name)
        }
        do throws(SnpackError) {
            let count = try ChunkTable.readableByteCount(layer.blob.tableByteCount)
            let bytes = try blob.bytes(at: blob.byteCount - layer.blob.tableByteCount, count: count)
            guard Blake3Digest.of(bytes) == layer.blob.tableBlake3 else {
                throw SnpackError(.blobTableInvalid, "chunk table: it does not have the signed BLAKE3")
            }
            return try ChunkTable(
                decoding: bytes, blobByteCount: layer.blob.byteCount, tarByteCount: layer.blob.tarByteCount)
        } catch { throw error.at(blob.name) }
    }

    /// Reads the whole blob once: proves it, every frame and chunk, the tar stream and the layer's content, and hands the
    /// files to `sink`.
    package func read(into sink: (any LayerSink)? = nil, context: WorkContext) throws(SnpackError) {
        let table = try table()
        var tar = CanonicalTarReader(sink: LayerProof(of: layer, then: sink))
        var hasher = Blake3Hasher()
        let buffers = ResourcePool<PageBuffer>()
        var index = 0
        var offset: UInt64 = 0
        do throws(SnpackError) {
            try orderedPipeline(
                jobs: context.jobs,
                produce: { () throws(SnpackError) -> (index: Int, frame: PageBuffer)? in
                    try context.cancel.check()
                    guard index < table.chunks.count else { return nil }
                    let frame = try buffers.take()
                    try blob.read(into: frame.filling(Int(table.chunks[index].frameByteCount)), at: offset)
                    hasher.update(frame.bytes)
                    defer {
                        offset += UInt64(frame.count)
                        index += 1
                    }
                    return (index, frame)
                },
                transform: { [decoder] work throws(SnpackError) -> PageBuffer in
                    let (chunk, listed) = (try buffers.take(), table.chunks[work.index])
                    try decoder.chunk(
                        of: work.frame.bytes, as: listed, index: work.index,
                        into: chunk.filling(Int(listed.contentByteCount)))
                    buffers.giveBack(work.frame)
                    return chunk
                },
                consume: { chunk throws(SnpackError) in
                    try tar.read(chunk.bytes)
                    context.report.advance(UInt64(chunk.count))
                    buffers.giveBack(chunk)
                })
            try tar.finish()
            hasher.update(table.encoded)
            guard hasher.finalize() == layer.blob.blake3 else {
                throw SnpackError(.blobMismatch, "it does not have the signed BLAKE3")
            }
        } catch { throw error.at(blob.name) }
    }
}
