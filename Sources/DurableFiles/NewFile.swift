package import Diagnostics
import Glibc

/// A file made under its own name in a directory that nobody else sees yet. Owns its descriptor.
package final class NewFile {
    private let directory: Directory
    private let name: String
    private var descriptor: Int32?
    private var writeback: Writeback?

    /// Creates `name`, which must not be there.
    /// - Parameter isLasting: whether the file will be flushed, here or with its file system.
    package init(_ name: String, in directory: Directory, mode: FileMode, isLasting: Bool = false) throws(SnpackError) {
        writeback = isLasting ? Writeback() : nil
        self.directory = directory
        self.name = name
        do throws(SystemFailure) {
            let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
            let descriptor = try directory.disk.open(directory.descriptor, name, flags: flags, mode: 0o600)
            self.descriptor = descriptor
            try directory.disk.setMode(descriptor, mode)
        } catch { throw error.error("create", directory.path(of: name)) }
    }

    deinit { if let descriptor { try? directory.disk.close(descriptor) } }

    package func write(_ bytes: UnsafeRawBufferPointer) throws(SnpackError) {
        guard let descriptor else { preconditionFailure("written after it was closed") }
        do throws(SystemFailure) { try directory.disk.writeAll(descriptor, bytes) } catch {
            throw error.error("write", directory.path(of: name))
        }
        writeback?.wrote(bytes.count, to: descriptor, on: directory.disk)
    }

    package func write(_ bytes: [UInt8]) throws(SnpackError) {
        var failure: SnpackError?
        bytes.withUnsafeBytes { buffer in
            do throws(SnpackError) { try write(buffer) } catch { failure = error }
        }
        if let failure { throw failure }
    }

    package func close(flushing: Bool) throws(SnpackError) {
        guard let descriptor else { return }
        self.descriptor = nil
        writeback?.begin(descriptor, on: directory.disk)
        do throws(SystemFailure) {
            if flushing {
                do throws(SystemFailure) { try directory.disk.sync(descriptor) } catch {
                    try? directory.disk.close(descriptor)
                    throw error
                }
            }
            try directory.disk.close(descriptor)
        } catch { throw error.error("write", directory.path(of: name)) }
    }
}

extension Disk {
    /// Writes all of `bytes` at the file's position.
    func writeAll(_ file: Int32, _ bytes: UnsafeRawBufferPointer) throws(SystemFailure) {
        var rest = bytes
        while !rest.isEmpty {
            let count = try write(file, rest, at: nil)
            guard count > 0 else { throw SystemFailure(number: EIO) }
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        }
    }
}
