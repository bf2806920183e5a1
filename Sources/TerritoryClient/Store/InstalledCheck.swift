import Blobs
import Diagnostics
import DurableFiles
import Hashing
import Parallel
import TerritoryModel
import TerritoryPackage

/// Judges an installed package by its signed manifest: every byte of every layer, and nothing beside them.
struct InstalledCheck {
    private let installed: InstalledPackage
    private let context: WorkContext

    init(_ installed: InstalledPackage, context: WorkContext) {
        self.installed = installed
        self.context = context
    }

    /// Everything that is wrong, the damaged files by name.
    func faults() -> FaultList {
        var faults = strangers()
        for layer in installed.layers { faults.add(contentsOf: self.faults(of: layer)) }
        return faults
    }

    /// Files beside the layers, and layers that were left out and are there.
    func strangers() -> FaultList {
        var faults = FaultList()
        let directory = installed.package.directory
        let known = Set(
            installed.layers.map(\.path.rawValue) + [PackageFile.manifest, PackageFile.signature])
        let names: [String]
        do { names = try directory.names() } catch {
            faults.add(error)
            return faults
        }
        for name in names where !known.contains(name) && !PackageDirectory.passedOver.contains(name) {
            let left = installed.document.layers.first { $0.path.rawValue.utf8.elementsEqual(name.utf8) }
            faults.add(
                left.map {
                    SnpackError(
                        .omittedLayerPresent, "layer \($0.kind) was left out, and it is there",
                        hint: "snpack store repair removes it", path: directory.path(of: name))
                } ?? extra(directory.path(of: name)))
        }
        return faults
    }

    /// Everything that is wrong with one layer.
    func faults(of layer: Manifest.Layer) -> FaultList {
        var faults = FaultList()
        let root = installed.package.path(of: layer)
        do throws(SnpackError) {
            guard let identity = try installed.package.directory.identity(of: layer.path.rawValue) else {
                throw SnpackError(.fileMissing, "layer \(layer.kind) is not there", hint: "snpack store repair")
            }
            guard identity.kind == (layer.isTree ? .directory : .file) else {
                throw damaged("layer \(layer.kind) is not \(layer.isTree ? "a directory" : "a regular file")")
            }
            let tree = try FileTree(listing: root, faults: &faults, cancel: context.cancel) { path in
                path.split(separator: "/").last.map { PackageDirectory.passedOver.contains(String($0)) } ?? false
            }
            let files = LayerFiles(tree, of: layer, context: context)
            if let noted = installed.notes(of: layer) {
                try compare(files, with: noted, root, layer, &faults)
            } else if try files.notes() == nil {
                throw damaged("layer \(layer.kind): its files do not have the signed BLAKE3")
            }
        } catch { faults.add(error.at(root)) }
        return faults
    }

    private func compare(
        _ found: LayerFiles, with noted: LayerNotes, _ root: String, _ layer: Manifest.Layer, _ faults: inout FaultList
    ) throws(SnpackError) {
        func place(_ path: String) -> String { layer.isTree ? "\(root)/\(path)" : root }
        var (left, right) = (try found.listing(like: noted)[...], noted.files[...])
        while let signed = right.first {
            guard let present = left.first, !signed.path.utf8.lexicographicallyPrecedes(present.path.utf8) else {
                right.removeFirst()
                faults.add(
                    SnpackError(.fileMissing, "it is not there", hint: "snpack store repair", path: place(signed.path)))
                continue
            }
            left.removeFirst()
            if present.path.utf8.lexicographicallyPrecedes(signed.path.utf8) {
                faults.add(extra(place(present.path)))
                continue
            }
            right.removeFirst()
            if present.blake3 != signed.blake3 {
                let reason =
                    present.byteCount == signed.byteCount
                    ? "its bytes are not the signed ones"
                    : "\(present.byteCount) bytes, not the \(signed.byteCount) signed"
                faults.add(damaged(reason).at(place(signed.path)))
            }
        }
        for file in left { faults.add(extra(place(file.path))) }
    }

    private func damaged(_ reason: String) -> SnpackError {
        SnpackError(.installedFileDamaged, reason, hint: "snpack store repair")
    }

    private func extra(_ path: String) -> SnpackError {
        SnpackError(.extraFile, "the package does not have this file", hint: "snpack store repair", path: path)
    }
}

/// The files of a layer on disk, digested side by side: those alone that can be the signed ones, for a strange file may
/// have no end.
struct LayerFiles {
    private let tree: FileTree
    private let layer: Manifest.Layer
    private let context: WorkContext

    init(_ tree: FileTree, of layer: Manifest.Layer, context: WorkContext) {
        self.tree = tree
        self.layer = layer
        self.context = context
    }

    /// The notes of the files; nil if they are not the signed layer, and unread if their sizes tell.
    func notes(table: [UInt8]? = nil) throws(SnpackError) -> LayerNotes? {
        guard UInt64(tree.files.count) == layer.fileCount, tree.byteCount == layer.byteCount else { return nil }
        let files = try zip(tree.files, digests(of: tree.files)).map { file, digest in
            LayerNotes.File(path: path(of: file), byteCount: file.byteCount, blake3: digest)
        }
        let notes = LayerNotes(files: files, table: table)
        return notes.blake3(isTree: layer.isTree) == layer.blake3 ? notes : nil
    }

    /// The files in ascending order of their paths' bytes; with a BLAKE3 those that are noted with this path and size.
    func listing(like noted: LayerNotes) throws(SnpackError) -> [(
        path: String, byteCount: UInt64, blake3: Blake3Digest?
    )] {
        // By bytes: a name in another normal form is another file.
        let sizes = Dictionary(noted.files.map { (Array($0.path.utf8), $0.byteCount) }) { first, _ in first }
        let isRead = tree.files.map { sizes[Array(path(of: $0).utf8)] == $0.byteCount }
        var digests = try digests(of: zip(tree.files, isRead).filter(\.1).map(\.0))[...]
        return zip(tree.files, isRead).map { file, isRead in
            (path(of: file), file.byteCount, isRead ? digests.popFirst() : nil)
        }
    }

    private func path(of file: FileTree.File) -> String { tree.isTree ? file.path : layer.path.rawValue }

    private func digests(of files: [FileTree.File]) throws(SnpackError) -> [Blake3Digest] {
        let results = parallelMap(files, jobs: context.jobs) { file in
            Result { () throws(SnpackError) in
                try Blake3Digest.of(try tree.open(file), cancel: context.cancel)
            }
        }
        return try results.map { (result) throws(SnpackError) in try result.get() }
    }
}
