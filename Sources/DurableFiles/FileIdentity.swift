import Glibc

/// What a file is, as `stat` tells: two equal identities at two moments mean that nobody wrote in between.
package struct FileIdentity: Hashable, Sendable {
    package enum Kind: Hashable, Sendable { case file, directory, symbolicLink, other }

    package let kind: Kind
    package let device: UInt64
    package let inode: UInt64
    package let byteCount: UInt64
    /// The permission bits, `0o7777`.
    package let mode: UInt32
    package let owner: UInt32
    /// How many names the file has.
    package let linkCount: UInt64
    /// Nanoseconds since 1970.
    package let modified: Int64
    package let changed: Int64

    init(_ status: stat) {
        kind =
            switch status.st_mode & 0o170000 {
            case 0o100000: .file
            case 0o040000: .directory
            case 0o120000: .symbolicLink
            default: .other
            }
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
        byteCount = UInt64(max(0, status.st_size))
        mode = status.st_mode & 0o7777
        owner = status.st_uid
        linkCount = UInt64(status.st_nlink)
        modified = Self.nanoseconds(status.st_mtim)
        changed = Self.nanoseconds(status.st_ctim)
    }

    private static func nanoseconds(_ time: timespec) -> Int64 {
        Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }

    /// Whether nobody wrote in between.
    func isSameContent(as other: FileIdentity) -> Bool {
        inode == other.inode && device == other.device && byteCount == other.byteCount && modified == other.modified
    }

    static func of(_ descriptor: Int32) throws(SystemFailure) -> FileIdentity {
        var status = stat()
        _ = try checked { fstat(descriptor, &status) }
        return FileIdentity(status)
    }

    static func of(_ directory: Int32, _ name: String) throws(SystemFailure) -> FileIdentity {
        var status = stat()
        _ = try checked { fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW) }
        return FileIdentity(status)
    }

    /// What `path` names, links followed; nil if there is nothing.
    package static func at(_ path: String) -> FileIdentity? {
        var status = stat()
        return stat(path, &status) == 0 ? FileIdentity(status) : nil
    }
}
