public import Diagnostics
public import FoundationEssentials
public import Signing
public import TerritoryModel
public import TerritoryPackage

/// A store of signed offline territories: installs, updates, verifies and repairs them, and never breaks.
///
/// Nothing is trusted but the pinned keys. Whatever fails, is cancelled or killed leaves what was installed as it was. Two
/// processes may share a store. Disk and network work runs off the cooperative pool; cancelling the calling task, or the
/// token given, ends it soon: with the outcome `cancelled` where there is an outcome, else with
/// ``/Diagnostics/ErrorCode/interrupted``.
///
/// Every method throws `SnpackError` and nothing else. Its code's `name` never changes its meaning, and its `exitStatus`
/// says what kind of trouble it is: `verification` when something is not what a pinned key signed, `network` when the
/// same call may succeed later, `localIO` for the disk (`disk.full`, `disk.permission`, `disk.io`), `conflict` when what is
/// installed stands against it, or another process works on the same territory (`lock.busy`), `unsupported` for what this
/// version cannot read (`store.too-new`). Below, each method names the codes that are its own.
public actor TerritoryStore {
    private let core: StoreCore
    private var listeners: [UUID: AsyncStream<[TerritoryInfo]>.Continuation] = [:]
    /// Versions whose paths were handed out: they stay on disk while this store lives.
    private var handedOut: [String: InstalledPackage] = [:]

    /// A store that trusts these keys.
    ///
    /// Removes what killed programs left there; looks at nothing else yet.
    ///
    /// - Parameters:
    ///   - root: the directory that the store owns, a file URL; made on first use.
    ///   - keys: whose signatures count.
    ///   - options: channel, engines, threads and the like.
    public init(root: URL, keys: PinnedKeys, options: StoreOptions = StoreOptions()) {
        core = StoreCore(path: root.path(percentEncoded: false), keys: keys, options: options)
        core.sweep()
    }

    /// A store with one key a role; without a region key custom regions are refused.
    ///
    /// - Throws: `keys.invalid` when both are the same key.
    public init(
        root: URL, factoryKey: FactoryKey, regionKey: RegionKey? = nil, options: StoreOptions = StoreOptions()
    ) throws(SnpackError) {
        let keys = try PinnedKeys(factory: [factoryKey], region: regionKey.map { [$0] } ?? [])
        self.init(root: root, keys: keys, options: options)
    }

    deinit { for listener in listeners.values { listener.finish() } }

    // MARK: - Installing and updating

    /// Installs a release, `.snpkg` or unpacked package directory. No index is asked; the mark's withdrawals hold.
    ///
    /// - Throws: `source.not-found` or `source.unknown` for what is no package; `version.not-listed` when it is not what
    ///   the request asks for; what ``/TerritoryPackage/PinnedKeys/verifyManifest(_:signature:for:)`` throws;
    ///   `version.older`, `version.yanked` and `version.changed` against what is installed and known; `engine.too-old`; a
    ///   `blob.…`, `tar.…` or `layer.…` code for content that is not the signed one.
    public func install(
        package: URL, _ request: InstallRequest = InstallRequest(), cancel: CancelToken = CancelToken()
    ) async throws(SnpackError) -> StoreReport {
        let path = package.path(percentEncoded: false)
        return try await changing(cancel, cancelled: Self.cancelled) { (core, context) throws(SnpackError) in
            try core.install(packageAt: path, request, context)
        }
    }

    /// Brings a territory to the version that its channel offers, or to the one asked for: a first install, an update of
    /// the layers that changed, or nothing.
    ///
    /// - Throws: `index.not-found`, `index.rolled-back`, `index.forked`, `index.expired`, `index.stale`,
    ///   `index.other-channel` or `index.torn`, and what ``/TerritoryPackage/PinnedKeys/verifyIndex(_:signature:)`` throws,
    ///   for the index;
    ///   `version.not-listed`, `version.older`, `version.yanked`, `version.changed` or `engine.too-old` for the version;
    ///   `trust.no-region-key` for a region without a region key; what the transport throws, for ``HTTPTransport`` a
    ///   `transfer.…` code; a `blob.…`, `tar.…` or `layer.…` code for content that is not the signed one.
    public func install(
        _ id: TerritoryID, from channel: any ChannelTransport, _ request: InstallRequest = InstallRequest(),
        cancel: CancelToken = CancelToken()
    ) async throws(SnpackError) -> StoreReport {
        try await changing(cancel, cancelled: Self.cancelled) { (core, context) throws(SnpackError) in
            try core.install(id, from: channel, request, context)
        }
    }

    /// The same for the version that is offered, as a scheduled job does it.
    ///
    /// - Throws: as ``install(_:from:_:cancel:)``.
    public func sync(
        _ id: TerritoryID, from channel: any ChannelTransport, omit: Set<LayerKind>? = nil,
        cancel: CancelToken = CancelToken()
    ) async throws(SnpackError) -> StoreReport {
        try await install(id, from: channel, InstallRequest(omit: omit), cancel: cancel)
    }

    /// What the channel has for the territory, and what taking it costs to the byte. Changes nothing but the mark.
    ///
    /// A version that would be refused is no error here: ``UpdateCheck/refusal`` says why.
    ///
    /// - Throws: for the index and the network as ``install(_:from:_:cancel:)``; `version.not-listed` when the channel does
    ///   not have the territory.
    public func check(
        _ id: TerritoryID, from channel: any ChannelTransport, _ request: InstallRequest = InstallRequest(),
        cancel: CancelToken = CancelToken()
    ) async throws(SnpackError) -> UpdateCheck {
        try await run(cancel) { (core, context) throws(SnpackError) in
            try core.check(id, from: channel, request, context)
        }
    }

    /// Takes the update that ``check(_:from:_:cancel:)`` found: that version, though the channel may offer a newer one by
    /// now.
    ///
    /// - Throws: as ``install(_:from:_:cancel:)``.
    public func apply(
        _ update: UpdateCheck, of id: TerritoryID, from channel: any ChannelTransport,
        _ request: InstallRequest = InstallRequest(), cancel: CancelToken = CancelToken()
    ) async throws(SnpackError) -> StoreReport {
        var request = request
        if let version = update.availableVersion { request.version = .exactly(try TerritoryVersion(parsing: version)) }
        return try await install(id, from: channel, request, cancel: cancel)
    }

    /// What an update to this signed manifest takes.
    ///
    /// - Throws: what ``/TerritoryPackage/PinnedKeys/verifyManifest(_:signature:for:)`` throws.
    public func planUpdate(
        manifest: [UInt8], signature: [UInt8], omit: Set<LayerKind>? = nil
    ) async throws(SnpackError) -> UpdatePlan {
        try await run { (core, _) throws(SnpackError) in
            try core.plan(manifest: manifest, signature: signature, omit: omit)
        }
    }

    // MARK: - Keeping

    /// Judges every installed byte of a territory, and tells everything that is wrong.
    ///
    /// - Throws: `territory.not-installed`; a manifest that does not verify any more throws its own code.
    public func verify(
        _ id: TerritoryID, cancel: CancelToken = CancelToken()
    ) async throws(SnpackError) -> VerificationReport {
        try await run(cancel) { (core, context) throws(SnpackError) in try core.verify(id, context) }
    }

    /// Puts right what is damaged, fetching only the chunks in which the damage lies.
    ///
    /// A source is needed only where no other installed copy has the content. No index is asked.
    ///
    /// - Throws: `territory.not-installed`, `repair.needs-source`, `repair.source-lacks`, and what the source throws.
    public func repair(
        _ id: TerritoryID, from source: RepairSource? = nil, cancel: CancelToken = CancelToken()
    ) async throws(SnpackError) -> RepairResult {
        try await changing(cancel) { (core, context) throws(SnpackError) in
            try core.repair(id, from: source, context)
        }
    }

    /// Goes back to the version before. Updates up to the one left are held until a newer one is offered.
    ///
    /// - Returns: the version that is installed now.
    /// - Throws: `territory.not-installed`, `territory.no-version-before`, or the faults of the version before: it is
    ///   verified first.
    public func rollback(
        _ id: TerritoryID, cancel: CancelToken = CancelToken()
    ) async throws(SnpackError) -> TerritoryInfo {
        try await changing(cancel) { (core, context) throws(SnpackError) in try core.rollback(id, context) }
    }

    /// Takes a territory away. Its channel's mark stays, so that an older index is refused afterwards, too.
    ///
    /// - Throws: `territory.not-installed`.
    public func remove(_ id: TerritoryID) async throws(SnpackError) {
        handedOut = handedOut.filter { $0.value.document.territoryID != id }
        try await changing { (core, context) throws(SnpackError) in try core.remove(id, context) }
    }

    /// Bytes on disk that were fetched and are not installed yet.
    ///
    /// - Throws: a disk code.
    public func layerCacheSize() async throws(SnpackError) -> UInt64 {
        try await run { (core, _) throws(SnpackError) in try core.cachedByteCount() }
    }

    /// Deletes them; returns how many bytes that gave free.
    ///
    /// - Throws: a disk code.
    @discardableResult
    public func clearLayerCache() async throws(SnpackError) -> UInt64 {
        try await run { (core, _) throws(SnpackError) in try core.clearCache() }
    }

    // MARK: - Using

    /// All installed territories, by id. One whose manifest does not verify any more is left out, with a warning to the
    /// store's reporter.
    ///
    /// - Throws: `store.too-new`, or a disk code.
    public func list() async throws(SnpackError) -> [TerritoryInfo] {
        try await run { (core, _) throws(SnpackError) in try core.list() }
    }

    /// Makes a territory the one that ``active()`` returns: a note for the app, that survives restarts.
    ///
    /// - Throws: `territory.not-installed`.
    public func setActive(_ id: TerritoryID) async throws(SnpackError) {
        try await changing { (core, _) throws(SnpackError) in try core.setActive(id) }
    }

    /// The active territory, if one is set and still installed.
    ///
    /// - Throws: `store.too-new`, or a disk code.
    public func active() async throws(SnpackError) -> TerritoryInfo? {
        try await run { (core, _) throws(SnpackError) in try core.active() }
    }

    /// Where an installed layer lies: a directory, or a file. It stays there while this store lives, also after an update.
    ///
    /// - Throws: `territory.not-installed`; `layer.not-installed` when this install left it out, `layer.unknown` when the
    ///   territory has none.
    public func layerURL(_ id: TerritoryID, _ kind: LayerKind) async throws(SnpackError) -> URL {
        let (path, package) = try await run { (core, _) throws(SnpackError) in try core.layer(kind, of: id) }
        handedOut[package.path] = package
        return URL(filePath: path)
    }

    /// A MapLibre style of which every reference is a local file, as JSON.
    ///
    /// The territory's style layer, or where it has none a plain style for the vector layers that its tiles say they have.
    ///
    /// - Throws: `territory.not-installed`, `layer.unknown` or `layer.not-installed` without map tiles,
    ///   `style.unavailable` for a style layer without a style.
    public func style(_ id: TerritoryID, theme: StyleTheme = .light) async throws(SnpackError) -> String {
        let (json, package) = try await run { (core, _) throws(SnpackError) in try core.style(id, theme) }
        handedOut[package.path] = package
        return json
    }

    /// Search in the territory's place index. Open it once and keep it.
    ///
    /// - Throws: `territory.not-installed`; `layer.unknown` or `layer.not-installed` without a place index;
    ///   `search.unavailable` for one of a kind that this library does not read; what
    ///   ``/MapLayers/PlaceIndex/init(opening:)`` throws.
    public func search(_ id: TerritoryID) async throws(SnpackError) -> TerritorySearch {
        let (index, package) = try await run { (core, _) throws(SnpackError) in try core.search(id) }
        return TerritorySearch(index, package)
    }

    /// The installed set: now, and after every change that this store makes. Changes of other processes are not heard of.
    public func updates() -> AsyncStream<[TerritoryInfo]> {
        let key = UUID()
        let (stream, continuation) = AsyncStream.makeStream(of: [TerritoryInfo].self)
        continuation.onTermination = { [weak self] _ in Task { await self?.forget(key) } }
        listeners[key] = continuation
        continuation.yield((try? core.list()) ?? [])
        return stream
    }

    private func forget(_ key: UUID) { listeners[key] = nil }

    // MARK: - Off the pool

    private static let cancelled = StoreReport(outcome: .cancelled, index: nil)

    private typealias Work<Result> = @Sendable (StoreCore, WorkContext) throws(SnpackError) -> Result

    private func changing<Result: Sendable>(
        _ cancel: CancelToken = CancelToken(), cancelled: Result? = nil, _ body: @escaping Work<Result>
    ) async throws(SnpackError) -> Result {
        do throws(SnpackError) {
            let result = try await run(cancel, body)
            let territories = (try? await run { (core, _) throws(SnpackError) in try core.list() }) ?? []
            for listener in listeners.values { listener.yield(territories) }
            return result
        } catch {
            if let cancelled, cancel.isCancelled { return cancelled }
            throw error
        }
    }

    /// Runs blocking work on a thread of its own, and cancels it with the calling task.
    private func run<Result: Sendable>(
        _ cancel: CancelToken = CancelToken(), _ body: @escaping Work<Result>
    ) async throws(SnpackError) -> Result {
        let core = core
        let context = core.context(cancel)
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation {
                (continuation: CheckedContinuation<Swift.Result<Result, SnpackError>, Never>) in
                BlockingThread.run {
                    continuation.resume(
                        returning: Swift.Result { () throws(SnpackError) in try body(core, context) })
                }
            }
        } onCancel: {
            cancel.cancel()
        }
        return try result.get()
    }
}
