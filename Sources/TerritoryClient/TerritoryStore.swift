public import Diagnostics
public import FoundationEssentials
public import Signing
public import TerritoryModel
public import TerritoryPackage

/// A store of signed offline territories: installs, updates, verifies and repairs them, and never breaks.
///
/// Nothing is trusted but the pinned keys. Whatever fails, is cancelled or killed leaves what was installed as it was. Two
/// processes may share a store. Disk and network work runs off the cooperative pool; cancelling the calling task, or the
/// token given, ends it soon with the outcome `cancelled`.
public actor TerritoryStore {
    private let core: StoreCore
    private var listeners: [UUID: AsyncStream<[TerritoryInfo]>.Continuation] = [:]
    /// Versions whose paths were handed out: they stay on disk while this store lives.
    private var handedOut: [String: InstalledPackage] = [:]

    /// A store that trusts these keys.
    ///
    /// - Parameter root: the directory that the store owns; made on first use.
    public init(root: URL, keys: PinnedKeys, options: StoreOptions = StoreOptions()) {
        core = StoreCore(path: root.path(percentEncoded: false), keys: keys, options: options)
        core.sweep()
    }

    /// A store with one key a role; without a region key custom regions are refused.
    public init(
        root: URL, factoryKey: FactoryKey, regionKey: RegionKey? = nil, options: StoreOptions = StoreOptions()
    ) throws(SnpackError) {
        let keys = try PinnedKeys(factory: [factoryKey], region: regionKey.map { [$0] } ?? [])
        self.init(root: root, keys: keys, options: options)
    }

    deinit { for listener in listeners.values { listener.finish() } }

    // MARK: - Installing and updating

    /// Installs a release, `.snpkg` or unpacked package directory. No index is asked; the mark's withdrawals hold.
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
    public func install(
        _ id: TerritoryID, from channel: any ChannelTransport, _ request: InstallRequest = InstallRequest(),
        cancel: CancelToken = CancelToken()
    ) async throws(SnpackError) -> StoreReport {
        try await changing(cancel, cancelled: Self.cancelled) { (core, context) throws(SnpackError) in
            try core.install(id, from: channel, request, context)
        }
    }

    /// The same for the version that is offered, as a scheduled job does it.
    public func sync(
        _ id: TerritoryID, from channel: any ChannelTransport, omit: Set<LayerKind>? = nil,
        cancel: CancelToken = CancelToken()
    ) async throws(SnpackError) -> StoreReport {
        try await install(id, from: channel, InstallRequest(omit: omit), cancel: cancel)
    }

    /// What the channel has for the territory, and exactly what taking it costs. Changes nothing but the mark.
    public func check(
        _ id: TerritoryID, from channel: any ChannelTransport, _ request: InstallRequest = InstallRequest(),
        cancel: CancelToken = CancelToken()
    ) async throws(SnpackError) -> UpdateCheck {
        try await run(cancel) { (core, context) throws(SnpackError) in
            try core.check(id, from: channel, request, context)
        }
    }

    /// Takes the update that ``check(_:from:_:cancel:)`` found.
    public func apply(
        _ update: UpdateCheck, of id: TerritoryID, from channel: any ChannelTransport,
        _ request: InstallRequest = InstallRequest(), cancel: CancelToken = CancelToken()
    ) async throws(SnpackError) -> StoreReport {
        var request = request
        if let version = update.availableVersion { request.version = .exactly(try TerritoryVersion(parsing: version)) }
        return try await install(id, from: channel, request, cancel: cancel)
    }

    /// What an update to this signed manifest takes.
    public func planUpdate(
        manifest: [UInt8], signature: [UInt8], omit: Set<LayerKind>? = nil
    ) async throws(SnpackError) -> UpdatePlan {
        try await run { (core, _) throws(SnpackError) in
            try core.plan(manifest: manifest, signature: signature, omit: omit)
        }
    }

    // MARK: - Keeping

    /// Judges every installed byte of a territory, and tells everything that is wrong.
    public func verify(
        _ id: TerritoryID, cancel: CancelToken = CancelToken()
    ) async throws(SnpackError) -> VerificationReport {
        try await run(cancel) { (core, context) throws(SnpackError) in try core.verify(id, context) }
    }

    /// Puts right what is damaged, fetching only the chunks in which the damage lies.
    public func repair(
        _ id: TerritoryID, from source: RepairSource? = nil, cancel: CancelToken = CancelToken()
    ) async throws(SnpackError) -> RepairResult {
        try await changing(cancel) { (core, context) throws(SnpackError) in
            try core.repair(id, from: source, context)
        }
    }

    /// Goes back to the version before. Updates up to the one left are held until a newer one is offered.
    public func rollback(
        _ id: TerritoryID, cancel: CancelToken = CancelToken()
    ) async throws(SnpackError) -> TerritoryInfo {
        try await changing(cancel) { (core, context) throws(SnpackError) in try core.rollback(id, context) }
    }

    /// Takes a territory away.
    public func remove(_ id: TerritoryID) async throws(SnpackError) {
        handedOut = handedOut.filter { $0.value.document.territoryID != id }
        try await changing { (core, context) throws(SnpackError) in try core.remove(id, context) }
    }

    /// Bytes that were fetched and are not installed yet.
    public func layerCacheSize() async throws(SnpackError) -> UInt64 {
        try await run { (core, _) throws(SnpackError) in try core.cachedByteCount() }
    }

    /// Forgets them; returns how many bytes that gave free.
    @discardableResult
    public func clearLayerCache() async throws(SnpackError) -> UInt64 {
        try await run { (core, _) throws(SnpackError) in try core.clearCache() }
    }

    // MARK: - Using

    /// All installed territories, by id.
    public func list() async throws(SnpackError) -> [TerritoryInfo] {
        try await run { (core, _) throws(SnpackError) in try core.list() }
    }

    public func setActive(_ id: TerritoryID) async throws(SnpackError) {
        try await changing { (core, _) throws(SnpackError) in try core.setActive(id) }
    }

    /// The active territory, if one is set and still installed.
    public func active() async throws(SnpackError) -> TerritoryInfo? {
        try await run { (core, _) throws(SnpackError) in try core.active() }
    }

    /// Where an installed layer lies: a directory, or a file. It stays there while this store lives, also after an update.
    ///
    /// - Throws: `layer.not-installed` when this install left it out, `layer.unknown` when the territory has none.
    public func layerURL(_ id: TerritoryID, _ kind: LayerKind) async throws(SnpackError) -> URL {
        let (path, package) = try await run { (core, _) throws(SnpackError) in try core.layer(kind, of: id) }
        handedOut[package.path] = package
        return URL(filePath: path)
    }

    /// A MapLibre style of which every reference is a local file.
    public func style(_ id: TerritoryID, theme: StyleTheme = .light) async throws(SnpackError) -> String {
        let (json, package) = try await run { (core, _) throws(SnpackError) in try core.style(id, theme) }
        handedOut[package.path] = package
        return json
    }

    /// Search in the territory's place index. Open it once and keep it.
    public func search(_ id: TerritoryID) async throws(SnpackError) -> TerritorySearch {
        let (index, package) = try await run { (core, _) throws(SnpackError) in try core.search(id) }
        return TerritorySearch(index, package)
    }

    /// The installed set: now, and after every change that this store makes.
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
