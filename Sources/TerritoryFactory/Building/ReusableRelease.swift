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

    /// Puts a layer's blob into `target`, by a link where the file systems can.
    func place(_ layer: Manifest.Layer, in target: Directory) throws(SnpackError) {
        let source = try directory.directory(at: layer.directory)
        if try target.contains(layer.blob.file) { return }
        if try !source.link(layer.blob.file, to: layer.blob.file, in: target) {
            let copy = try StagedFile(in: target)
            _ = try copy.write(copyOf: try source.file(layer.blob.file))
            try copy.commit(as: layer.blob.file, replacing: true)
        }
        try target.sync()
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
