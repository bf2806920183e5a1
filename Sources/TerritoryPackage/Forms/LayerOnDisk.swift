import Blobs
import Diagnostics
import DurableFiles
import Hashing
import TerritoryModel

/// A layer's files as they lie on disk, judged by the signed BLAKE3.
struct LayerOnDisk {
    private let tree: FileTree
    private let layer: Manifest.Layer

    /// Trees of up to this many files are searched for the one that is too many.
    private static let searchLimit = 4_096

    init(_ tree: FileTree, _ layer: Manifest.Layer) {
        self.tree = tree
        self.layer = layer
    }

    func check(_ context: WorkContext) throws(SnpackError) {
        if UInt64(tree.files.count) == layer.fileCount + 1, tree.files.count <= Self.searchLimit {
            if let extra = try extraFile(context) { throw PackageDirectory.extraFile(tree.diskPath(of: extra)) }
        }
        guard UInt64(tree.files.count) == layer.fileCount else {
            throw mismatch("\(tree.files.count) files, not the \(layer.fileCount) signed")
        }
        guard tree.byteCount == layer.byteCount else {
            throw mismatch("\(tree.byteCount) bytes, not the \(layer.byteCount) signed")
        }
        let content = try digest(of: tree, name: layer.path.rawValue, context: context)
        guard content.blake3 == layer.blake3 else { throw mismatch("its files do not have the signed BLAKE3") }
    }

    /// The file without which the rest is the signed layer.
    private func extraFile(_ context: WorkContext) throws(SnpackError) -> FileTree.File? {
        let digests = try tree.files.map { file throws(SnpackError) in
            try Blake3Digest.of(try tree.open(file), cancel: context.cancel)
        }
        for left in tree.files.indices where tree.byteCount - tree.files[left].byteCount == layer.byteCount {
            var listing = Blake3Hasher()
            for (index, file) in tree.files.enumerated() where index != left {
                listing.update(LayerDigester.line(digests[index], path: file.path))
            }
            if listing.finalize() == layer.blake3 { return tree.files[left] }
        }
        return nil
    }

    private func mismatch(_ reason: String) -> SnpackError {
        SnpackError(
            .layerMismatch, "layer \(layer.kind): \(reason)", hint: "unpack the package again", path: tree.root)
    }
}
