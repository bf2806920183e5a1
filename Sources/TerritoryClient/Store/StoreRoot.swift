import Diagnostics
import DurableFiles
import TerritoryModel
import TerritoryPackage

/// A store's directory: where its parts are, and the files that belong to no single territory.
struct StoreRoot: Sendable {
    let directory: Directory

    /// Opens the store at `path`; nil if there is none yet.
    static func open(_ path: String, disk: any Disk) throws(SnpackError) -> StoreRoot? {
        guard let real = RealPath.of(path) else { return nil }
        let root = StoreRoot(directory: try Directory.open(real, disk: disk))
        try root.checkFormat()
        return root
    }

    /// Opens the store at `path`, made where it is missing.
    static func create(_ path: String, disk: any Disk) throws(SnpackError) -> StoreRoot {
        _ = try Directory.create(path, disk: disk)
        guard let root = try open(path, disk: disk) else {
            throw SnpackError(.fileNotFound, "the store's directory went away", path: path)
        }
        try root.directory.removeLeftovers()
        if try !root.directory.contains(StoreName.marker) {
            try root.directory.write(marker.canonicalBytes, to: StoreName.marker)
        }
        return root
    }

    private static let marker: JSONValue = ["type": "snpack-store", "format": 1]

    private func checkFormat() throws(SnpackError) {
        guard let bytes = try? directory.contents(of: StoreName.marker, limit: 1 << 16),
            let json = (try? StrictJSON.parse(bytes))?.objectValue, json["type"] == "snpack-store",
            let format = json["format"]?.numberValue?.unsignedInteger, format > 1
        else { return }
        throw SnpackError(
            .storeTooNew, "the store is of format \(format); this version knows format 1", hint: "update this program",
            path: directory.path)
    }

    // MARK: - Locks

    /// Held while a territory is changed. Another process that changes it too is told at once.
    func lock(_ id: TerritoryID) throws(SnpackError) -> FileLock {
        try FileLock(id.rawValue, in: try directory.directory(StoreName.locks, creating: 0o755))
    }

    /// Held for the moment in which a small file of the store is changed.
    func lockStore() throws(SnpackError) -> FileLock {
        try FileLock(".\(StoreName.storeLock)", in: try directory.directory(StoreName.locks, creating: 0o755), wait: 10)
    }

    // MARK: - Territories

    func territoryIDs() throws(SnpackError) -> [TerritoryID] {
        guard let territories = try subdirectory(StoreName.territories, of: directory) else { return [] }
        return try territories.names().compactMap { try? TerritoryID(parsing: $0) }.sorted()
    }

    func folder(_ id: TerritoryID) throws(SnpackError) -> TerritoryFolder? {
        guard let territories = try subdirectory(StoreName.territories, of: directory),
            let folder = try subdirectory(id.rawValue, of: territories)
        else { return nil }
        return TerritoryFolder(id: id, directory: folder)
    }

    func makeFolder(_ id: TerritoryID) throws(SnpackError) -> TerritoryFolder {
        let path = "\(StoreName.territories)/\(id)"
        return TerritoryFolder(id: id, directory: try directory.directory(at: path, creating: 0o755))
    }

    /// Takes a territory's directory away if nothing is in it but its state.
    func dropFolderIfEmpty(_ folder: TerritoryFolder) throws(SnpackError) {
        guard try folder.directory.names().allSatisfy({ $0 == StoreName.state }),
            let territories = try subdirectory(StoreName.territories, of: directory)
        else { return }
        try territories.removeTree(folder.id.rawValue)
        try territories.sync()
    }

    private func subdirectory(_ name: String, of parent: Directory) throws(SnpackError) -> Directory? {
        do { return try parent.directory(name) } catch  where error.code == .fileNotFound { return nil }
    }

    // MARK: - The active territory

    func activeID() -> TerritoryID? {
        guard let bytes = try? directory.contents(of: StoreName.active, limit: 1 << 16) else { return nil }
        return (try? StrictJSON.parse(bytes))?.objectValue?["active"]?.stringValue.flatMap {
            try? TerritoryID(parsing: $0)
        }
    }

    func setActive(_ id: TerritoryID?) throws(SnpackError) {
        let lock = try lockStore()
        defer { withExtendedLifetime(lock) {} }
        guard let id else {
            try directory.remove(StoreName.active)
            return try directory.sync()
        }
        let json: JSONValue = ["active": .string(id.rawValue)]
        try directory.write(json.canonicalBytes, to: StoreName.active)
    }

    // MARK: - Marks

    func remembered(_ channel: ChannelName, keys: PinnedKeys) -> RememberedIndex {
        func bytes(_ name: String, limit: Int) -> [UInt8]? {
            guard let folder = try? directory.directory(at: "\(StoreName.channels)/\(channel)") else { return nil }
            do { return try folder.contents(of: name, limit: limit) } catch {
                // What is there and cannot be read is damaged, not absent.
                return error.code == .fileNotFound ? nil : []
            }
        }
        return RememberedIndex(
            mark: bytes(StoreName.mark, limit: 1 << 16),
            signedIndex: bytes(StoreName.index, limit: SignedIndexFile.limit), channel: channel, keys: keys)
    }

    /// Removes what a killed process left beside the mark; the caller holds the store's lock.
    func removeMarkLeftovers(_ channel: ChannelName) {
        try? directory.directory(at: "\(StoreName.channels)/\(channel)").removeLeftovers()
    }

    /// Stores the mark durably, the index first: a crash in between leaves an index that is ahead, which counts.
    func setMark(_ index: Verified<ChannelIndex>) throws(SnpackError) {
        let path = "\(StoreName.channels)/\(index.document.channel)"
        let folder = try directory.directory(at: path, creating: 0o755)
        try folder.removeLeftovers()
        let file = SignedIndexFile(index: index.bytes, signature: index.signature)
        try folder.write(file.encoded, to: StoreName.index)
        try folder.write(IndexMark(of: index).encoded, to: StoreName.mark)
    }
}
