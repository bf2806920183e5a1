import Diagnostics
import DurableFiles
import TerritoryModel
import TerritoryPackage

/// A store's work, blocking, from any thread: the actor in front of it hops off the cooperative pool to call it.
///
/// It keeps nothing in memory: what is on disk is asked every time, so two processes see the same store.
struct StoreCore: Sendable {
    let path: String
    let keys: PinnedKeys
    let options: StoreOptions

    func context(_ cancel: CancelToken) -> WorkContext {
        WorkContext(jobs: options.jobs, cancel: cancel, report: options.reporter)
    }

    func existingRoot() throws(SnpackError) -> StoreRoot? { try StoreRoot.open(path, disk: options.disk) }
    func createdRoot() throws(SnpackError) -> StoreRoot { try StoreRoot.create(path, disk: options.disk) }

    // MARK: - What is installed

    /// A territory as it is installed, and its state.
    struct Present {
        let state: TerritoryState
        /// Nil when the current slot's manifest does not verify any more.
        let current: InstalledPackage?
        let previous: InstalledPackage?
        /// Why ``current`` is nil.
        let damage: SnpackError?

        var all: [InstalledPackage] { [current, previous].compactMap { $0 } }

        var installedVersion: InstalledVersion? {
            state.current.map {
                InstalledVersion(
                    version: $0.version, manifestBlake3: current?.manifest.blake3, held: state.held)
            }
        }
    }

    /// Nil when the territory is not installed. Opened slots stay readable while the value lives.
    func present(_ id: TerritoryID, in root: StoreRoot, _ context: WorkContext) throws(SnpackError) -> Present? {
        guard let folder = try root.folder(id) else { return nil }
        // Another process may swap between the state and the slot: then the state is another one by now.
        for attempt in 0..<8 {
            guard let (state, _) = try folder.state(keys: keys, context: context), let slot = state.current else {
                return nil
            }
            let previous = state.previous.flatMap { try? InstalledPackage($0, in: folder.directory, keys: keys) }
            do throws(SnpackError) {
                let current = try InstalledPackage(slot, in: folder.directory, keys: keys)
                guard current.document.territoryID == id else {
                    throw SnpackError(
                        .installedFileDamaged, "the manifest is of \(current.document.territoryID), not of \(id)",
                        path: current.package.directory.path(of: PackageFile.manifest))
                }
                return Present(state: state, current: current, previous: previous, damage: nil)
            } catch {
                if error.code == .fileNotFound, attempt < 7 { continue }
                return Present(state: state, current: nil, previous: previous, damage: error)
            }
        }
        return nil
    }

    /// The installed territory, or why there is none.
    func installed(
        _ id: TerritoryID, _ context: WorkContext = WorkContext()
    ) throws(SnpackError) -> (present: Present, package: InstalledPackage, root: StoreRoot) {
        guard let root = try existingRoot(), let present = try present(id, in: root, context) else {
            throw SnpackError(
                .notInstalled, "\(id) is not installed", hint: "snpack store list shows what is", path: path)
        }
        guard let package = present.current else {
            throw present.damage ?? SnpackError(.notInstalled, "\(id) is not installed")
        }
        return (present, package, root)
    }

    func list() throws(SnpackError) -> [TerritoryInfo] {
        guard let root = try existingRoot() else { return [] }
        let context = context(CancelToken())
        var infos: [TerritoryInfo] = []
        for id in try root.territoryIDs() {
            guard let present = try present(id, in: root, context) else { continue }
            if let package = present.current {
                infos.append(info(package, present.state, in: root))
            } else if let damage = present.damage {
                context.report.warn(damage)
            }
        }
        return infos
    }

    func info(_ installed: InstalledPackage, _ state: TerritoryState, in root: StoreRoot) -> TerritoryInfo {
        let manifest = installed.document
        let index = root.remembered(channel(of: manifest.territoryID), keys: keys).index
        let source = manifest.region.map(\.sourceTerritoryID)
        return TerritoryInfo(
            installed, isActive: root.activeID() == manifest.territoryID, previous: state.previous,
            yanked: index?[manifest.territoryID]?[manifest.version]?.yanked,
            newestSource: source.flatMap { newestVersion(of: $0, in: root) })
    }

    private func newestVersion(of country: TerritoryID, in root: StoreRoot) -> TerritoryVersion? {
        let offered = root.remembered(options.channel, keys: keys).index?[country]?.latestVersion
        let installed = try? present(country, in: root, WorkContext())?.state.current?.version
        return [offered, installed].compactMap { $0 }.max()
    }

    /// The channel that a territory comes from.
    func channel(of id: TerritoryID) -> ChannelName { id.isRegion ? ChannelName(of: id) : options.channel }

    // MARK: - Changes to what is installed

    /// Takes the territory's lock, runs `body` on its folder, and cleans up whatever it leaves.
    func changing<Result>(
        _ id: TerritoryID, in root: StoreRoot, _ context: WorkContext,
        _ body: (TerritoryFolder, Present?) throws(SnpackError) -> Result
    ) throws(SnpackError) -> Result {
        let lock = try root.lock(id)
        defer { withExtendedLifetime(lock) {} }
        let folder = try root.makeFolder(id)
        defer {
            if let state = try? folder.state(keys: keys, context: WorkContext())?.state {
                try? folder.sweep(keeping: state)
            }
            try? folder.directory.removeLeftovers()
            try? root.dropFolderIfEmpty(folder)
        }
        if let (state, isRebuilt) = try folder.state(keys: keys, context: context) {
            if isRebuilt { try folder.write(state) }
            try folder.sweep(keeping: state)
        } else {
            try folder.directory.removeLeftovers()
        }
        return try body(folder, try present(id, in: root, context))
    }
}
