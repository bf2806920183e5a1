import Blobs
import Diagnostics
import DurableFiles
import TerritoryModel
import TerritoryPackage

/// Applies every patch of a release once before it is published: a patch that leads elsewhere costs its clients the bytes
/// it was to save.
struct PatchTrial {
    /// A version that clients may have: its manifest, and a way to its blobs.
    struct Version {
        let manifest: Manifest
        let blob: (Manifest.Layer) throws(SnpackError) -> any RandomAccess
    }

    /// What the channel lists, and what is about to be published beside the release.
    let known: [Version]
    let context: WorkContext

    /// - Throws: what applying a patch throws. A patch from a layer that nobody here has is told as a warning.
    func run(_ release: Release, _ manifest: Manifest) throws(SnpackError) {
        for layer in manifest.layers {
            for patch in layer.patches {
                guard let file = try release.patch(patch, of: layer) else { continue }
                guard let old = try stream(of: patch, name: layer.path) else {
                    context.report.warn(
                        SnpackError(
                            .patchUntried,
                            "no version here has the layer that the patch starts from, so it is not tried",
                            path: file.name))
                    continue
                }
                context.report.begin(
                    "trying the patch of \(layer.kind)", byteCount: layer.blob.tarByteCount)
                defer { context.report.end() }
                do throws(SnpackError) {
                    try PatchReader(file, patch: patch, of: layer).read(from: old, context: context)
                } catch { throw error.at(file.name) }
            }
        }
    }

    private func stream(of patch: Manifest.Patch, name: LayerPath) throws(SnpackError) -> BlobTarStream? {
        for version in known {
            guard let layer = version.manifest.layers.first(where: { $0.blake3 == patch.from }) else { continue }
            return try BlobTarStream(version.blob(layer), layer: layer, name: name)
        }
        return nil
    }
}
