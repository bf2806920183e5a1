package import DurableFiles
import Glibc

/// The disk as a card, a stick or a share has it: no rename to a free name, perhaps no second names, no permissions.
package final class CardDisk: Disk {
    private let real = SystemDisk()
    private let hasLinks: Bool
    private let hasPermissions: Bool

    package init(hasLinks: Bool = false, hasPermissions: Bool = true) {
        self.hasLinks = hasLinks
        self.hasPermissions = hasPermissions
    }

    package func open(
        _ directory: Int32, _ name: String, flags: Int32, mode: FileMode
    ) throws(SystemFailure) -> Int32 {
        let file = try real.open(directory, name, flags: flags, mode: mode)
        if !hasPermissions { try real.setMode(file, 0o777) }
        return file
    }

    package func setMode(_ file: Int32, _ mode: FileMode) throws(SystemFailure) {
        if hasPermissions { try real.setMode(file, mode) }
    }

    package func rename(
        _ from: Int32, _ name: String, to: Int32, _ newName: String, replacing: Bool
    ) throws(SystemFailure) {
        guard replacing else { throw SystemFailure(number: EINVAL) }
        try real.rename(from, name, to: to, newName, replacing: true)
    }

    package func link(_ from: Int32, _ name: String, to: Int32, _ newName: String) throws(SystemFailure) {
        guard hasLinks else { throw SystemFailure(number: EPERM) }
        try real.link(from, name, to: to, newName)
    }

    package func write(
        _ file: Int32, _ bytes: UnsafeRawBufferPointer, at offset: Int64?
    ) throws(SystemFailure) -> Int {
        try real.write(file, bytes, at: offset)
    }

    package func truncate(_ file: Int32, to byteCount: Int64) throws(SystemFailure) {
        try real.truncate(file, to: byteCount)
    }

    package func sync(_ file: Int32) throws(SystemFailure) { try real.sync(file) }
    package func beginWriteback(_ file: Int32, at offset: Int64, byteCount: Int64) {}
    package func syncFileSystem(_ file: Int32) throws(SystemFailure) { try real.syncFileSystem(file) }
    package func close(_ file: Int32) throws(SystemFailure) { try real.close(file) }

    package func makeDirectory(_ directory: Int32, _ name: String, mode: FileMode) throws(SystemFailure) {
        try real.makeDirectory(directory, name, mode: mode)
    }

    package func unlink(_ directory: Int32, _ name: String) throws(SystemFailure) { try real.unlink(directory, name) }

    package func removeDirectory(_ directory: Int32, _ name: String) throws(SystemFailure) {
        try real.removeDirectory(directory, name)
    }
}
