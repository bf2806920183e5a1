package import Diagnostics
import Glibc

/// Names of things in the making, `.snpack-tmp-` + 16 hex characters: one per writer, found again after a crash.
package enum TemporaryName {
    package static let prefix = ".snpack-tmp-"

    package static func make() -> String {
        let random = String(UInt64.random(in: .min ... .max), radix: 16)
        return prefix + String(repeating: "0", count: 16 - random.count) + random
    }

    package static func matches(_ name: String) -> Bool {
        name.hasPrefix(prefix) && name.utf8.count == prefix.utf8.count + 16
    }
}

extension Directory {
    /// Makes an empty directory with a temporary name, locked while the value lives, to be renamed into its place.
    /// - Parameter mode: what it has once it is there; until then nobody else may look inside.
    package func makeStagingDirectory(mode: FileMode = 0o755) throws(SnpackError) -> StagingDirectory {
        var attempt = 1
        while true {
            let name = TemporaryName.make()
            do throws(SnpackError) {
                let made = try makeDirectory(name, mode: 0o700)
                if claim(name, made.descriptor) {
                    return StagingDirectory(parent: self, name: name, contents: made, mode: mode)
                }
            } catch  where error.code == .fileNotFound && attempt < 8 {
                // Removed before it was open; or this directory itself is gone, and will not come back.
            }
            attempt += 1
        }
    }

    /// Locks what was just made with a temporary name.
    /// - Returns: false if ``removeLeftovers()``, of any thread or process, came in between and took it for one.
    func claim(_ name: String, _ made: Int32) -> Bool {
        // On a file system without locks nothing is removed either.
        if flock(made, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK { return false }
        return faccessat(descriptor, name, F_OK, AT_SYMLINK_NOFOLLOW) == 0
    }

    /// Removes what killed processes left in this directory; what a living process works on stays.
    package func removeLeftovers() throws(SnpackError) {
        for raw in try rawNames() {
            guard let name = String(validating: raw, as: UTF8.self), TemporaryName.matches(name) else { continue }
            let handle = openat(descriptor, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
            defer { if handle >= 0 { close(handle) } }
            if handle >= 0, flock(handle, LOCK_EX | LOCK_NB) != 0 { continue }
            try removeTree(name)
        }
    }
}

/// A directory in the making. Dropped without ``promote(to:)``, it is removed with all in it.
package final class StagingDirectory {
    private let parent: Directory
    private let name: String
    private let mode: FileMode
    private var isPromoted = false
    package let contents: Directory

    init(parent: Directory, name: String, contents: Directory, mode: FileMode) {
        self.parent = parent
        self.name = name
        self.contents = contents
        self.mode = mode
    }

    deinit { if !isPromoted { try? parent.removeTree(name) } }

    /// Gives the directory its name, which must be free, and flushes the parent. What is inside must be flushed.
    package func promote(to newName: String) throws(SnpackError) {
        try contents.setMode(mode)
        try contents.sync()
        try parent.rename(name, to: newName, replacing: false)
        isPromoted = true
        // Not left to the descriptor's end: a child that is just being started may hold a copy of it.
        _ = flock(contents.descriptor, LOCK_UN)
        try parent.sync()
    }
}
