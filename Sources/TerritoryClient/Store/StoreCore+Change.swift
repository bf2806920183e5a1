import Diagnostics
import DurableFiles
import TerritoryModel
import TerritoryPackage

// Going back, taking away, choosing, and the cache.
extension StoreCore {
    /// Goes back to the version before, which must still be whole.
    func rollback(_ id: TerritoryID, _ context: WorkContext) throws(SnpackError) -> TerritoryInfo {
        let root = try openRoot(for: id)
        return try changing(id, in: root, context) { (folder, present) throws(SnpackError) in
            guard let present, let left = present.state.current else { throw notInstalled(id) }
            guard let slot = present.state.previous, let previous = present.previous else {
                throw SnpackError(
                    .noVersionBefore, "there is no version before \(left.version) of \(id) to go back to",
                    hint: "install an older one with --allow-downgrade")
            }
            try InstalledCheck(previous, context: context).faults().throwIfAny(
                "version \(slot.version) of \(id) is damaged")
            try context.cancel.check()
            let state = TerritoryState(current: slot, held: max(left.version, present.state.held ?? left.version))
            try folder.write(state)
            return info(previous, state, in: root)
        }
    }

    /// Takes a territory away. What is open in a program stays readable there until it is closed.
    func remove(_ id: TerritoryID, _ context: WorkContext) throws(SnpackError) {
        let root = try openRoot(for: id)
        try changing(id, in: root, context) { (folder, present) throws(SnpackError) in
            guard present != nil else { throw notInstalled(id) }
            try folder.write(TerritoryState())
            if root.activeID() == id { try root.setActive(nil) }
        }
    }

    func setActive(_ id: TerritoryID) throws(SnpackError) {
        let (_, _, root) = try installed(id)
        try root.setActive(id)
    }

    /// The active territory, if it is still installed.
    func active() throws(SnpackError) -> TerritoryInfo? {
        guard let root = try existingRoot(), let id = root.activeID() else { return nil }
        guard let present = try present(id, in: root, context(CancelToken())), let package = present.current else {
            return nil
        }
        return info(package, present.state, in: root)
    }

    func cachedByteCount() throws(SnpackError) -> UInt64 {
        guard let root = try existingRoot(), try root.directory.contains(StoreName.cache) else { return 0 }
        return try BlobCache(in: root.directory).byteCount
    }

    func clearCache() throws(SnpackError) -> UInt64 {
        guard let root = try existingRoot(), try root.directory.contains(StoreName.cache) else { return 0 }
        let cache = try BlobCache(in: root.directory)
        let byteCount = try cache.byteCount
        try cache.clear()
        return byteCount
    }

    /// Removes what killed programs left, where nobody is at work.
    func sweep() {
        guard let root = try? existingRoot(), let ids = try? root.territoryIDs() else { return }
        for id in ids {
            // The lock is only taken where there is work: who merely looks makes nobody else busy.
            guard let folder = try? root.folder(id), let state = folder.writtenState,
                (try? folder.hasRemains(beside: state)) == true, let lock = try? root.lock(id)
            else { continue }
            defer { withExtendedLifetime(lock) {} }
            guard let state = folder.writtenState else { continue }
            try? folder.sweep(keeping: state)
        }
    }

    func openRoot(for id: TerritoryID) throws(SnpackError) -> StoreRoot {
        guard let root = try existingRoot(), try root.folder(id) != nil else { throw notInstalled(id) }
        return root
    }

    func notInstalled(_ id: TerritoryID) -> SnpackError {
        SnpackError(.notInstalled, "\(id) is not installed", hint: "snpack store list shows what is", path: path)
    }
}
