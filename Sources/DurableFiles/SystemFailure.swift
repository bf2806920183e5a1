package import Diagnostics
import Glibc

/// A system call that failed, by its `errno`.
package struct SystemFailure: Error, Hashable, Sendable {
    package let number: Int32

    package init(number: Int32) { self.number = number }

    /// What the calling thread's last system call left in `errno`.
    static var last: SystemFailure { SystemFailure(number: errno) }

    /// The same for people: what was tried, on which path, and what helps.
    package func error(_ action: String, _ path: String) -> SnpackError {
        let reason = String(cString: strerror(number))
        let (code, hint): (ErrorCode, String?) =
            switch number {
            case ENOENT: (.fileNotFound, nil)
            case EEXIST, ENOTEMPTY: (.fileExists, nil)
            case ENOTDIR: (.notADirectory, nil)
            case ELOOP: (.fileNotRegular, "a symbolic link is not followed here")
            case ENOSPC, EDQUOT: (.diskFull, "free some space, then run the same command again")
            case EACCES, EPERM: (.diskPermission, "check the owner and the permissions")
            case EROFS: (.diskPermission, "the file system is mounted read-only")
            case EXDEV: (.diskCrossDevice, "both must lie on one file system")
            case EMFILE, ENFILE: (.diskIO, "raise the limit of open files (ulimit -n)")
            case EFBIG: (.diskIO, "raise the limit on file sizes (ulimit -f), or use a file system without it")
            default: (.diskIO, nil)
            }
        return SnpackError(code, "cannot \(action): \(reason)", hint: hint, path: path)
    }
}

/// Runs a call that returns −1 on failure, again while a signal interrupts it.
func checked<Value: SignedInteger>(_ call: () -> Value) throws(SystemFailure) -> Value {
    while true {
        let value = call()
        if value >= 0 { return value }
        if errno != EINTR { throw .last }
    }
}
