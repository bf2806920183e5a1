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
        // Files are read only where their sizes come to the signed total: what is too many may have no end.
        var digests: [Int: Blake3Digest] = [:]
        func isLayer(without left: Set<Int>) throws(SnpackError) -> Bool {
            let kept = files.indices.filter { !left.contains($0) }
            guard FileTree.total(of: kept.map { files[$0] }) == layer.byteCount else { return false }
            var listing = Blake3Hasher()
            for index in kept {
                let digest =
                    if let known = digests[index] { known } else {
                        try Blake3Digest.of(try tree.open(files[index]), cancel: context.cancel)
                    }
                digests[index] = digest
                listing.update(LayerDigester.line(digest, path: files[index].path))
            }
            return listing.finalize() == layer.blake3
        }
        // What was added came last. In a copy the times tell nothing, but one file among not too many is still found.
        let byAge = files.indices.sorted { files[$0].identity.changed > files[$1].identity.changed }
        let newest = Set(byAge.prefix(files.count - signed))
        if try isLayer(without: newest) { return newest.sorted().map { files[$0] } }
        guard files.count == signed + 1, files.count <= Self.searchLimit, tree.byteCount >= layer.byteCount else {
            return []
        }
        for index in files.indices where files[index].byteCount == tree.byteCount - layer.byteCount {
            if try isLayer(without: [index]) { return [files[index]] }
        }
        return []
    }

    private func mismatch(_ reason: String) -> SnpackError {
        SnpackError(
            .layerMismatch, "layer \(layer.kind): \(reason)", hint: "unpack the package again", path: tree.root)
    }
}
