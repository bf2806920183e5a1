import Blobs
package import Diagnostics
package import DurableFiles
import Hashing
import Parallel
import Signing
package import TerritoryModel

/// An unpacked package: `manifest.json`, `manifest.json.sig`, and each layer at its `path`.
package struct PackageDirectory: Sendable {
    package let directory: Directory
    package let manifestBytes: [UInt8]
    package let signatureBytes: [UInt8]

    package init(_ directory: Directory) throws(SnpackError) {
        self.directory = directory
        manifestBytes = try Release.document(PackageFile.manifest, limit: Limits.manifestBytes, in: directory)
        signatureBytes = try Release.document(
            PackageFile.signature, limit: SignatureText.maxByteCount, in: directory)
    }

    /// Files that file managers leave behind, which are no fault.
    package static let passedOver: Set<String> = [".DS_Store", ".nomedia"]

    /// Where a layer lies on disk.
    package func path(of layer: Manifest.Layer) -> String { directory.path(of: layer.path.rawValue) }

    /// Everything that is wrong with the files, whose manifest is `manifest`.
    /// - Parameter omitted: kinds that were left out, and must be absent.
    package func faults(
        _ manifest: Manifest, depth: ProofDepth, omitted: Set<LayerKind> = [], context: WorkContext
    ) throws(SnpackError) -> FaultList {
        var faults = FaultList()
        let wanted = manifest.layers.filter { !omitted.contains($0.kind) }
        let known = wanted.map(\.path.rawValue) + [PackageFile.manifest, PackageFile.signature] + Self.passedOver
        // By bytes: a name in another normal form, or one that is no UTF-8, is another file.
        let expected = Set(known.map { Array($0.utf8) })
        for name in try directory.rawNames() where !expected.contains(name) {
            faults.add(Self.extraFile(directory.path(of: String(decoding: name, as: UTF8.self))))
        }
        for layerFaults in parallelMap(wanted, jobs: context.jobs, { self.faults(of: $0, depth: depth, context) }) {
            faults.add(contentsOf: layerFaults)
        }
        try context.cancel.check()
        return faults
    }

    static func extraFile(_ path: String) -> SnpackError {
        SnpackError(.extraFile, "the package does not have this file", hint: "remove it", path: path)
    }

    private func faults(of layer: Manifest.Layer, depth: ProofDepth, _ context: WorkContext) -> FaultList {
        let root = path(of: layer)
        var faults = FaultList()
        do throws(SnpackError) {
            guard let identity = try directory.identity(of: layer.path.rawValue) else {
                throw SnpackError(.fileMissing, "layer \(layer.kind) is not there")
            }
            guard identity.kind == (layer.isTree ? .directory : .file) else {
                throw SnpackError(
                    .fileMissing, "layer \(layer.kind) is not \(layer.isTree ? "a directory" : "a regular file")")
            }
            let tree = try FileTree(listing: root, faults: &faults, cancel: context.cancel) { path in
                path.pathSegments.last.map(Self.passedOver.contains) ?? false
            }
            switch depth {
            case .shallow: try checkSizes(tree, layer)
            case .deep, .sampled: faults.add(contentsOf: try LayerOnDisk(tree, layer).faults(context))
            }
        } catch { faults.add(error.at(root)) }
        return faults
    }

    private func checkSizes(_ tree: FileTree, _ layer: Manifest.Layer) throws(SnpackError) {
        guard UInt64(tree.files.count) == layer.fileCount, tree.byteCount == layer.byteCount else {
            throw SnpackError(
                .layerMismatch,
                "layer \(layer.kind): \(tree.files.count) files of \(tree.byteCount) bytes, not the "
                    + "\(layer.fileCount) of \(layer.byteCount) signed")
        }
    }
}
