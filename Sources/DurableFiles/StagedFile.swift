package import Diagnostics
import Glibc
package import Hashing

/// A file that is written under a temporary name beside its place and becomes visible, whole, by one rename.
///
/// Dropped without ``commit(as:replacing:)`` it leaves nothing. The temporary file is locked while its writer lives,
/// so that a later run can tell a dead process's leftover from a file in the making.
package final class StagedFile {
    private let directory: Directory
    private var temporaryName = TemporaryName.make()
    private let mode: FileMode
    private var descriptor: Int32?
    private var writeback = Writeback()
    /// Bytes written so far.
    package private(set) var byteCount: UInt64 = 0

    /// Creates the temporary file in `directory`.
    /// - Parameter mode: the permission bits from the first byte on, whatever the umask.
    package init(in directory: Directory, mode: FileMode = 0o644) throws(SnpackError) {
        self.directory = directory
        self.mode = mode
        do throws(SystemFailure) {
            let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
            var made: Int32
            while true {
                made = try directory.disk.open(directory.descriptor, temporaryName, flags: flags, mode: mode & 0o700)
                if directory.claim(temporaryName, made) { break }
                try directory.disk.close(made)
                temporaryName = TemporaryName.make()
            }
            descriptor = made
            try directory.disk.setMode(made, mode)
        } catch {
            let failure = error.error("create a file in", directory.path)
            if descriptor != nil { discard() }
            throw failure
        }
    }

    deinit { discard() }

    private func open() -> Int32 {
        guard let descriptor else { preconditionFailure("used after it was committed") }
        return descriptor
    }

    package func write(_ bytes: UnsafeRawBufferPointer) throws(SnpackError) {
        let descriptor = open()
        do throws(SystemFailure) { try directory.disk.writeAll(descriptor, bytes) } catch {
            throw error.error("write a file in", directory.path)
        }
        byteCount += UInt64(bytes.count)
        writeback.wrote(bytes.count, to: descriptor, on: directory.disk)
    }

    package func write(_ bytes: [UInt8]) throws(SnpackError) {
        var failure: SnpackError?
        bytes.withUnsafeBytes { buffer in
            do throws(SnpackError) { try write(buffer) } catch { failure = error }
        }
        if let failure { throw failure }
    }

    /// Opens what was written so far for reading; it stays readable until the file is discarded.
    package func reader() throws(SnpackError) -> OpenFile {
        _ = open()
        return try directory.file(temporaryName)
    }

    /// Flushes the bytes and renames the file to `name`; the caller syncs the directory.
    /// - Parameters:
    ///   - target: where it goes, on the same file system; by default the directory it was made in.
    ///   - replacing: false makes a file that is there already an error (`file.exists`); true replaces a file or link,
    ///     and never a device, socket or FIFO.
    package func commit(as name: String, in target: Directory? = nil, replacing: Bool) throws(SnpackError) {
        let descriptor = open()
        let target = target ?? directory
        if replacing { try target.checkReplaceable(name) }
        do throws(SystemFailure) {
            guard try FileIdentity.of(descriptor).byteCount == byteCount else { throw SystemFailure(number: EIO) }
            try directory.disk.sync(descriptor)
            // Renamed while it is open: the lock, and so the claim on the name, lasts until then.
            try directory.disk.move(
                directory.descriptor, temporaryName, to: target.descriptor, name, replacing: replacing)
            self.descriptor = nil
            _ = flock(descriptor, LOCK_UN)
            try directory.disk.close(descriptor)
        } catch { throw error.error("write", target.path(of: name)) }
    }

    /// Removes the temporary file; what goes wrong here never hides the first error.
    package func discard() {
        guard let descriptor else { return }
        self.descriptor = nil
        try? directory.disk.unlink(directory.descriptor, temporaryName)
        try? directory.disk.close(descriptor)
    }
}

extension Directory {
    /// A rename would put a file in the place of `/dev/null` as well, for all who use it.
    fileprivate func checkReplaceable(_ name: String) throws(SnpackError) {
        var status = stat()
        guard fstatat(descriptor, name, &status, 0) == 0, FileIdentity(status).kind == .other else { return }
        throw SnpackError(
            .fileNotRegular, "it is a device, socket or FIFO, in whose place no file is written",
            hint: "name a file, and remove what is there if it is meant to go", path: path(of: name))
    }

    /// Writes a whole small file: temporary name, flush, rename, flush of the directory.
    package func write(
        _ bytes: [UInt8], to name: String, mode: FileMode = 0o644, replacing: Bool = true
    ) throws(SnpackError) {
        let file = try StagedFile(in: self, mode: mode)
        try file.write(bytes)
        try file.commit(as: name, replacing: replacing)
        try sync()
    }
}

extension StagedFile {
    /// Appends all of `source`, and returns the BLAKE3 of it.
    package func write(
        copyOf source: any RandomAccess, cancel: CancelToken = CancelToken()
    ) throws(SnpackError) -> Blake3Digest {
        var hasher = Blake3Hasher()
        try source.readPieces(cancel: cancel) { piece, _ throws(SnpackError) in
            hasher.update(UnsafeRawBufferPointer(piece))
            try write(UnsafeRawBufferPointer(piece))
        }
        return hasher.finalize()
    }
}
