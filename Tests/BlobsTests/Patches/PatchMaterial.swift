import Blobs
import Diagnostics
import DurableFiles
import Foundation
import Hashing
import SnpackTestSupport
import TerritoryModel
import Testing

/// A layer on disk together with what a manifest would say of it.
struct PatchSide {
    let tree: FileTree
    let layer: Manifest.Layer
    let files: FileTarStream

    /// Lists and digests what lies at `path`. The blob is described, not made.
    /// - Parameter blobByteCount: what the blob is said to weigh.
    init(_ path: String, name: String = "layer", blobByteCount: UInt64? = nil) throws {
        var faults = FaultList()
        tree = try FileTree(listing: path, faults: &faults)
        #expect(faults.isEmpty)
        let content = try digest(of: tree, name: name, context: WorkContext())
        files = try FileTarStream(tree, name: name)
        layer = try Self.layer(
            isTree: tree.isTree, blake3: content.blake3, fileCount: content.fileCount, byteCount: content.byteCount,
            name: name, tarByteCount: files.byteCount,
            blobByteCount: blobByteCount ?? max(2_000, files.byteCount))
    }

    static func layer(
        isTree: Bool, blake3: Blake3Digest, fileCount: UInt64, byteCount: UInt64, name: String, tarByteCount: UInt64,
        blobByteCount: UInt64
    ) throws -> Manifest.Layer {
        let path = try LayerPath(parsing: name)
        let chunks = max(1, (tarByteCount >> 20) + 1)
        let blob = try Manifest.Blob(
            of: path, fileCount: fileCount, layerByteCount: byteCount,
            byteCount: max(blobByteCount, 24 + 73 * chunks), blake3: .of([1]), tarByteCount: tarByteCount,
            tableByteCount: 24 + 72 * chunks, tableBlake3: .of([2]))
        return try Manifest.Layer(
            kind: LayerKind(parsing: "test"), path: path, isTree: isTree, fileCount: fileCount,
            byteCount: byteCount, blake3: blake3, blob: blob)
    }
}

/// Keeps the files that it is given.
final class CollectedFiles: LayerSink {
    private(set) var files: [String: [UInt8]] = [:]
    private(set) var isFinished = false
    private var path = ""
    private var bytes: [UInt8] = []

    func beginFile(path: String, byteCount: UInt64) {
        self.path = path
        bytes = []
    }
    func write(_ piece: UnsafeRawBufferPointer) { bytes.append(contentsOf: piece) }
    func endFile() { files[path] = bytes }
    func finish() { isFinished = true }
}

/// Writes a patch into a directory of its own and gives its bytes back; nil where it is not worth having.
func patchBytes(
    from old: any TarStream, to new: PatchSide, jobs: Int = 2, in directory: URL
) throws -> (patch: Manifest.Patch, bytes: [UInt8])? {
    let place = try Directory.open(directory.path)
    let file = try StagedFile(in: place)
    guard
        let patch = try PatchWriter().write(
            from: old, to: new.files, of: new.layer, into: file, context: WorkContext(jobs: jobs))
    else { return nil }
    try file.commit(as: "patch", replacing: true)
    return (patch, try place.contents(of: "patch", limit: 1 << 30))
}

/// A reproducible source of chance; tests print its seed.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64
    init(_ seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func bytes(_ count: Int) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(count + 8)
        while result.count < count { withUnsafeBytes(of: next()) { result.append(contentsOf: $0) } }
        result.removeLast(result.count - count)
        return result
    }
}
