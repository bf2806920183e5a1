package import DurableFiles
import Glibc
import Synchronization

/// The real disk, until a chosen call: that one fails, or the world ends there.
///
/// Every write is a short one: the real disk may make any. What a power cut would take is known at each moment from what
/// was not flushed; ``cutPower(renamesLost:)`` takes it.
package final class FaultyDisk: Disk {
    package enum Fault: Hashable, Sendable, CustomStringConvertible {
        /// The call fails with this `errno`; those after it do not.
        case fails(Int32)
        /// The process is dead from this call on.
        case dies
        /// It is dead, and what was not flushed is gone: data always, changes of directories if `renamesLost`.
        case powerCut(renamesLost: Bool)

        package var description: String {
            switch self {
            case .fails(let number): "error \(String(cString: strerror(number)))"
            case .dies: "death"
            case .powerCut(let renamesLost): "power cut, renames \(renamesLost ? "lost" : "done")"
            }
        }
    }

    /// What a disk says when it cannot.
    package static let errors: [Int32] = [EIO, ENOSPC, EDQUOT, EROFS, EACCES, EMFILE]

    private let real = SystemDisk()
    private let fault: Fault
    private let state: Mutex<(left: Int, calls: Int, hasStruck: Bool)>
    private let unflushed: UnflushedChanges?

    /// - Parameter call: the number of the call that is struck, the first being 0.
    package init(_ fault: Fault, at call: Int) {
        self.fault = fault
        state = Mutex((call, 0, false))
        if case .powerCut = fault { unflushed = UnflushedChanges() } else { unflushed = nil }
    }

    /// The calls so far.
    package var callCount: Int { state.withLock { $0.calls } }

    /// Whether the chosen call was made.
    package var hasStruck: Bool { state.withLock { $0.hasStruck } }

    /// Makes the directory tree what it is when the machine starts again. Everything that used the disk must be gone.
    package func settle() {
        if case .powerCut(let renamesLost) = fault, hasStruck { unflushed?.lose(renamesLost: renamesLost) }
        unflushed?.letGo()
    }

    private func step() throws(SystemFailure) {
        let (isNow, isAfter) = state.withLock { state in
            defer { state.left -= 1 }
            state.calls += 1
            if state.left == 0 { state.hasStruck = true }
            return (state.left == 0, state.left < 0)
        }
        switch fault {
        case .fails(let number): if isNow { throw SystemFailure(number: number) }
        case .dies, .powerCut: if isNow || isAfter { throw SystemFailure(number: EIO) }
        }
    }

    package func open(
        _ directory: Int32, _ name: String, flags: Int32, mode: FileMode
    ) throws(SystemFailure) -> Int32 {
        try step()
        let isNew = flags & O_CREAT != 0 && faccessat(directory, name, F_OK, AT_SYMLINK_NOFOLLOW) != 0
        let file = try real.open(directory, name, flags: flags, mode: mode)
        if isNew { unflushed?.note(.create(name), in: directory) }
        return file
    }

    package func write(
        _ file: Int32, _ bytes: UnsafeRawBufferPointer, at offset: Int64?
    ) throws(SystemFailure) -> Int {
        try step()
        unflushed?.noteWrite(to: file)
        let most = bytes.count > 1 ? UnsafeRawBufferPointer(rebasing: bytes.dropLast()) : bytes
        return try real.write(file, most, at: offset)
    }

    package func truncate(_ file: Int32, to byteCount: Int64) throws(SystemFailure) {
        try step()
        try real.truncate(file, to: byteCount)
    }

    package func setMode(_ file: Int32, _ mode: FileMode) throws(SystemFailure) {
        try step()
        try real.setMode(file, mode)
    }

    package func beginWriteback(_ file: Int32, at offset: Int64, byteCount: Int64) {}

    package func sync(_ file: Int32) throws(SystemFailure) {
        try step()
        try real.sync(file)
        unflushed?.flush(file)
    }

    package func syncFileSystem(_ file: Int32) throws(SystemFailure) {
        try step()
        try real.syncFileSystem(file)
        unflushed?.flushAll()
    }

    /// Closing frees the descriptor whatever it says.
    package func close(_ file: Int32) throws(SystemFailure) {
        let closed = Result { () throws(SystemFailure) in try real.close(file) }
        try step()
        try closed.get()
    }

    package func makeDirectory(_ directory: Int32, _ name: String, mode: FileMode) throws(SystemFailure) {
        try step()
        try real.makeDirectory(directory, name, mode: mode)
        unflushed?.note(.makeDirectory(name), in: directory)
    }

    package func rename(
        _ from: Int32, _ name: String, to: Int32, _ newName: String, replacing: Bool
    ) throws(SystemFailure) {
        try step()
        let replaced = replacing ? unflushed?.keep(newName, in: to) : nil
        try real.rename(from, name, to: to, newName, replacing: replacing)
        unflushed?.note(.rename(name, from: from, newName, replaced: replaced), in: to)
    }

    package func link(_ from: Int32, _ name: String, to: Int32, _ newName: String) throws(SystemFailure) {
        try step()
        try real.link(from, name, to: to, newName)
        unflushed?.note(.create(newName), in: to)
    }

    package func unlink(_ directory: Int32, _ name: String) throws(SystemFailure) {
        try step()
        let kept = unflushed?.keep(name, in: directory)
        try real.unlink(directory, name)
        if let kept { unflushed?.note(.remove(name, kept: kept), in: directory) }
    }

    package func removeDirectory(_ directory: Int32, _ name: String) throws(SystemFailure) {
        try step()
        try real.removeDirectory(directory, name)
        unflushed?.note(.removeDirectory(name), in: directory)
    }
}
