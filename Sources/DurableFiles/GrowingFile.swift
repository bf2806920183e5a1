package import Diagnostics
import Glibc
import Synchronization

/// A file that is written from front to back over several runs of a program, locked while one of them works on it.
///
/// Nothing is flushed: whoever goes on with it proves first what is there.
package final class GrowingFile: RandomAccess {
    package let name: String
    private let ownName: String
    private let directory: Directory
    private let descriptor: Int32
    private let length: Atomic<UInt64>

    package var byteCount: UInt64 { length.load(ordering: .relaxed) }

    /// Opens `name`, made where it is missing.
    /// - Throws: `lock.busy` while another process works on it.
    package init(_ name: String, in directory: Directory) throws(SnpackError) {
        self.name = directory.path(of: name)
        ownName = name
        self.directory = directory
        do throws(SystemFailure) {
            let flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
            descriptor = try directory.disk.open(directory.descriptor, name, flags: flags, mode: 0o600)
        } catch { throw error.error("open", directory.path(of: name)) }
        let identity: FileIdentity
        do throws(SystemFailure) { identity = try FileIdentity.of(descriptor) } catch {
            try? directory.disk.close(descriptor)
            throw error.error("look at", directory.path(of: name))
        }
        length = Atomic(identity.byteCount)
        guard identity.kind == .file else {
            throw SnpackError(.fileNotRegular, "it is not a regular file", path: self.name)
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            guard errno == EWOULDBLOCK else { throw SystemFailure.last.error("lock", self.name) }
            throw SnpackError(
                .lockBusy, "another process fetches this", hint: "wait until it is done, then run this again",
                path: self.name)
        }
    }

    deinit {
        // As for FileLock: the lock ends here, whoever still has a copy of the descriptor.
        _ = flock(descriptor, LOCK_UN)
        try? directory.disk.close(descriptor)
    }

    package func append(_ bytes: UnsafeRawBufferPointer) throws(SnpackError) {
        var rest = bytes
        do throws(SystemFailure) {
            while !rest.isEmpty {
                guard let offset = Int64(exactly: byteCount) else { throw SystemFailure(number: EFBIG) }
                let count = try directory.disk.write(descriptor, rest, at: offset)
                guard count > 0 else { throw SystemFailure(number: EIO) }
                length.add(UInt64(count), ordering: .relaxed)
                rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            }
        } catch { throw error.error("write", name) }
    }

    /// Cuts the file back to its first `byteCount` bytes.
    package func truncate(to byteCount: UInt64) throws(SnpackError) {
        do throws(SystemFailure) {
            guard let size = Int64(exactly: byteCount) else { throw SystemFailure(number: EFBIG) }
            try directory.disk.truncate(descriptor, to: size)
        } catch { throw error.error("cut back", name) }
        length.store(byteCount, ordering: .relaxed)
    }

    /// Flushes the bytes and gives the whole file its name and mode; the caller syncs the directory.
    package func commit(as newName: String, in target: Directory, mode: FileMode = 0o644) throws(SnpackError) {
        do throws(SystemFailure) {
            try directory.disk.setMode(descriptor, mode)
            try directory.disk.sync(descriptor)
            try directory.disk.rename(
                directory.descriptor, ownName, to: target.descriptor, newName, replacing: true)
        } catch { throw error.error("write", target.path(of: newName)) }
    }

    package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64) throws(SnpackError) {
        var done = 0
        while done < buffer.count {
            let count: Int
            do throws(SystemFailure) {
                guard let position = off_t(exactly: offset &+ UInt64(done)) else { throw SystemFailure(number: EFBIG) }
                count = try checked {
                    pread(
                        descriptor, UnsafeMutableRawBufferPointer(rebasing: buffer[done...]).baseAddress,
                        buffer.count - done, position)
                }
            } catch { throw error.error("read", name) }
            guard count > 0 else {
                throw SnpackError(.fileChanged, "it ended before offset \(offset) + \(buffer.count)", path: name)
            }
            done += count
        }
    }
}
