import Blobs
import Compression
import Diagnostics
import DurableFiles
import Foundation
import Hashing
import SnpackTestSupport
import TerritoryModel

/// A layer made of files in memory, its blob, and what a manifest says of both.
struct PackedLayer {
    let blob: [UInt8]
    let layer: Manifest.Layer

    /// Packs `files` as a tree, or the only one as a single file.
    init(_ files: [(path: String, bytes: [UInt8])], isTree: Bool = true, level: Int = 3, jobs: Int = 2) throws {
        (blob, layer) = try ProjectFiles.inTemporaryDirectory { root in
            for file in files {
                let url = root.appending(path: "layer/\(file.path)")
                try FileManager.default.createDirectory(
                    at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Data(file.bytes).write(to: url)
            }
            let source = isTree ? root.appending(path: "layer") : root.appending(path: "layer/\(files[0].path)")
            return try Self.pack(
                source.path, name: isTree ? "layer" : files[0].path, level: level, jobs: jobs, in: root)
        }
    }

    static func pack(
        _ source: String, name: String, level: Int = 3, jobs: Int = 2, in root: URL
    ) throws -> ([UInt8], Manifest.Layer) {
        var faults = FaultList()
        let tree = try FileTree(listing: source, faults: &faults)
        try faults.throwIfAny("not a layer")
        let directory = try Directory.open(root.path)
        let file = try StagedFile(in: directory)
        let packed = try packBlob(
            tree, name: name, encoder: FrameEncoder(level: level), into: file, context: WorkContext(jobs: jobs))
        try file.commit(as: "blob", replacing: true)
        return (try directory.contents(of: "blob", limit: 1 << 28), try layer(packed, name: name, isTree: tree.isTree))
    }

    private static func layer(_ packed: PackedBlob, name: String, isTree: Bool) throws -> Manifest.Layer {
        let path = try LayerPath(parsing: name)
        return try Manifest.Layer(
            kind: LayerKind(parsing: "extra"), path: path, isTree: isTree, fileCount: packed.content.fileCount,
            byteCount: packed.content.byteCount, blake3: packed.content.blake3,
            blob: Manifest.Blob(
                of: path, fileCount: packed.content.fileCount, layerByteCount: packed.content.byteCount,
                byteCount: packed.byteCount, blake3: packed.blake3, tarByteCount: packed.tarByteCount,
                tableByteCount: packed.tableByteCount, tableBlake3: packed.tableBlake3))
    }

    /// Whatever stands in `tar`, signed as if it were this layer: only what reads the tar stream can refuse it.
    init(
        signing chunks: [[UInt8]], frames: [[UInt8]]? = nil,
        as layer: (files: UInt64, bytes: UInt64, blake3: Blake3Digest),
        path: String = "layer", isTree: Bool = true
    ) throws {
        let compressor = try ZstdCompressor()
        let made =
            try frames
            ?? chunks.map { chunk in
                try chunk.withBytes { bytes throws(SnpackError) in try compressor.frame(of: bytes, level: 3) }
            }
        let table = ChunkTable(
            zip(made, chunks).map { frame, chunk in
                ChunkTable.Chunk(
                    frameByteCount: UInt32(frame.count), contentByteCount: UInt32(chunk.count),
                    frameBlake3: .of(frame), contentBlake3: .of(chunk))
            }
        ).encoded
        blob = made.flatMap { $0 } + table
        let place = try LayerPath(parsing: path)
        self.layer = try Manifest.Layer(
            kind: LayerKind(parsing: "extra"), path: place, isTree: isTree, fileCount: layer.files,
            byteCount: layer.bytes, blake3: layer.blake3,
            blob: Manifest.Blob(
                of: place, fileCount: layer.files, layerByteCount: layer.bytes, byteCount: UInt64(blob.count),
                blake3: .of(blob), tarByteCount: chunks.reduce(0) { $0 + UInt64($1.count) },
                tableByteCount: UInt64(table.count), tableBlake3: .of(table)))
    }

    func read(_ bytes: [UInt8]? = nil, into sink: (any LayerSink)? = nil, jobs: Int = 2) throws(SnpackError) {
        let file = MemoryFile(bytes ?? blob, name: "blob")
        try BlobReader(file, layer: layer).read(into: sink, context: WorkContext(jobs: jobs))
    }
}

/// Keeps the files that come out of a blob.
final class MemorySink: LayerSink {
    private(set) var files: [(path: String, bytes: [UInt8])] = []
    private(set) var isFinished = false

    func beginFile(path: String, byteCount: UInt64) { files.append((path, [])) }
    func write(_ bytes: UnsafeRawBufferPointer) { files[files.count - 1].bytes.append(contentsOf: bytes) }
    func endFile() {}
    func finish() { isFinished = true }
}
