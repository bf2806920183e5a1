package import Diagnostics
package import DurableFiles
import Signing
package import TerritoryModel

/// One version of one territory as files: `manifest.json`, `manifest.json.sig`, `layers/<addr>/<file>`.
package struct Release: PackedPackage {
    package let directory: Directory
    package let manifestBytes: [UInt8]
    package let signatureBytes: [UInt8]

    /// Reads the two documents of a release.
    /// - Parameter signed: false takes a release that has no signature yet.
    package init(_ directory: Directory, signed: Bool = true) throws(SnpackError) {
        self.directory = directory
        manifestBytes = try Self.document(PackageFile.manifest, limit: Limits.manifestBytes, in: directory)
        let hasSignature = try directory.contains(PackageFile.signature)
        signatureBytes =
            signed || hasSignature
            ? try Self.document(PackageFile.signature, limit: SignatureText.maxByteCount, in: directory) : []
    }

    package var shownPath: String { directory.path }

    package func checkForm(for manifest: Manifest) {}

    package func blob(_ index: Int, of manifest: Manifest) throws(SnpackError) -> any RandomAccess {
        let layer = manifest.layers[index]
        return try Self.file(layer.blobPath, in: directory)
    }

    package func patch(_ patch: Manifest.Patch, of layer: Manifest.Layer) throws(SnpackError) -> (any RandomAccess)? {
        try Self.file(layer.path(of: patch), in: directory)
    }

    /// True where `directory` looks like a release.
    package static func isOne(_ directory: Directory) throws(SnpackError) -> Bool {
        guard try directory.contains(PackageFile.manifest) else { return false }
        return try directory.contains(PackageFile.layers)
    }

    /// A document that must be there; a document that is larger than any may be is not read.
    package static func document(
        _ name: String, limit: Int, in directory: Directory
    ) throws(SnpackError) -> [UInt8] {
        let file = try file(name, in: directory)
        guard file.byteCount <= UInt64(limit) else {
            throw SnpackError(
                .documentTooLarge, "\(file.byteCount) bytes; it may have at most \(limit)", path: file.name)
        }
        return try file.allBytes(limit: limit)
    }

    private static func file(_ path: String, in directory: Directory) throws(SnpackError) -> OpenFile {
        do { return try directory.file(at: path) } catch  where error.code == .fileNotFound {
            throw SnpackError(
                .fileMissing, "it is not there", hint: "copy it here again, or build the release again",
                path: directory.path(of: path))
        }
    }
}
