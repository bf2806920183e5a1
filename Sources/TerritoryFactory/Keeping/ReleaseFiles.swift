import Diagnostics
import DurableFiles
import TerritoryModel
import TerritoryPackage

/// The files of one release in a channel's directory, as far as they have the names that a publisher gives them.
struct ReleaseFiles {
    /// Directory below the channel's, name and identity of each.
    private(set) var files: [(directory: String, name: String, identity: FileIdentity)] = []
    /// Everything else that lies there, which is nobody's to delete.
    private(set) var foreign: [String] = []
    let name: ReleaseName

    init(_ name: ReleaseName, in root: Directory) throws(SnpackError) {
        self.name = name
        let directory = try root.directory(at: name.directory)
        for entry in try directory.names() {
            switch entry {
            case PackageFile.manifest, PackageFile.signature: try add(entry, in: directory, at: name.directory)
            case PackageFile.layers: try addLayers(in: directory)
            default: foreign.append(directory.path(of: entry))
            }
        }
    }

    private mutating func addLayers(in release: Directory) throws(SnpackError) {
        guard try release.identity(of: PackageFile.layers)?.kind == .directory else {
            return foreign.append(release.path(of: PackageFile.layers))
        }
        let layers = try release.directory(PackageFile.layers)
        for address in try layers.names() {
            let isAddress = address.utf8.count == 16 && address.utf8.allSatisfy(Self.isHex)
            guard isAddress, try layers.identity(of: address)?.kind == .directory else {
                foreign.append(layers.path(of: address))
                continue
            }
            let layer = try layers.directory(address)
            for file in try layer.names() {
                if Self.isBlobOrPatch(file) {
                    try add(file, in: layer, at: "\(name.directory)/\(PackageFile.layers)/\(address)")
                } else {
                    foreign.append(layer.path(of: file))
                }
            }
        }
    }

    private mutating func add(_ file: String, in directory: Directory, at path: String) throws(SnpackError) {
        guard let identity = try directory.identity(of: file), identity.kind == .file else {
            return foreign.append(directory.path(of: file))
        }
        files.append((path, file, identity))
    }

    private static func isHex(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }

    private static func isBlobOrPatch(_ name: String) -> Bool {
        if name.hasSuffix(".tar.zst") { return true }
        let hex = name.utf8.dropFirst(5).prefix(16)
        return name.hasPrefix("from-") && name.hasSuffix(".patch") && name.utf8.count == 27 && hex.allSatisfy(isHex)
    }

    /// Removes the files, then the directories that are empty after that.
    func remove(from root: Directory) throws(SnpackError) {
        for file in files { try root.directory(at: file.directory).remove(file.name) }
        let release = try root.directory(at: name.directory)
        if let layers = try? release.directory(PackageFile.layers) {
            for address in try layers.names() { try layers.removeEmptyDirectory(address) }
            try layers.sync()
        }
        try release.removeEmptyDirectory(PackageFile.layers)
        try release.sync()
        let territory = try root.directory(at: "\(ChannelFile.territories)/\(name.territoryID)")
        try territory.removeEmptyDirectory(name.version.rawValue)
        try territory.sync()
        try root.directory(ChannelFile.territories).removeEmptyDirectory(name.territoryID.rawValue)
    }

    /// The bytes that are free once all of these releases are gone: a file counts where no other name of it stays.
    static func byteCountFreed(_ releases: [ReleaseFiles]) -> UInt64 {
        struct Key: Hashable { let device, inode: UInt64 }
        var names: [Key: (identity: FileIdentity, count: UInt64)] = [:]
        for file in releases.lazy.flatMap(\.files) {
            names[Key(device: file.identity.device, inode: file.identity.inode), default: (file.identity, 0)].count += 1
        }
        return names.values.reduce(0) { $1.count >= $1.identity.linkCount ? $0 &+ $1.identity.byteCount : $0 }
    }
}
