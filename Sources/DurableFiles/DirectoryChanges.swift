package import Diagnostics
import Glibc

// Changes to a directory. None is durable before ``sync()``.
extension Directory {
    private func run(
        _ action: String, _ name: String, _ call: () throws(SystemFailure) -> Void
    ) throws(SnpackError) {
        do throws(SystemFailure) { try call() } catch { throw error.error(action, path(of: name)) }
    }

    /// Flushes the directory's entries to disk.
    package func sync() throws(SnpackError) {
        try run("flush the directory", "") { () throws(SystemFailure) in try disk.sync(descriptor) }
    }

    /// Flushes everything on the directory's file system: one call for a great many files.
    package func syncFileSystem() throws(SnpackError) {
        try run("flush the file system of", "") { () throws(SystemFailure) in try disk.syncFileSystem(descriptor) }
    }

    /// Sets the permission bits of this directory, whatever the umask.
    package func setMode(_ mode: FileMode) throws(SnpackError) {
        try run("set the mode of", "") { () throws(SystemFailure) in try disk.setMode(descriptor, mode) }
    }

    /// Makes a directory that must not be there yet, and opens it.
    package func makeDirectory(_ name: String, mode: FileMode = 0o755) throws(SnpackError) -> Directory {
        try run("make the directory", name) { () throws(SystemFailure) in
            try disk.makeDirectory(descriptor, name, mode: mode)
        }
        let made = try directory(name)
        try made.setMode(mode)
        return made
    }

    /// Opens a directory, made first where it is missing.
    package func directory(_ name: String, creating mode: FileMode) throws(SnpackError) -> Directory {
        if try contains(name) { return try directory(name) }
        do { return try makeDirectory(name, mode: mode) } catch  where error.code == .fileExists {
            return try directory(name)
        }
    }

    /// Opens the directory at `relativePath`, missing ones made on the way and flushed.
    package func directory(at relativePath: some StringProtocol, creating mode: FileMode) throws(SnpackError)
        -> Directory
    {
        var result = self
        for name in relativePath.pathSegments {
            let isThere = try result.contains(name)
            let next = try result.directory(name, creating: mode)
            if !isThere { try result.sync() }
            result = next
        }
        return result
    }

    /// Renames `name` to `newName` in `target`; without `replacing`, what is there already is an error.
    package func rename(
        _ name: String, to newName: String, in target: Directory? = nil, replacing: Bool
    ) throws(SnpackError) {
        try run("rename to \(quoted(newName))", name) { () throws(SystemFailure) in
            try disk.move(descriptor, name, to: (target ?? self).descriptor, newName, replacing: replacing)
        }
    }

    /// Gives a file a second name; false where the file systems cannot (other device, no links, too many).
    package func link(_ name: String, to newName: String, in target: Directory) throws(SnpackError) -> Bool {
        do throws(SystemFailure) {
            try disk.link(descriptor, name, to: target.descriptor, newName)
            return true
        } catch  where [EXDEV, EPERM, EMLINK, EOPNOTSUPP, ENOSYS].contains(error.number) {
            return false
        } catch { throw error.error("link", target.path(of: newName)) }
    }

    /// Removes a file or link; nothing there is fine.
    package func remove(_ name: String) throws(SnpackError) {
        do throws(SystemFailure) {
            try disk.unlink(descriptor, name)
        } catch  where error.number == ENOENT {
        } catch { throw error.error("remove", path(of: name)) }
    }

    /// Removes a directory that is empty; one that is not, or nothing there, is fine.
    package func removeEmptyDirectory(_ name: String) throws(SnpackError) {
        do throws(SystemFailure) {
            try disk.removeDirectory(descriptor, name)
        } catch  where [ENOENT, ENOTEMPTY, EEXIST].contains(error.number) {
        } catch { throw error.error("remove the directory", path(of: name)) }
    }

    /// Removes `name` and, if it is a directory, all below it. No link is followed; nothing there is fine.
    package func removeTree(_ name: String) throws(SnpackError) {
        guard let identity = try identity(of: name) else { return }
        guard identity.kind == .directory else { return try remove(name) }
        let child = try directory(name)
        if identity.mode & 0o700 != 0o700 { try child.setMode(0o700) }
        for raw in try child.rawNames() {
            // A name that is no UTF-8 survives the round trip through its bytes.
            try child.removeTree(rawName: raw)
        }
        do throws(SystemFailure) {
            try disk.removeDirectory(descriptor, name)
        } catch  where error.number == ENOENT {
        } catch { throw error.error("remove the directory", path(of: name)) }
    }

    private func removeTree(rawName: [UInt8]) throws(SnpackError) {
        guard let name = String(validating: rawName, as: UTF8.self) else {
            throw SnpackError(
                .fileNameNotUTF8,
                "cannot remove \(quoted(String(decoding: rawName, as: UTF8.self))): its name is not UTF-8",
                path: path)
        }
        try removeTree(name)
    }
}
