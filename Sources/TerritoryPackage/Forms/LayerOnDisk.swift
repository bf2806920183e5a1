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

    /// What is wrong with the files: those that are too many by name, where the rest is the signed layer.
    func faults(_ context: WorkContext) throws(SnpackError) -> FaultList {
        var faults = FaultList()
        for extra in try extraFiles(context) { faults.add(PackageDirectory.extraFile(tree.diskPath(of: extra))) }
        if faults.isEmpty { try check(context) }
        return faults
    }

    private func check(_ context: WorkContext) throws(SnpackError) {
        guard UInt64(tree.files.count) == layer.fileCount else {
            throw mismatch("\(tree.files.count) files, not the \(layer.fileCount) signed")
        }
        guard tree.byteCount == layer.byteCount else {
            throw mismatch("\(tree.byteCount) bytes, not the \(layer.byteCount) signed")
        }
        let content = try digest(of: tree, name: layer.path.rawValue, context: context)
        guard content.blake3 == layer.blake3 else { throw mismatch("its files do not have the signed BLAKE3") }
    }

    /// The files without which the rest is the signed layer. No list of names is signed, so they are found by trying.
    private func extraFiles(_ context: WorkContext) throws(SnpackError) -> [FileTree.File] {
        let files = tree.files
        guard tree.isTree, let signed = Int(exactly: layer.fileCount), files.count > signed else { return [] }
        let digests = try files.map { file throws(SnpackError) in
            try Blake3Digest.of(try tree.open(file), cancel: context.cancel)
        }
        func isLayer(without left: Set<Int>) -> Bool {
            // Files with holes may be longer than any sum; where both wrap around alike, the digest tells.
            guard tree.byteCount &- left.reduce(0, { $0 &+ files[$1].byteCount }) == layer.byteCount else {
                return false
            }
            var listing = Blake3Hasher()
            for index in files.indices where !left.contains(index) {
                listing.update(LayerDigester.line(digests[index], path: files[index].path))
            }
            return listing.finalize() == layer.blake3
        }
        // What was added came last. In a copy the times tell nothing, but one file among not too many is still found.
        let byAge = files.indices.sorted { files[$0].identity.changed > files[$1].identity.changed }
        let newest = Set(byAge.prefix(files.count - signed))
        if isLayer(without: newest) { return newest.sorted().map { files[$0] } }
        guard files.count == signed + 1, files.count <= Self.searchLimit else { return [] }
        return files.indices.first { isLayer(without: [$0]) }.map { [files[$0]] } ?? []
    }

    private func mismatch(_ reason: String) -> SnpackError {
        SnpackError(
            .layerMismatch, "layer \(layer.kind): \(reason)", hint: "unpack the package again", path: tree.root)
    }
}
