package import Diagnostics
package import DurableFiles
package import TerritoryModel

/// A territory version whose layers are blobs: a release, or a `.snpkg`.
package protocol PackedPackage: Sendable {
    /// What to call it in messages.
    var shownPath: String { get }
    /// The exact bytes of `manifest.json`, not proven yet.
    var manifestBytes: [UInt8] { get }
    /// The exact bytes of `manifest.json.sig`, not proven yet.
    var signatureBytes: [UInt8] { get }
    /// Throws when files stand around the blobs that the form does not allow.
    func checkForm(for manifest: Manifest) throws(SnpackError)
    /// The blob of `manifest.layers[index]`, not proven yet.
    func blob(_ index: Int, of manifest: Manifest) throws(SnpackError) -> any RandomAccess
    /// A patch that belongs to `layer`, not proven yet; nil where this form carries none.
    func patch(_ patch: Manifest.Patch, of layer: Manifest.Layer) throws(SnpackError) -> (any RandomAccess)?
}

/// Names that every package has.
package enum PackageFile {
    package static let manifest = "manifest.json"
    package static let signature = "manifest.json.sig"
    package static let layers = "layers"
}
