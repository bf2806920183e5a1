import DurableFiles
import Synchronization

/// The real disk, until a chosen call: that one fails, and where the disk dies so does every call after it.
final class FailingDisk: Disk {
    private let real = SystemDisk()
    private let state: Mutex<(left: Int, calls: Int)>
    private let dies: Bool
    private let failure = SystemFailure(number: 28)  // ENOSPC

    /// - Parameter call: the number of the call that fails, the first being 0.
    init(failing call: Int, dies: Bool) {
        state = Mutex((call, 0))
        self.dies = dies
    }

    /// Calls that were made so far.
    var calls: Int { state.withLock { $0.calls } }

    private func step() throws(SystemFailure) {
        let fails = state.withLock { state in
            state.calls += 1
            state.left -= 1
            return state.left == -1 || dies && state.left < 0
        }
        if fails { throw failure }
    }

    func open(_ directory: Int32, _ name: String, flags: Int32, mode: FileMode) throws(SystemFailure) -> Int32 {
        try step()
        return try real.open(directory, name, flags: flags, mode: mode)
    }

    func write(_ file: Int32, _ bytes: UnsafeRawBufferPointer, at offset: Int64?) throws(SystemFailure) -> Int {
        try step()
        // A short write is nothing unusual.
        let half = bytes.count > 1 ? UnsafeRawBufferPointer(rebasing: bytes[..<(bytes.count / 2 + 1)]) : bytes
        return try real.write(file, half, at: offset)
    }

    func truncate(_ file: Int32, to byteCount: Int64) throws(SystemFailure) {
        try step()
        try real.truncate(file, to: byteCount)
    }

    func setMode(_ file: Int32, _ mode: FileMode) throws(SystemFailure) {
        try step()
        try real.setMode(file, mode)
    }

    func sync(_ file: Int32) throws(SystemFailure) {
        try step()
        try real.sync(file)
    }

    func syncFileSystem(_ file: Int32) throws(SystemFailure) {
        try step()
        try real.syncFileSystem(file)
    }

    /// Closing frees the descriptor whatever it says.
    func close(_ file: Int32) throws(SystemFailure) {
        try real.close(file)
        try step()
    }

    func makeDirectory(_ directory: Int32, _ name: String, mode: FileMode) throws(SystemFailure) {
        try step()
        try real.makeDirectory(directory, name, mode: mode)
    }

    func rename(_ from: Int32, _ name: String, to: Int32, _ newName: String, replacing: Bool) throws(SystemFailure) {
        try step()
        try real.rename(from, name, to: to, newName, replacing: replacing)
    }

    func link(_ from: Int32, _ name: String, to: Int32, _ newName: String) throws(SystemFailure) {
        try step()
        try real.link(from, name, to: to, newName)
    }

    func unlink(_ directory: Int32, _ name: String) throws(SystemFailure) {
        try step()
        try real.unlink(directory, name)
    }

    func removeDirectory(_ directory: Int32, _ name: String) throws(SystemFailure) {
        try step()
        try real.removeDirectory(directory, name)
    }
}
