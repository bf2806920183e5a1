import Blobs
package import Diagnostics
package import DurableFiles
package import TerritoryModel

/// Unpacks a package into a directory of its own, every byte proven on the way.
package enum Unpacking {
    /// - Parameters:
    ///   - manifest: what `package.manifestBytes` says.
    ///   - path: the directory to make; it appears whole or not at all.
    package static func unpack(
        _ package: some PackedPackage, _ manifest: Manifest, to path: String, context: WorkContext,
        disk: any Disk = SystemDisk()
    ) throws(SnpackError) {
        let (parent, name) = try Directory.parent(of: path, creating: true, disk: disk)
        if try parent.contains(name) {
            throw SnpackError(
                .fileExists, "something is there already", hint: "give a path that is free", path: path)
        }
        try package.checkForm(for: manifest)
        try parent.removeLeftovers()
        let staging = try parent.makeStagingDirectory()
        let root = staging.contents
        context.report.begin(
            "unpacking \(manifest.name)", byteCount: manifest.layers.reduce(0) { $0 &+ $1.blob.tarByteCount })
        defer { context.report.end() }
        try root.write(package.manifestBytes, to: PackageFile.manifest)
        if !package.signatureBytes.isEmpty { try root.write(package.signatureBytes, to: PackageFile.signature) }
        for (index, layer) in manifest.layers.enumerated() {
            let target = layer.isTree ? try root.makeDirectory(layer.path.rawValue) : root
            let writer = LayerWriter(layer, into: target, fileMode: 0o644)
            try BlobReader(package.blob(index, of: manifest), layer: layer).read(into: writer, context: context)
        }
        try staging.promote(to: name)
    }
}
