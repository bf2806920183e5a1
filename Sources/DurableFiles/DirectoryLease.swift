package import Diagnostics
import Glibc

/// A claim on a directory by who reads in it: shared among readers, and seen by who would remove it.
///
/// A kernel lock, so it ends with the process, and works on a read-only file system.
package final class DirectoryLease: Sendable {
    package let directory: Directory

    /// Claims the directory that `name` is in `parent`; nil while somebody removes it.
    package init?(on name: String, in parent: Directory) throws(SnpackError) {
        directory = try parent.directory(name)
        guard flock(directory.descriptor, LOCK_SH | LOCK_NB) == 0 else { return nil }
    }

    /// Runs `body` if nobody has a claim on the directory; nobody can get one meanwhile.
    /// - Returns: whether `body` ran.
    package static func whileFree(
        _ name: String, in parent: Directory, _ body: () throws(SnpackError) -> Void
    ) throws(SnpackError) -> Bool {
        let directory = try parent.directory(name)
        guard flock(directory.descriptor, LOCK_EX | LOCK_NB) == 0 else { return false }
        defer { _ = flock(directory.descriptor, LOCK_UN) }
        try body()
        return true
    }

    deinit { _ = flock(directory.descriptor, LOCK_UN) }
}
