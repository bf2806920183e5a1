import CLinux
import Glibc

/// Permission bits, such as `0o644`.
package typealias FileMode = UInt32

/// The system calls that change the disk: the one seam through which everything is written.
///
/// ``SystemDisk`` is the real one. Tests put a double here that fails, or stops dead, at a chosen call.
package protocol Disk: Sendable {
    func open(_ directory: Int32, _ name: String, flags: Int32, mode: FileMode) throws(SystemFailure) -> Int32
    /// Writes at `offset`, or at the file's own position; may write less than all.
    func write(_ file: Int32, _ bytes: UnsafeRawBufferPointer, at offset: Int64?) throws(SystemFailure) -> Int
    func truncate(_ file: Int32, to byteCount: Int64) throws(SystemFailure)
    func setMode(_ file: Int32, _ mode: FileMode) throws(SystemFailure)
    func sync(_ file: Int32) throws(SystemFailure)
    /// Lets the disk begin with these bytes while more are made, so that `sync` finds less to wait for. Promises nothing.
    func beginWriteback(_ file: Int32, at offset: Int64, byteCount: Int64)
    /// Flushes the whole file system that `file` is on.
    func syncFileSystem(_ file: Int32) throws(SystemFailure)
    func close(_ file: Int32) throws(SystemFailure)
    func makeDirectory(_ directory: Int32, _ name: String, mode: FileMode) throws(SystemFailure)
    /// Renames; `replacing: false` fails with `EEXIST` when the target is there, and with `EINVAL` where the file system
    /// cannot do that at once (``move(_:_:to:_:replacing:)`` can everywhere).
    func rename(
        _ from: Int32, _ name: String, to: Int32, _ newName: String, replacing: Bool
    ) throws(SystemFailure)
    func link(_ from: Int32, _ name: String, to: Int32, _ newName: String) throws(SystemFailure)
    func unlink(_ directory: Int32, _ name: String) throws(SystemFailure)
    func removeDirectory(_ directory: Int32, _ name: String) throws(SystemFailure)
}

/// The operating system's own calls.
package struct SystemDisk: Disk {
    package init() {}

    package func open(_ directory: Int32, _ name: String, flags: Int32, mode: FileMode) throws(SystemFailure) -> Int32 {
        try checked { Glibc.openat(directory, name, flags, mode) }
    }

    package func write(
        _ file: Int32, _ bytes: UnsafeRawBufferPointer, at offset: Int64?
    ) throws(SystemFailure) -> Int {
        if let offset { return try checked { Glibc.pwrite(file, bytes.baseAddress, bytes.count, off_t(offset)) } }
        return try checked { Glibc.write(file, bytes.baseAddress, bytes.count) }
    }

    package func truncate(_ file: Int32, to byteCount: Int64) throws(SystemFailure) {
        _ = try checked { Glibc.ftruncate(file, off_t(byteCount)) }
    }

    package func setMode(_ file: Int32, _ mode: FileMode) throws(SystemFailure) {
        _ = try checked { Glibc.fchmod(file, mode) }
    }

    package func sync(_ file: Int32) throws(SystemFailure) {
        _ = try checked { Glibc.fsync(file) }
    }

    package func beginWriteback(_ file: Int32, at offset: Int64, byteCount: Int64) {
        snpack_begin_writeback(file, offset, byteCount)
    }

    package func syncFileSystem(_ file: Int32) throws(SystemFailure) {
        _ = try checked { snpack_sync_file_system(file) }
    }

    package func close(_ file: Int32) throws(SystemFailure) {
        // Linux frees the descriptor even when close is interrupted: never again.
        if Glibc.close(file) != 0 && errno != EINTR { throw .last }
    }

    package func makeDirectory(_ directory: Int32, _ name: String, mode: FileMode) throws(SystemFailure) {
        _ = try checked { Glibc.mkdirat(directory, name, mode) }
    }

    package func rename(
        _ from: Int32, _ name: String, to: Int32, _ newName: String, replacing: Bool
    ) throws(SystemFailure) {
        _ = try checked {
            replacing
                ? Glibc.renameat(from, name, to, newName) : snpack_rename_no_replace(from, name, to, newName)
        }
    }

    package func link(_ from: Int32, _ name: String, to: Int32, _ newName: String) throws(SystemFailure) {
        _ = try checked { Glibc.linkat(from, name, to, newName, 0) }
    }

    package func unlink(_ directory: Int32, _ name: String) throws(SystemFailure) {
        _ = try checked { Glibc.unlinkat(directory, name, 0) }
    }

    package func removeDirectory(_ directory: Int32, _ name: String) throws(SystemFailure) {
        _ = try checked { Glibc.unlinkat(directory, name, AT_REMOVEDIR) }
    }
}
