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
            let found = try LayerFiles.notes(of: tree, layer, context: context)
            if let noted = installed.notes(of: layer) {
                compare(found, with: noted, root, layer, &faults)
            } else if found.blake3(isTree: layer.isTree) != layer.blake3 || UInt64(found.files.count) != layer.fileCount
            {
                throw damaged("layer \(layer.kind): its files do not have the signed BLAKE3")
            }
        } catch { faults.add(error.at(root)) }
        return faults
    }

    private func compare(
        _ found: LayerNotes, with noted: LayerNotes, _ root: String, _ layer: Manifest.Layer, _ faults: inout FaultList
    ) {
        func place(_ file: LayerNotes.File) -> String { layer.isTree ? "\(root)/\(file.path)" : root }
        var (left, right) = (found.files[...], noted.files[...])
        while let signed = right.first {
            guard let present = left.first, !signed.path.utf8.lexicographicallyPrecedes(present.path.utf8) else {
                right.removeFirst()
                faults.add(
                    SnpackError(.fileMissing, "it is not there", hint: "snpack store repair", path: place(signed)))
                continue
            }
            left.removeFirst()
            if present.path.utf8.lexicographicallyPrecedes(signed.path.utf8) {
                faults.add(extra(place(present)))
                continue
            }
            right.removeFirst()
            if present.blake3 != signed.blake3 {
                let reason =
                    present.byteCount == signed.byteCount
                    ? "its bytes are not the signed ones"
                    : "\(present.byteCount) bytes, not the \(signed.byteCount) signed"
                faults.add(damaged(reason).at(place(signed)))
            }
        }
        for file in left { faults.add(extra(place(file))) }
    }

    private func damaged(_ reason: String) -> SnpackError {
        SnpackError(.installedFileDamaged, reason, hint: "snpack store repair")
    }

    private func extra(_ path: String) -> SnpackError {
        SnpackError(.extraFile, "the package does not have this file", hint: "snpack store repair", path: path)
    }
}

/// The files of a layer on disk, digested side by side.
enum LayerFiles {
    static func notes(
        of tree: FileTree, _ layer: Manifest.Layer, table: [UInt8]? = nil, context: WorkContext
    ) throws(SnpackError) -> LayerNotes {
        let digests = parallelMap(tree.files, jobs: context.jobs) { file in
            Result { () throws(SnpackError) in
                try Blake3Digest.of(try tree.open(file), cancel: context.cancel)
            }
        }
        var files: [LayerNotes.File] = []
        files.reserveCapacity(digests.count)
        for (file, digest) in zip(tree.files, digests) {
            files.append(
                LayerNotes.File(
                    path: tree.isTree ? file.path : layer.path.rawValue, byteCount: file.byteCount,
                    blake3: try digest.get()))
        }
        return LayerNotes(files: files, table: table)
    }
}
