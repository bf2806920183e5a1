package import Diagnostics
import Glibc

/// A directory, held open: names are looked up in it and nowhere else, and no link is followed.
///
/// Owns its descriptor. Every change goes through the ``Disk`` it was opened with.
package final class Directory: Sendable {
    let descriptor: Int32
    let disk: any Disk
    /// What to call it in messages.
    package let path: String

    private init(_ descriptor: Int32, path: String, disk: any Disk) {
        self.descriptor = descriptor
        self.path = path
        self.disk = disk
    }

    deinit { close(descriptor) }

    /// Opens the directory at `path`, links followed.
    package static func open(_ path: String, disk: any Disk = SystemDisk()) throws(SnpackError) -> Directory {
        try open(AT_FDCWD, path, shownAs: path, disk: disk, flags: 0)
    }

    /// Opens the directory at `path`, made with its parents (0755 less the umask) where it is missing.
    package static func create(_ path: String, disk: any Disk = SystemDisk()) throws(SnpackError) -> Directory {
        if let there = try? open(path, disk: disk) { return there }
        var directory = try open(path.isAbsolutePath ? "/" : ".", disk: disk)
        var shown = path.isAbsolutePath ? "/" : ""
        for segment in path.pathSegments where segment != "." {
            shown += shown.isEmpty || shown == "/" ? segment : "/" + segment
            do throws(SystemFailure) {
                try disk.makeDirectory(directory.descriptor, segment, mode: 0o755)
                try disk.sync(directory.descriptor)
            } catch  where error.number == EEXIST {
            } catch { throw error.error("make the directory", shown) }
            directory = try open(directory.descriptor, segment, shownAs: shown, disk: disk, flags: 0)
        }
        return try open(path, disk: disk)
    }

    private static func open(
        _ parent: Int32, _ name: String, shownAs: String, disk: any Disk, flags: Int32
    ) throws(SnpackError) -> Directory {
        do throws(SystemFailure) {
            let descriptor = try checked {
                openat(parent, name.isEmpty ? "." : name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | flags)
            }
            return Directory(descriptor, path: shownAs, disk: disk)
        } catch { throw error.error("open the directory", shownAs) }
    }

    /// `path` + `/` + `name`, for messages.
    package func path(of name: String) -> String {
        path.isEmpty ? name : path.utf8.last == UInt8(ascii: "/") ? path + name : "\(path)/\(name)"
    }
}

// MARK: - Looking

extension Directory {
    /// What `name` is, a link not followed; nil if there is nothing.
    package func identity(of name: String) throws(SnpackError) -> FileIdentity? {
        do throws(SystemFailure) {
            return try FileIdentity.of(descriptor, name)
        } catch  where error.number == ENOENT {
            return nil
        } catch { throw error.error("look at", path(of: name)) }
    }

    package func contains(_ name: String) throws(SnpackError) -> Bool { try identity(of: name) != nil }

    /// Throws unless this process may read `name`: a look at the permissions, without opening the file.
    func checkReadable(_ name: String) throws(SnpackError) {
        try Self.checkReadable(descriptor, name, shownAs: path(of: name))
    }

    /// The same for a path of its own.
    static func checkReadable(_ path: String) throws(SnpackError) {
        try checkReadable(AT_FDCWD, path, shownAs: path)
    }

    private static func checkReadable(_ directory: Int32, _ name: String, shownAs: String) throws(SnpackError) {
        do throws(SystemFailure) {
            _ = try checked { faccessat(directory, name, R_OK, AT_EACCESS) }
        } catch { throw error.error("read", shownAs) }
    }

    /// Opens a directory in this one; a link is refused.
    package func directory(_ name: String) throws(SnpackError) -> Directory {
        try Self.open(descriptor, name, shownAs: path(of: name), disk: disk, flags: O_NOFOLLOW)
    }

