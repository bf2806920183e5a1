package import Diagnostics
import Glibc

/// A regular file, open for reading. Owns its descriptor.
package final class OpenFile: RandomAccess {
    private let descriptor: Int32
    package let name: String
    /// What it was when it was opened.
    package let identity: FileIdentity

    package var byteCount: UInt64 { identity.byteCount }

    /// Opens `path`, a symbolic link followed. A FIFO or device is refused without waiting for it.
    package convenience init(reading path: String) throws(SnpackError) {
        try self.init(AT_FDCWD, path, shownAs: path, extraFlags: 0)
    }

    init(_ directory: Int32, _ name: String, shownAs: String, extraFlags: Int32) throws(SnpackError) {
        self.name = shownAs
        do {
            descriptor = try checked {
                openat(directory, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | extraFlags)
            }
        } catch { throw error.error("open", shownAs) }
        do throws(SystemFailure) {
            identity = try FileIdentity.of(descriptor)
        } catch {
            Glibc.close(descriptor)
            throw error.error("look at", shownAs)
        }
        // From here on `deinit` closes it, after an error too.
        guard identity.kind == .file else {
            let what = identity.kind == .directory ? "a directory" : "not a regular file"
            throw SnpackError(.fileNotRegular, "it is \(what)", path: shownAs)
        }
    }

    deinit { Glibc.close(descriptor) }

    package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64) throws(SnpackError) {
        var done = 0
        while done < buffer.count {
            guard let position = off_t(exactly: offset &+ UInt64(done)) else {
                throw SnpackError(.fileChanged, "offset \(offset) is past the end of any file", path: name)
            }
            let count: Int
            do throws(SystemFailure) {
                count = try checked {
                    pread(
                        descriptor, UnsafeMutableRawBufferPointer(rebasing: buffer[done...]).baseAddress,
                        buffer.count - done, position)
                }
            } catch { throw error.error("read", name) }
            guard count > 0 else {
                throw SnpackError(
                    .fileChanged, "it ended before offset \(offset) + \(buffer.count)",
                    hint: "leave the file alone while it is read", path: name)
            }
            done += count
        }
    }

    /// Tells the kernel that the file will be read once, from front to back.
    package func willReadSequentially() {
        posix_fadvise(descriptor, 0, 0, POSIX_FADV_SEQUENTIAL)
    }

    /// Throws ``ErrorCode/fileChanged`` unless the file is still what it was when it was opened.
    package func checkUnchanged(since first: FileIdentity? = nil) throws(SnpackError) {
        let now: FileIdentity
        do throws(SystemFailure) { now = try FileIdentity.of(descriptor) } catch { throw error.error("look at", name) }
        guard now.isSameContent(as: first ?? identity) else { throw .changedWhileRead(name) }
    }
}

extension SnpackError {
    static func changedWhileRead(_ path: String) -> SnpackError {
        SnpackError(
            .fileChanged, "it changed while it was read", hint: "leave the layer alone while it is packed", path: path)
    }
}
