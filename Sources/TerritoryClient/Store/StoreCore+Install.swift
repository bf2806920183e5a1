import Diagnostics
import DurableFiles
import TerritoryModel
import TerritoryPackage

// Installing and updating: from a channel, or from a package at hand.
extension StoreCore {
    /// What is being installed, with everything decided.
    private struct Job {
        let manifest: Verified<Manifest>
        let supply: any PackageSupply
        let fetcher: ChannelFetcher?
    }

    // MARK: - From a channel

    func install(
        _ id: TerritoryID, from transport: any ChannelTransport, _ request: InstallRequest, _ context: WorkContext
    ) throws(SnpackError) -> StoreReport {
        try checkRole(of: id)
        let root = try createdRoot()
        let fetcher = ChannelFetcher(transport, cancel: context.cancel)
        return try changing(id, in: root, context) { (folder, present) throws(SnpackError) in
            let accepted = try acceptedIndex(id, fetcher, request, in: root, context)
            let index = accepted.index.document
            guard let territory = index[id] else {
                throw SnpackError(
                    .versionNotListed, "the channel does not list \(id)", hint: "snpack list shows what it offers",
                    path: transport.location)
            }
            let rules = VersionRules(
                allowances: request.allowances, engines: options.engines, withdrawals: accepted.withdrawals)
            let decision = try rules.decide(request.version, of: territory, installed: present?.installedVersion)
            let version: TerritoryVersion
            switch decision {
            case .upToDate:
                guard let present, let package = present.current else { throw notReadable(id) }
                if request.omit == nil || request.omit == package.omitted {
                    BlobCache.drop(package.document, in: root.directory)
                    return StoreReport(
                        outcome: .upToDate(info(package, present.state, in: root)), index: accepted.info)
                }
                version = package.document.version
            case .held(let version):
                guard let present, let package = present.current else { throw notReadable(id) }
                return StoreReport(
                    outcome: .held(info(package, present.state, in: root), version: version.rawValue),
                    index: accepted.info)
            case .take(let wanted): version = wanted
            }
            guard let entry = territory[version] else {
                throw SnpackError(.versionNotListed, "the channel does not list \(ReleaseName(id, version))")
            }
            let manifest = try fetcher.manifest(listedAs: entry, of: territory, keys: keys)
            let route = try route(
                to: manifest.document, in: territory, from: present,
                omitting: request.omit ?? present?.current?.omitted ?? [], fetcher)
            let supply = ChannelSupply(
                fetcher, entry.name, cache: try BlobCache(in: root.directory), route: route)
            let outcome = try put(
                Job(manifest: manifest, supply: supply, fetcher: fetcher), over: present, folder, root, request, context
            )
            return StoreReport(outcome: outcome, index: accepted.info)
        }
    }

    /// The channel's index, accepted, its mark stored.
    func acceptedIndex(
        _ id: TerritoryID, _ fetcher: ChannelFetcher, _ request: InstallRequest, in root: StoreRoot,
        isLooking: Bool = false, _ context: WorkContext
    ) throws(SnpackError) -> AcceptedIndex {
        // Two processes that take indices of one channel take turns, or the older mark could end up on top.
        // A store that cannot be written to has no mark to lower, and may be looked at.
        let lock: FileLock?
        do throws(SnpackError) { lock = try root.lockStore() } catch  where isLooking && error.code != .lockBusy {
            lock = nil
        }
        defer { withExtendedLifetime(lock) {} }
        let channel = channel(of: id)
        let remembered = root.remembered(channel, keys: keys)
        if let warning = remembered.warning { context.report.warn(warning) }
        let judge = IndexJudge(
            keys: keys, channel: channel, remembered: remembered, now: options.now(), maxAge: request.maxAge,
            allowances: request.allowances)
        let index = try fetcher.index { (file) throws(SnpackError) in try judge.verified(file) }
        do throws(SnpackError) {
            let accepted = isLooking ? try judge.acceptForLooking(index) : try judge.accept(index)
            if let warning = accepted.warning { context.report.warn(warning) }
            if accepted.setsMark, !(isLooking && accepted.info.freshness == .expired) {
                try root.setMark(index)
            } else if lock != nil {
                root.removeMarkLeftovers(channel)
            }
            return accepted
        } catch { throw error.at(fetcher.location(of: ChannelFile.signed)) }
    }

    func checkRole(of id: TerritoryID) throws(SnpackError) {
        guard id.isRegion, keys.region.isEmpty else { return }
        throw SnpackError(
            .noRegionKey, "\(id) is a custom region, and this store trusts no region key",
            hint: "give its public key with --region-key")
    }

    // MARK: - From a package at hand

