import Hashing
import TerritoryModel

/// A blob or patch of a verified manifest, where it lies in every channel.
struct MirrorFile {
    /// Below the channel's directory.
    let directory: String
    let name: String
    let byteCount: UInt64
    let blake3: Blake3Digest

    var path: String { "\(directory)/\(name)" }

    static func all(of manifest: Manifest) -> [MirrorFile] {
        manifest.layers.flatMap { layer in
            let directory = "\(manifest.name.directory)/\(layer.directory)"
            let blob = MirrorFile(
                directory: directory, name: layer.blob.file, byteCount: layer.blob.byteCount, blake3: layer.blob.blake3)
            return [blob]
                + layer.patches.map {
                    MirrorFile(directory: directory, name: $0.file, byteCount: $0.byteCount, blake3: $0.blake3)
                }
        }
    }
}
