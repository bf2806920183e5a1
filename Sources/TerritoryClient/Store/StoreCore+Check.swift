import Diagnostics
import DurableFiles
import TerritoryModel
import TerritoryPackage

// Looking: what a channel has, and whether what is installed is whole. Nothing that is installed changes.
extension StoreCore {
    func check(
        _ id: TerritoryID, from transport: any ChannelTransport, _ request: InstallRequest, _ context: WorkContext
    ) throws(SnpackError) -> UpdateCheck {
        try checkRole(of: id)
        let root = try createdRoot()
        let fetcher = ChannelFetcher(transport, cancel: context.cancel)
        let accepted = try acceptedIndex(id, fetcher, request, in: root, isLooking: true, context)
        guard let territory = accepted.index.document[id] else {
            throw SnpackError(
                .versionNotListed, "the channel does not list \(id)", hint: "snpack list shows what it offers",
                path: transport.location)
        }
        let present = try present(id, in: root, context)
        let rules = VersionRules(
            allowances: request.allowances, engines: options.engines, withdrawals: accepted.withdrawals)
        var refusal: SnpackError?
        var held: TerritoryVersion?
        var wanted: ChannelIndex.Version?
        do throws(SnpackError) {
            switch try rules.decide(request.version, of: territory, installed: present?.installedVersion) {
            case .upToDate: break
            case .held(let version): held = version
            case .take(let version): wanted = territory[version]
            }
        } catch { refusal = error }
        let plan: UpdatePlan? =
            if let wanted {
                try self.plan(
                    try fetcher.manifest(listedAs: wanted, of: territory, keys: keys).document, territory, fetcher,
                    present, root, request)
            } else { nil }
        return UpdateCheck(
            territory: present.flatMap { present in present.current.map { info($0, present.state, in: root) } },
            availableVersion: wanted?.version.rawValue, plan: plan, refusal: refusal, heldVersion: held?.rawValue,
            index: accepted.info)
    }

    private func plan(
        _ manifest: Manifest, _ territory: ChannelIndex.Territory, _ fetcher: ChannelFetcher, _ present: Present?,
        _ root: StoreRoot, _ request: InstallRequest
    ) throws(SnpackError) -> UpdatePlan {
        let omitted = request.omit ?? present?.current?.omitted ?? []
        let route = try route(to: manifest, in: territory, from: present, omitting: omitted, fetcher)
        let supply = ChannelSupply(
            fetcher, manifest.name, cache: try BlobCache(in: root.directory), route: route)
        return plan(
            manifest, omitted: omitted, present: present?.all ?? [], supply.arrivals, isLocal: supply.isLocal)
    }

    /// What an update to `manifest` takes.
    private func plan(
        _ manifest: Manifest, omitted: Set<LayerKind>, present: [InstalledPackage], _ arrivals: LayerArrivals,
        isLocal: Bool = false
    ) -> UpdatePlan {
        let wanted = manifest.layers.filter { !omitted.contains($0.kind) }
        let missing = wanted.filter { layer in !present.contains { $0.layer(like: layer) != nil } }
        let changed = missing.map {
            ChangedLayer(
                kind: $0.kind, way: arrivals.legs(to: $0).isEmpty ? .whole : .patched,
                downloadBytes: arrivals.wireByteCount(of: $0), wholeBytes: $0.blob.byteCount,
                installedBytes: $0.byteCount)
        }
        let downloadBytes = changed.reduce(0) { $0 + $1.downloadBytes }
        return UpdatePlan(
            changed: changed, downloadBytes: downloadBytes,
            installedBytes: changed.reduce(0) { $0 + $1.installedBytes },
            bytesAfter: wanted.reduce(0) { $0 + $1.byteCount },
            peakBytes: missing.reduce(isLocal ? 0 : downloadBytes) { $0 &+ arrivals.peakByteCount(of: $1) })
    }

    /// Plans an update to a manifest that the app has got some other way; it must verify. Of patches only its own are
    /// reckoned with: manifests of versions between are the channel's to give.
    func plan(
        manifest bytes: [UInt8], signature: [UInt8], omit: Set<LayerKind>?
    ) throws(SnpackError) -> UpdatePlan {
        let manifest = try keys.verifyManifest(bytes, signature: signature).document
        guard let root = try existingRoot() else {
            return plan(manifest, omitted: omit ?? [], present: [], LayerArrivals(cache: nil))
        }
        let present = try present(manifest.territoryID, in: root, WorkContext())
        let omitted = omit ?? present?.current?.omitted ?? []
        let all = present?.all ?? []
        let route = UpdateRoute(to: manifest, from: all.flatMap(\.layers))
        return plan(
            manifest, omitted: omitted, present: all,
            LayerArrivals(route: route, cache: try? BlobCache(in: root.directory)))
    }

    func verify(_ id: TerritoryID, _ context: WorkContext) throws(SnpackError) -> VerificationReport {
        let (present, package, root) = try installed(id, context)
        context.report.begin("verifying \(package.document.name)", byteCount: nil)
        defer { context.report.end() }
        let faults = InstalledCheck(package, context: context).faults()
        try context.cancel.check()
        return VerificationReport(territory: info(package, present.state, in: root), faults: faults.faults)
    }

    /// The absolute path of an installed layer, and the claim that keeps it there.
    func layer(
        _ kind: LayerKind, of id: TerritoryID
    ) throws(SnpackError) -> (path: String, package: InstalledPackage) {
        let (_, package, _) = try installed(id)
        guard let layer = package.document[kind] else {
            let there = package.document.layers.map(\.kind.rawValue).joined(separator: ", ")
            throw SnpackError(.layerUnknown, "\(id) has no layer \(kind)", hint: "it has \(there)")
        }
        guard !package.omitted.contains(kind) else {
            throw SnpackError(
                .layerNotInstalled, "layer \(kind) of \(id) was left out of this install",
                hint: "install it again without --omit \(kind) to fetch it")
        }
        return (package.package.path(of: layer), package)
    }
}
