import Diagnostics
import TerritoryModel
import TerritoryPackage
import Transfer

extension StoreCore {
    /// Another manifest isn't worth its own bytes for less than this.
    private static let worthwhileByteCount: UInt64 = 64 << 10
    /// Manifests looked at, at most.
    private static let manifestLimit = 32

    /// How each layer of `target` arrives with the fewest bytes: by what is there, by patches, or by its blob.
    ///
    /// A chain of patches leads through versions that the accepted index lists; their manifests are fetched, newest
    /// first, and proven, only while what they might tell could save something. One that can't be had is no way.
    func route(
        to target: Manifest, in territory: ChannelIndex.Territory, from present: Present?,
        omitting omitted: Set<LayerKind>, _ fetcher: ChannelFetcher
    ) throws(SnpackError) -> UpdateRoute {
        let kinds = Set(target.layers.map(\.kind)).subtracting(omitted)
        let installed = (present?.all ?? []).flatMap(\.layers)
        var route = UpdateRoute(to: target, kinds: kinds, from: installed)
        guard let version = present?.current?.document.version else { return route }
        var between: [Manifest] = []
        for entry in UpdateRoute.versions(between: version, and: target.version, in: territory)
            .prefix(Self.manifestLimit)
        {
            guard route.possibleSaving >= Self.worthwhileByteCount else { break }
            do throws(SnpackError) {
                between.append(try fetcher.manifest(listedAs: entry, of: territory, keys: keys).document)
            } catch {
                if error.code == .interrupted { throw error }
                // Each of the others would be waited for as long.
                if error.code.isTransient { break }
                continue
            }
            route = UpdateRoute(to: target, kinds: kinds, from: installed, through: between)
        }
        return route
    }
}