    func install(
        packageAt path: String, _ request: InstallRequest, _ context: WorkContext
    ) throws(SnpackError) -> StoreReport {
        let (manifest, supply) = try openPackage(path)
        let document = manifest.document
        if case .exactly(let version) = request.version, version != document.version {
            throw SnpackError(.versionNotListed, "the package is \(document.name), not version \(version)", path: path)
        }
        if let wanted = request.territory, wanted != document.territoryID {
            throw SnpackError(.versionNotListed, "the package is \(document.name), not \(wanted)", path: path)
        }
        let root = try createdRoot()
        return try changing(document.territoryID, in: root, context) { (folder, present) throws(SnpackError) in
            let remembered = root.remembered(channel(of: document.territoryID), keys: keys)
            let rules = VersionRules(
                allowances: request.allowances, engines: options.engines, withdrawals: remembered.index)
            if case .upToDate = try rules.decide(on: manifest, installed: present?.installedVersion) {
                guard let present, let package = present.current else { throw notReadable(document.territoryID) }
                if request.omit == nil || request.omit == package.omitted {
                    return StoreReport(outcome: .upToDate(info(package, present.state, in: root)), index: nil)
                }
            }
            let outcome = try put(
                Job(manifest: manifest, supply: supply, fetcher: nil), over: present, folder, root, request, context)
            return StoreReport(outcome: outcome, index: nil)
        }
    }

    /// A release, `.snpkg` or unpacked directory, its manifest verified by a current key.
    func openPackage(
        _ path: String
    ) throws(SnpackError) -> (manifest: Verified<Manifest>, supply: any PackageSupply) {
        func verified(_ bytes: [UInt8], _ signature: [UInt8]) throws(SnpackError) -> Verified<Manifest> {
            do throws(SnpackError) { return try keys.verifyManifest(bytes, signature: signature) } catch {
                throw error.at(path)
            }
        }
        func packed(_ package: some PackedPackage) throws(SnpackError) -> (Verified<Manifest>, any PackageSupply) {
            let manifest = try verified(package.manifestBytes, package.signatureBytes)
            try package.checkForm(for: manifest.document)
            return (manifest, PackedSupply(package))
        }
        switch try LocalSource(opening: path) {
        case .release(let release): return try packed(release)
        case .archive(let archive): return try packed(archive)
        case .directory(let directory):
            return (
                try verified(directory.manifestBytes, directory.signatureBytes), DirectorySupply(directory)
            )
        case .channel:
            throw SnpackError(
                .sourceUnknown, "that is a channel, not a package", hint: "name a territory of it: CHANNEL#ID",
                path: path)
        }
    }

    // MARK: - Both

    private func put(
        _ job: Job, over present: Present?, _ folder: TerritoryFolder, _ root: StoreRoot, _ request: InstallRequest,
        _ context: WorkContext
    ) throws(SnpackError) -> InstallOutcome {
        let omitted = request.omit ?? present?.current?.omitted ?? []
        warnOfUnknown(request.omit ?? [], job.manifest.document, context)
        let installer = Installer(
            folder: folder, manifest: job.manifest, omitted: omitted, supply: job.supply, present: present?.all ?? [],
            context: context)
        let built = try installer.run()
        let isOtherVersion = present?.state.current?.version != built.slot.version
        var state = TerritoryState(current: built.slot, held: isOtherVersion ? nil : present?.state.held)
        if options.keepsPrevious { state.previous = isOtherVersion ? present?.state.current : present?.state.previous }
        try folder.write(state)
        for layer in job.manifest.document.layers { job.supply.drop(layer) }
        let package = try InstalledPackage(built.slot, in: folder.directory, keys: keys)
        let result = ChannelInstallResult(
            territory: info(package, state, in: root), previousVersion: present?.state.current?.version.rawValue,
            layersFetched: built.fetched, layersReused: built.reused, layersPatched: built.patched,
            bytesDownloaded: job.fetcher?.layerByteCount ?? 0)
        return present == nil ? .installed(result) : .updated(result)
    }

    private func warnOfUnknown(_ kinds: Set<LayerKind>, _ manifest: Manifest, _ context: WorkContext) {
        for kind in kinds.sorted() where manifest[kind] == nil {
            let there = manifest.layers.map(\.kind.rawValue).joined(separator: ", ")
            context.report.warn(
                SnpackError(.layerUnknown, "\(manifest.name) has no layer \(kind) to leave out; it has \(there)"))
        }
    }

    private func notReadable(_ id: TerritoryID) -> SnpackError {
        SnpackError(
            .installedFileDamaged, "the installed manifest of \(id) is damaged",
            hint: "install it again from its source")
    }
}
