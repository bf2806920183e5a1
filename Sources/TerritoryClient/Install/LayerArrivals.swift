import Hashing
import TerritoryModel
import TerritoryPackage

/// How the layers of a version arrive, and what that takes beyond what is in the cache already.
struct LayerArrivals: Sendable {
    /// The planned way of each layer; nil where only blobs are taken.
    var route: UpdateRoute?
    let cache: BlobCache?

    /// The patches that make the layer, in their order; empty if its blob is taken.
    func legs(to layer: Manifest.Layer) -> [UpdateRoute.Leg] {
        if case .patched(let legs)? = way(of: layer)?.way { legs } else { [] }
    }

    /// Bytes still to come over the wire.
    func wireByteCount(of layer: Manifest.Layer) -> UInt64 {
        let legs = legs(to: layer)
        guard !legs.isEmpty else { return missing(layer.blob.blake3, of: layer.blob.byteCount) }
        return legs.reduce(0) { $0 &+ missing($1.patch.blake3, of: $1.patch.byteCount) }
    }

    /// Bytes on disk at the fullest moment while the layer is made, without what is fetched for it.
    func peakByteCount(of layer: Manifest.Layer) -> UInt64 {
        legs(to: layer).isEmpty ? layer.byteCount : way(of: layer)?.peakByteCount ?? layer.byteCount
    }

    private func way(of layer: Manifest.Layer) -> UpdateRoute.LayerWay? {
        route?.layers.first { $0.layer.kind == layer.kind && $0.layer.blake3 == layer.blake3 }
    }

    private func missing(_ blake3: Blake3Digest, of byteCount: UInt64) -> UInt64 {
        byteCount - (cache?.heldByteCount(of: blake3, byteCount: byteCount) ?? 0)
    }
}
