import Blobs
package import Diagnostics
package import DurableFiles
import Hashing
package import TerritoryModel

extension PackageArchive {
    /// Writes a release as a `.snpkg` at `path`, whole or not at all, in the place of what may be there.
    /// - Returns: its size in bytes.
    package static func write(
        _ release: some PackedPackage, _ manifest: Manifest, to path: String, context: WorkContext,
        disk: any Disk = SystemDisk()
    ) throws(SnpackError) -> UInt64 {
        let (directory, name) = try Directory.parent(of: path, disk: disk)
        try directory.removeLeftovers()
        let file = try StagedFile(in: directory)
        try write(release, manifest, into: file, context: context)
        try file.commit(as: name, replacing: true)
        try directory.sync()
        return file.byteCount
    }

    /// Writes a release as a `.snpkg`. Every blob must be the signed one.
    ///
    /// - Parameter manifest: what `release.manifestBytes` says.
    /// - Throws: `blob.mismatch` for a blob of another size or BLAKE3.
    private static func write(
        _ release: some PackedPackage, _ manifest: Manifest, into file: StagedFile, context: WorkContext
    ) throws(SnpackError) {
        try write(release.manifestBytes, as: PackageFile.manifest, into: file)
        try write(release.signatureBytes, as: PackageFile.signature, into: file)
        context.report.begin("packing \(manifest.name)", byteCount: manifest.downloadBytes)
        defer { context.report.end() }
        for (index, layer) in manifest.layers.enumerated() {
            let blob = try release.blob(index, of: manifest)
            guard blob.byteCount == layer.blob.byteCount else {
                throw SnpackError(
                    .blobMismatch, "\(blob.byteCount) bytes, not the \(layer.blob.byteCount) signed", path: blob.name)
            }
            let entry = entry(of: layer)
            try file.write(entry.headers)
            guard try file.write(copyOf: blob, cancel: context.cancel) == layer.blob.blake3 else {
                throw SnpackError(.blobMismatch, "it does not have the signed BLAKE3", path: blob.name)
            }
            try file.write([UInt8](repeating: 0, count: entry.paddingByteCount))
            context.report.advance(layer.blob.byteCount)
        }
        try file.write([UInt8](repeating: 0, count: TarEntry.endByteCount))
    }

    private static func write(_ bytes: [UInt8], as name: String, into file: StagedFile) throws(SnpackError) {
        let entry = TarEntry(path: name, byteCount: UInt64(bytes.count))
        try file.write(entry.headers + bytes + [UInt8](repeating: 0, count: entry.paddingByteCount))
    }
}
