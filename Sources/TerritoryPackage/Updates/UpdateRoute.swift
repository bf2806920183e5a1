import Hashing
package import TerritoryModel

/// How what is installed becomes a release with the fewest bytes on the wire.
///
/// A pure plan out of verified manifests; its byte counts are exact and known before anything is fetched.
package struct UpdateRoute: Hashable, Sendable {
    /// One patch on the way to a layer.
    package struct Leg: Hashable, Sendable {
        /// The release in which the patch lies.
        package let release: ReleaseName
        /// The layer that the patch makes, as that release's manifest describes it.
        package let layer: Manifest.Layer
        package let patch: Manifest.Patch

        /// The patch's path below the channel's directory.
        package var path: String { "\(release.directory)/\(layer.path(of: patch))" }
    }

    /// How one layer arrives.
    package enum Way: Hashable, Sendable {
        /// Its content is installed already.
        case held
        /// By patches, each of them from what the one before it made.
        case patched([Leg])
        /// By its blob.
        case whole
    }

    package struct LayerWay: Hashable, Sendable {
        package let layer: Manifest.Layer
        package let way: Way

        /// Bytes to fetch.
        package var byteCount: UInt64 {
            switch way {
            case .held: 0
            case .patched(let legs): legs.reduce(0) { $0 &+ $1.patch.byteCount }
            case .whole: layer.blob.byteCount
            }
        }

        /// Bytes on disk at the fullest moment while the layer is made, itself included and patch files not: of two
        /// layers that follow each other in a chain both are there.
        package var peakByteCount: UInt64 {
            switch way {
            case .held: return 0
            case .patched(let legs):
                let made = legs.map(\.layer.byteCount)
                return zip([0] + made, made).reduce(layer.byteCount) { max($0, $1.0 &+ $1.1) }
            case .whole: return layer.byteCount
            }
        }
    }

    /// Patches in a row, at most.
    package static let longestChain = 8

    /// The release that is reached.
    package let target: ReleaseName
    /// The wanted layers in the manifest's order.
    package let layers: [LayerWay]
    /// Bytes that patches in releases between, of which the manifests were not given, could save at most.
    package let possibleSaving: UInt64

    /// Bytes to fetch, manifests not counted.
    package var byteCount: UInt64 { layers.reduce(0) { $0 &+ $1.byteCount } }

    /// The releases whose patches are used, the target among them only if one of its own is.
    package var releases: Set<ReleaseName> {
        layers.reduce(into: []) { releases, layer in
            if case .patched(let legs) = layer.way { releases.formUnion(legs.map(\.release)) }
        }
    }

    /// Plans the way to `target`.
    ///
    /// - Parameters:
    ///   - kinds: the layers wanted; nil for all.
    ///   - installed: the layers that are held, whatever release they came with.
    ///   - between: verified manifests of releases that the accepted index lists, through which a chain may go. The order
    ///     doesn't matter.
    package init(
        to target: Manifest, kinds: Set<LayerKind>? = nil, from installed: [Manifest.Layer],
        through between: [Manifest] = []
    ) {
        self.target = target.name
        let manifests = [target] + between.filter { $0.name != target.name }.sorted { $0.version > $1.version }
        let known = Set(manifests.flatMap { $0.layers.map(\.blake3) })
        var saving: UInt64 = 0
        layers = target.layers.filter { kinds?.contains($0.kind) ?? true }.map { layer in
            if installed.contains(where: { $0.blake3 == layer.blake3 && $0.isTree == layer.isTree }) {
                return LayerWay(layer: layer, way: .held)
            }
            let held = Set(installed.filter { $0.kind == layer.kind }.map(\.blake3))
            let chains = PatchChains(to: layer, in: manifests)
            var arrival = LayerWay(layer: layer, way: .whole)
            if let chain = chains.cheapest(from: held), chain.byteCount < layer.blob.byteCount {
                arrival = LayerWay(layer: layer, way: .patched(chain.legs))
            }
            // An older release may have made the same layer by patches that the target doesn't repeat.
            let isOpen = between.isEmpty && layer.patches.isEmpty
            if let least = isOpen ? 0 : chains.leastByteCount(fromOutside: known.union(held)) {
                saving &+= arrival.byteCount - min(arrival.byteCount, least)
            }
            return arrival
        }
        possibleSaving = saving
    }

    /// The releases of which patches must be kept so that an install of any of `supported` reaches `target` as it does
    /// now. To be asked before a channel is pruned.
    package static func releasesNeeded(
        toReach target: Manifest, from supported: [Manifest], through listed: [Manifest]
    ) -> Set<ReleaseName> {
        supported.reduce(into: []) { needed, manifest in
            needed.formUnion(UpdateRoute(to: target, from: manifest.layers, through: listed).releases)
        }
    }

    /// The versions through which a chain from `installed` to `target` may go, newest first: listed, not withdrawn,
    /// between the two. Their manifests are what planning needs.
    package static func versions(
        between installed: TerritoryVersion, and target: TerritoryVersion, in territory: ChannelIndex.Territory
    ) -> [ChannelIndex.Version] {
        territory.versions.filter { $0.version > installed && $0.version < target && $0.yanked == nil }
    }
}

/// The cheapest ways by patches to one layer.
private struct PatchChains {
    struct Chain {
        let legs: [UpdateRoute.Leg]
        let byteCount: UInt64
    }

    /// For each number of patches the cheapest chain from a content address.
    private var byLength: [[Blake3Digest: Chain]]

    /// Walks back from `layer`, one patch further each time. Of equally cheap chains the shorter one stays, then the one
    /// whose patches lie in newer releases.
    init(to layer: Manifest.Layer, in manifests: [Manifest]) {
        let edges = manifests.flatMap { manifest -> [UpdateRoute.Leg] in
            guard let made = manifest[layer.kind] else { return [] }
            return made.patches.map { UpdateRoute.Leg(release: manifest.name, layer: made, patch: $0) }
        }
        let ends = [layer.blake3: Chain(legs: [], byteCount: 0)]
        byLength = [ends]
        for length in 1...UpdateRoute.longestChain {
            var chains: [Blake3Digest: Chain] = [:]
            for edge in edges {
                guard let rest = byLength[length - 1][edge.layer.blake3] else { continue }
                // The last patch makes the layer under the name that it will have.
                guard !rest.legs.isEmpty || edge.layer.path == layer.path && edge.layer.isTree == layer.isTree else {
                    continue
                }
                let (byteCount, overflow) = rest.byteCount.addingReportingOverflow(edge.patch.byteCount)
                guard !overflow else { continue }
                if let known = chains[edge.patch.from], known.byteCount <= byteCount { continue }
                chains[edge.patch.from] = Chain(legs: [edge] + rest.legs, byteCount: byteCount)
            }
            if chains.isEmpty { break }
            byLength.append(chains)
        }
    }

    func cheapest(from held: Set<Blake3Digest>) -> Chain? {
        let starts = held.sorted()
        return byLength.flatMap { chains in starts.compactMap { chains[$0] } }.min { $0.byteCount < $1.byteCount }
    }

    /// What the cheapest chain costs that begins at none of these contents, and to which a patch can still be added.
    func leastByteCount(fromOutside known: Set<Blake3Digest>) -> UInt64? {
        byLength.prefix(UpdateRoute.longestChain)
            .flatMap { chains in chains.filter { !known.contains($0.key) }.map(\.value.byteCount) }.min()
    }
}
