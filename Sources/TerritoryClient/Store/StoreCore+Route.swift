import Diagnostics
import TerritoryModel
import TerritoryPackage

extension StoreCore {
    /// Below this many bytes of blobs manifests of versions in between aren't worth their own bytes.
    private static let worthwhileByteCount: UInt64 = 1 << 20

    /// How each layer of `target` arrives with the fewest bytes: by what is there, by patches, or by its blob.
    ///
    /// A chain of patches leads through versions that the accepted index lists; their manifests are fetched, and proven,
    /// only where the target's own patches don't reach what is installed. One that can't be had is no way.
    func route(
        to target: Manifest, in territory: ChannelIndex.Territory, from present: Present?,
        omitting omitted: Set<LayerKind>, _ fetcher: ChannelFetcher
    ) throws(SnpackError) -> UpdateRoute {
        let kinds = Set(target.layers.map(\.kind)).subtracting(omitted)
        let installed = (present?.all ?? []).flatMap(\.layers)
        let direct = UpdateRoute(to: target, kinds: kinds, from: installed)
        let whole = direct.layers.reduce(0) { $0 + ($1.way == .whole ? $1.byteCount : 0) }
        guard let version = present?.current?.document.version, whole > Self.worthwhileByteCount else { return direct }
        var between: [Manifest] = []
        for entry in UpdateRoute.versions(between: version, and: target.version, in: territory)
            .prefix(UpdateRoute.longestChain - 1)
        {
            do throws(SnpackError) {
                between.append(try fetcher.manifest(listedAs: entry, of: territory, keys: keys).document)
            } catch {
                if error.code == .interrupted { throw error }
            }
        }
        return between.isEmpty ? direct : UpdateRoute(to: target, kinds: kinds, from: installed, through: between)
    }
}
