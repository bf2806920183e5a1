import Foundation
import Glibc
import Synchronization

/// What a disk was told and not yet made to keep: contents of files by their inode, changes of directories in their order.
///
/// As strict as POSIX: flushing a file keeps its bytes and not its name, flushing a directory keeps its names.
final class UnflushedChanges: Sendable {
    enum Change {
        case create(String)
        case makeDirectory(String)
        case rename(String, from: Int32, String, replaced: String?)
        case remove(String, kept: String)
        case removeDirectory(String)
    }

    private struct Inode: Hashable {
        let device: UInt64
        let number: UInt64

        init?(_ descriptor: Int32) {
            var status = stat()
            guard fstat(descriptor, &status) == 0 else { return nil }
            (device, number) = (UInt64(status.st_dev), UInt64(status.st_ino))
        }
    }

    private struct State {
        /// Files written to since they were last flushed: a descriptor of our own, and the bytes that are safe.
        var files: [Inode: (descriptor: Int32, safeByteCount: off_t)] = [:]
        var changes: [(directory: Int32, inode: Inode, change: Change)] = []
        /// Where what was replaced or removed lives on, made when it is first needed.
        var attic: Int32?
        var atticPath = ""
        var keptCount = 0
    }
    private let state = Mutex(State())

    /// Closes every descriptor: a copy of one keeps the lock that its owner held.
    func letGo() {
        flushAll()
        state.withLock { state in
            guard let attic = state.attic else { return }
            for number in 0..<state.keptCount { unlinkat(attic, "\(number)", 0) }
            Glibc.close(attic)
            rmdir(state.atticPath)
            state.attic = nil
        }
    }

    private static func letGo(_ change: Change, _ directory: Int32) {
        Glibc.close(directory)
        if case .rename(_, let from, _, _) = change { Glibc.close(from) }
    }

    func noteWrite(to file: Int32) {
        guard let inode = Inode(file) else { return }
        state.withLock { state in
            guard state.files[inode] == nil else { return }
            var status = stat()
            fstat(file, &status)
            // One of our own, that can write: the file's may be for appending or gone.
            let copy = Glibc.open("/proc/self/fd/\(file)", O_RDWR | O_CLOEXEC)
            if copy >= 0 { state.files[inode] = (copy, 0) }
        }
    }

    func note(_ change: Change, in directory: Int32) {
        guard let inode = Inode(directory) else { return }
        var change = change
        if case .rename(let name, let from, let newName, let replaced) = change {
            change = .rename(name, from: fcntl(from, F_DUPFD_CLOEXEC, 0), newName, replaced: replaced)
        }
        state.withLock { $0.changes.append((fcntl(directory, F_DUPFD_CLOEXEC, 0), inode, change)) }
    }

    /// Gives what is about to go a second name, if it is a file.
    func keep(_ name: String, in directory: Int32) -> String? {
        state.withLock { state in
            if state.attic == nil {
                // On the file system that tests work on, and outside of what they look at.
                guard let path = try? ProjectFiles.temporaryDirectory("attic").path else { return nil }
                state.atticPath = path
                state.attic = Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            }
            guard let attic = state.attic, linkat(directory, name, attic, "\(state.keptCount)", 0) == 0 else {
                return nil
            }
            defer { state.keptCount += 1 }
            return "\(state.keptCount)"
        }
    }

    func flush(_ descriptor: Int32) {
        guard let inode = Inode(descriptor) else { return }
        state.withLock { state in
            if let file = state.files.removeValue(forKey: inode) { Glibc.close(file.descriptor) }
            state.changes.removeAll { entry in
                guard entry.inode == inode else { return false }
                Self.letGo(entry.change, entry.directory)
                return true
            }
        }
    }

    func flushAll() {
        state.withLock { state in
            for file in state.files.values { Glibc.close(file.descriptor) }
            for entry in state.changes { Self.letGo(entry.change, entry.directory) }
            (state.files, state.changes) = ([:], [])
        }
    }

    /// What the machine finds when it starts again.
    func lose(renamesLost: Bool) {
        state.withLock { state in
            for file in state.files.values { ftruncate(file.descriptor, file.safeByteCount) }
            guard renamesLost else { return }
            for (directory, _, change) in state.changes.reversed() {
                switch change {
                case .create(let name): unlinkat(directory, name, 0)
                case .makeDirectory(let name): Self.removeTree(directory, name)
                case .rename(let name, let from, let newName, let replaced):
                    renameat(directory, newName, from, name)
                    if let replaced, let attic = state.attic { linkat(attic, replaced, directory, newName, 0) }
                case .remove(let name, let kept):
                    if let attic = state.attic { linkat(attic, kept, directory, name, 0) }
                case .removeDirectory(let name): mkdirat(directory, name, 0o755)
                }
            }
        }
    }

    /// A directory that was never there takes with it what was flushed in it.
    private static func removeTree(_ directory: Int32, _ name: String) {
        let handle = openat(directory, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
        guard handle >= 0, let stream = fdopendir(handle) else { return }
        while let entry = readdir(stream) {
            let child = withUnsafeBytes(of: &entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if child != ".", child != "..", unlinkat(handle, child, 0) != 0 { removeTree(handle, child) }
        }
        closedir(stream)
        unlinkat(directory, name, AT_REMOVEDIR)
    }
}
