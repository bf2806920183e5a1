import Blobs
package import Diagnostics
package import DurableFiles
import Hashing
package import TerritoryModel

extension PackageArchive {
    /// Writes a release as a `.snpkg`. Every blob must be the signed one.
    ///
    /// - Parameter manifest: what `release.manifestBytes` says.
    /// - Throws: `blob.mismatch` for a blob of another size or BLAKE3.
    package static func write(
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
