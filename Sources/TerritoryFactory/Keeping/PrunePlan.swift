import Diagnostics
import TerritoryModel
import TerritoryPackage

/// Which versions leave an index. Pure, but for the manifests that it asks for.
///
/// Of each territory these stay: the `keep` newest versions that are not withdrawn and whatever is newer than the oldest of
/// them, so that withdrawals stay known; the one that is offered; and every version whose patches lead from one that stays
/// to the one that is offered.
struct PrunePlan {
    /// The versions that leave, in the index's order.
    private(set) var dropped: [ReleaseName] = []
    /// Versions that stay because they could not be read.
    private(set) var unreadable: [SnpackError] = []

    /// - Parameter manifest: the verified manifest of a listed version.
    init(
        _ index: ChannelIndex, keep: Int,
        manifest: (ChannelIndex.Version, ChannelIndex.Territory) throws(SnpackError) -> Manifest
    ) {
        for territory in index.territories {
            let offered = territory.versions.filter { $0.yanked == nil }
            guard let oldest = offered.prefix(max(1, keep)).last?.version ?? territory.versions.first?.version else {
                continue
            }
            var leaving = territory.versions.filter { $0.version < oldest && $0.version != territory.latestVersion }
            guard !leaving.isEmpty else { continue }

            var manifests: [Manifest] = []
            for entry in territory.versions {
                do throws(SnpackError) { manifests.append(try manifest(entry, territory)) } catch {
                    guard leaving.contains(where: { $0.version == entry.version }) else { continue }
                    unreadable.append(error)
                    leaving.removeAll { $0.version == entry.version }
                }
            }
            if let latest = manifests.first(where: { $0.version == territory.latestVersion }) {
                let staying = manifests.filter { manifest in !leaving.contains { $0.version == manifest.version } }
                let needed = UpdateRoute.releasesNeeded(toReach: latest, from: staying, through: manifests)
                leaving.removeAll { needed.contains($0.name) }
            }
            dropped += leaving.map(\.name)
        }
    }
}
