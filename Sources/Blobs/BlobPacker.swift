package import Diagnostics
package import DurableFiles
package import Hashing
import Parallel

/// What a manifest says of a blob that was just made, and of the layer in it.
package struct PackedBlob: Hashable, Sendable {
    package let content: LayerContent
    package let byteCount: UInt64
    package let blake3: Blake3Digest
    package let tarByteCount: UInt64
    package let tableByteCount: UInt64
    package let tableBlake3: Blake3Digest
}

/// Packs a layer into `blob` in one pass over its files: canonical tar, chunks, frames, chunk table.
///
/// The bytes depend on the files, `name`, the level and libzstd's version; not on `context.jobs`. Chunks are read and
/// compressed side by side; memory stays at a few chunks a job, whatever the layer's size.
/// - Parameter name: the layer's `path`, which names a single file's entry.
/// - Throws: `layer.not-packable` for files that are too long together, `file.changed` when a file is not what it was when
///   it was listed, and any trouble of the disk.
package func packBlob(
    _ files: any LayerFiles, name: String, encoder: FrameEncoder, into blob: StagedFile, context: WorkContext
) throws(SnpackError) -> PackedBlob {
    let stream = try FileTarStream(files, name: name)
    var cutter = stream.cutter()
    var tarByteCount: UInt64 = 0
    var chunks: [ChunkTable.Chunk] = []
    let content = LayerDigestSink(files)
    var tar = CanonicalTarReader(sink: content)
    var hasher = Blake3Hasher()
    let buffers = ResourcePool<PageBuffer>()
    try orderedPipeline(
        jobs: context.jobs,
        produce: { () throws(SnpackError) -> (offset: UInt64, count: Int)? in
            try context.cancel.check()
            guard let count = cutter.next() else { return nil }
            defer { tarByteCount += UInt64(count) }
            return (tarByteCount, count)
        },
        transform: { part throws(SnpackError) -> (chunk: PageBuffer, frame: PageBuffer, listed: ChunkTable.Chunk) in
            let (chunk, frame) = (try buffers.take(), try buffers.take())
            try stream.read(into: chunk.filling(part.count), at: part.offset)
            try encoder.frame(of: chunk.bytes, into: frame)
            let listed = ChunkTable.Chunk(
                frameByteCount: UInt32(frame.count), contentByteCount: UInt32(chunk.count),
                frameBlake3: .of(frame.bytes), contentBlake3: .of(chunk.bytes))
            return (chunk, frame, listed)
        },
        consume: { result throws(SnpackError) in
            try tar.read(result.chunk.bytes)
            hasher.update(result.frame.bytes)
            try blob.write(result.frame.bytes)
            buffers.giveBack(result.chunk)
            buffers.giveBack(result.frame)
            chunks.append(result.listed)
            context.report.advance(UInt64(result.listed.contentByteCount))
        })
    try tar.finish()
    let table = ChunkTable(chunks).encoded
    hasher.update(table)
    try blob.write(table)
    return PackedBlob(
        content: content.content(), byteCount: blob.byteCount, blake3: hasher.finalize(), tarByteCount: tarByteCount,
        tableByteCount: UInt64(table.count), tableBlake3: .of(table))
}
