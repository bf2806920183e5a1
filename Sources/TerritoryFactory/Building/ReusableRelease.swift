import Blobs
package import Diagnostics
package import DurableFiles
package import TerritoryModel
package import TerritoryPackage

/// A release on this disk whose blobs may be linked into another.
///
/// Its signature is not asked for: what is linked is proven when the new release is signed or published.
package struct ReusableRelease: Sendable {
    package let manifest: Manifest
    private let directory: Directory

    package init(_ directory: Directory) throws(SnpackError) {
        self.directory = directory
        let bytes = try Release.document(PackageFile.manifest, limit: Limits.manifestBytes, in: directory)
        do throws(SnpackError) { manifest = try Manifest(decoding: bytes) } catch {
            throw error.at(directory.path(of: PackageFile.manifest))
        }
    }

    /// Puts a layer's blob and patches into `target`, by links where the file systems can.
    func place(_ layer: Manifest.Layer, in target: Directory) throws(SnpackError) {
        let source = try directory.directory(at: layer.directory)
        for name in [layer.blob.file] + layer.patches.map(\.file) where try !target.contains(name) {
            try source.placeFile(name, in: target)
        }
        try target.sync()
    }

    /// The layer's canonical tar stream, read out of its blob, a single file named `name`.
    func stream(of layer: Manifest.Layer, name: LayerPath) throws(SnpackError) -> BlobTarStream {
        try BlobTarStream(directory.file(at: layer.blobPath), layer: layer, name: name)
    }

    /// True for a channel in a directory, false for a release.
    package static func isChannel(_ source: SourceReference) throws(SnpackError) -> Bool {
        guard case .path(let path) = source.place, case .channel = try LocalSource(opening: path) else { return false }
        return true
    }

    /// The releases that a source names: one, or of a channel the latest version of each territory.
    package static func all(in source: SourceReference) throws(SnpackError) -> [ReusableRelease] {
        guard case .path(let path) = source.place else {
            throw SnpackError(.sourceUnknown, "only blobs on this disk can be linked", hint: "mirror the channel first")
        }
        switch try LocalSource(opening: path) {
        case .release(let release): return [try ReusableRelease(release.directory)]
        case .channel(let channel):
            guard let file = try channel.signedIndex() else {
                throw SnpackError(.fileMissing, "the channel has no index", path: path)
            }
            let index = try ChannelIndex(decoding: file.index)
            let names = index.territories.filter { source.territory == nil || $0.id == source.territory }.map {
                ReleaseName($0.id, source.version ?? $0.latestVersion)
            }
            return try names.map { name throws(SnpackError) in
                try ReusableRelease(channel.root.directory(at: name.directory))
            }
        case .archive, .directory:
            throw SnpackError(
                .sourceUnknown, "it has no blobs to link", hint: "give a release or a channel", path: path)
        }
    }
}
