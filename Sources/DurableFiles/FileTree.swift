package import Diagnostics

/// The regular files of a layer on disk: one file, or all below a directory, ascending by the bytes of their paths.
package struct FileTree: Sendable {
    package struct File: Hashable, Sendable {
        /// `/`-separated, relative to the root; for a single file the name it has in its layer.
        package let path: String
        package let identity: FileIdentity
        package var byteCount: UInt64 { identity.byteCount }
    }

    /// The directory or file on disk, as the caller named it.
    package let root: String
    /// True for a directory, false for a single file.
    package let isTree: Bool
    package let files: [File]
    /// Total bytes of ``files``; 2^64 − 1 if they are more, as of files that are mostly holes.
    package let byteCount: UInt64

    /// Lists what is at `root`, links followed for `root` itself and never below it.
    ///
    /// - Parameter leavingOut: relative paths for which it is true do not belong to the layer.
    /// - Parameter faults: links, devices, what cannot be read and names that are no UTF-8, all of them.
    /// - Throws: only when `root` itself cannot be read, or the work is cancelled.
    package init(
        listing root: String, faults: inout FaultList, cancel: CancelToken = CancelToken(),
        leavingOut: (String) -> Bool = { _ in false }
    ) throws(SnpackError) {
        // `tiles/` and `tiles` are one directory, and messages name its files alike.
        let end = root.utf8.reversed().drop { $0 == UInt8(ascii: "/") }
        let root = end.isEmpty ? root : String(decoding: end.reversed(), as: UTF8.self)
        self.root = root
        guard let identity = FileIdentity.at(root) else {
            throw SnpackError(.fileNotFound, "there is no such file or directory", path: root)
        }
        switch identity.kind {
        case .file:
            isTree = false
            try Directory.checkReadable(root)
            files = [File(path: root.pathSegments.last ?? root, identity: identity)]
        case .directory:
            isTree = true
            var found: [File] = []
            try Self.walk(
                try Directory.open(root), prefix: "", into: &found, faults: &faults, cancel: cancel,
                leavingOut: leavingOut, depth: 0)
            found.sort { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
            files = found
        default:
            throw SnpackError(.fileNotRegular, "it is neither a regular file nor a directory", path: root)
        }
        byteCount = Self.total(of: files)
    }

    private static func walk(
        _ directory: Directory, prefix: String, into found: inout [File], faults: inout FaultList,
        cancel: CancelToken, leavingOut: (String) -> Bool, depth: Int
    ) throws(SnpackError) {
        guard depth < 256 else {
            return faults.add(
                SnpackError(.notADirectory, "directories are nested more than 256 deep", path: directory.path))
        }
        for raw in try directory.rawNames() {
            try cancel.check()
            guard let name = String(validating: raw, as: UTF8.self) else {
                faults.add(directory.notUTF8(raw))
                continue
            }
            let path = prefix + name
            if leavingOut(path) { continue }
            do throws(SnpackError) {
                guard let identity = try directory.identity(of: name) else { continue }
                switch identity.kind {
                case .file:
                    try directory.checkReadable(name)
                    found.append(File(path: path, identity: identity))
                case .directory:
                    try walk(
                        try directory.directory(name), prefix: path + "/", into: &found, faults: &faults,
                        cancel: cancel, leavingOut: leavingOut, depth: depth + 1)
                case .symbolicLink:
                    throw SnpackError(
                        .fileNotRegular, "a symbolic link does not travel",
                        hint: "replace it with the file it points to",
                        path: directory.path(of: name))
                case .other:
                    throw SnpackError(
                        .fileNotRegular, "a device, socket or FIFO does not travel", hint: "remove it from the layer",
                        path: directory.path(of: name))
                }
            } catch  where error.code == .interrupted {
                throw error
            } catch { faults.add(error) }
        }
    }

    /// Total bytes of some files; 2^64 − 1 if they are more.
    package static func total(of files: some Sequence<File>) -> UInt64 {
        files.reduce(0) { $0.saturatingAdd($1.byteCount) }
    }

    /// Where a file lies on disk.
    package func diskPath(of file: File) -> String { isTree ? "\(root)/\(file.path)" : root }

    /// Opens a file and checks that it is the one that was listed.
    package func open(_ file: File) throws(SnpackError) -> OpenFile {
        let open = try OpenFile(reading: diskPath(of: file))
        try open.checkUnchanged(since: file.identity)
        return open
    }

    /// Throws `file.changed` unless what lies at a file's path is still the one that was listed.
    package func checkUnchanged(_ file: File) throws(SnpackError) {
        let path = diskPath(of: file)
        guard let now = FileIdentity.at(path), now.isSameContent(as: file.identity) else {
            throw .changedWhileRead(path)
        }
    }
}

extension FileTree {
    private init(root: String, isTree: Bool, files: [File]) {
        self.root = root
        self.isTree = isTree
        self.files = files
        byteCount = Self.total(of: files)
    }

    /// The same tree without some of its files.
    package func leavingOut(_ paths: [String]) -> FileTree {
        guard !paths.isEmpty else { return self }
        let left = Set(paths)
        return FileTree(root: root, isTree: isTree, files: files.filter { !left.contains($0.path) })
    }

    /// Some files of the same tree: those at these paths.
    package func keeping(_ paths: Set<String>) -> FileTree {
        FileTree(root: root, isTree: isTree, files: files.filter { paths.contains($0.path) })
    }
}