    /// Opens the directory at `relativePath` below this one, segment by segment.
    package func directory(at relativePath: some StringProtocol) throws(SnpackError) -> Directory {
        var result = self
        for segment in relativePath.pathSegments { result = try result.directory(segment) }
        return result
    }

    /// Opens a regular file in this directory for reading; a link is refused.
    package func file(_ name: String) throws(SnpackError) -> OpenFile {
        try OpenFile(descriptor, name, shownAs: path(of: name), extraFlags: O_NOFOLLOW)
    }

    /// Opens the regular file at `relativePath` below this directory, no link followed on the way.
    package func file(at relativePath: String) throws(SnpackError) -> OpenFile {
        guard let slash = relativePath.utf8.lastIndex(of: UInt8(ascii: "/")) else { return try file(relativePath) }
        let parent = try directory(at: relativePath[..<slash])
        return try parent.file(String(relativePath[relativePath.utf8.index(after: slash)...]))
    }

    /// The whole contents of a file in this directory, if it has at most `limit` bytes.
    package func contents(of name: String, limit: Int) throws(SnpackError) -> [UInt8] {
        try file(name).allBytes(limit: limit)
    }

    /// The names in this directory, ascending by their bytes. A name that is no UTF-8 is an error that shows it.
    package func names() throws(SnpackError) -> [String] {
        try rawNames().map { raw throws(SnpackError) in
            guard let name = String(validating: raw, as: UTF8.self) else {
                throw notUTF8(raw)
            }
            return name
        }
    }

    /// A name in this directory that is no UTF-8: bytes that are not plain ASCII are shown as numbers.
    func notUTF8(_ name: [UInt8]) -> SnpackError {
        let shown = name.map { byte in
            (0x20..<0x7F).contains(byte) ? String(Unicode.Scalar(byte)) : "\\x" + String(byte, radix: 16)
        }
        return SnpackError(
            .fileNameNotUTF8, "a file name is not UTF-8: \"\(shown.joined())\"", hint: "rename the file", path: path)
    }

    /// The names as bytes, ascending; `.` and `..` left out.
    package func rawNames() throws(SnpackError) -> [[UInt8]] {
        // A fresh open file description: reading a directory moves its position.
        let copy: Int32
        do throws(SystemFailure) {
            copy = try checked { openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        } catch { throw error.error("read the directory", path) }
        guard let stream = fdopendir(copy) else {
            let failure = SystemFailure.last
            close(copy)
            throw failure.error("read the directory", path)
        }
        defer { closedir(stream) }
        var names: [[UInt8]] = []
        while true {
            errno = 0
            guard let entry = readdir(stream) else { break }
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            if name != [0x2E] && name != [0x2E, 0x2E] { names.append(name) }
        }
        if errno != 0 { throw SystemFailure.last.error("read the directory", path) }
        return names.sorted { $0.lexicographicallyPrecedes($1) }
    }

    /// Bytes free for this process on the directory's file system.
    package func freeByteCount() -> UInt64? {
        var status = statvfs()
        guard fstatvfs(descriptor, &status) == 0 else { return nil }
        let (bytes, overflow) = UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize))
        return overflow ? nil : bytes
    }
}

extension Directory {
    /// Opens the directory that `path` lies in; gives it and the last component.
    package static func parent(
        of path: String, creating: Bool = false, disk: any Disk = SystemDisk()
    ) throws(SnpackError) -> (directory: Directory, name: String) {
        guard let name = path.pathSegments.last, name != ".", name != ".." else {
            throw SnpackError(.fileNotRegular, "it names no file", path: path)
        }
        let slash = UInt8(ascii: "/")
        let trimmed = path.utf8.reversed().drop { $0 == slash }.dropFirst(name.utf8.count).reversed()
        let parent = String(decoding: trimmed, as: UTF8.self)
        let shown = parent.isEmpty ? "." : parent
        return (creating ? try create(shown, disk: disk) : try open(shown, disk: disk), name)
    }
}
