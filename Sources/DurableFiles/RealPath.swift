import Glibc

/// Where a path really leads.
package enum RealPath {
    /// The absolute path without links, `.` and `..`; nil if nothing is there.
    package static func of(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(validatingCString: resolved)
    }

    /// The same for a path that may not be there yet: what is there of it resolved, the rest as it stands.
    package static func ofFuture(_ path: String) -> String? {
        if let there = of(path) { return there }
        let segments = path.pathSegments
        guard let last = segments.last else { return nil }
        let start = path.isAbsolutePath ? "/" : "."
        let parent =
            segments.count == 1 ? start : (path.isAbsolutePath ? "/" : "") + segments.dropLast().joined(separator: "/")
        return ofFuture(parent).map { $0 == "/" ? "/\(last)" : "\($0)/\(last)" }
    }

    /// True if `path`, there or not, is `directory` or lies below it.
    package static func lies(_ path: String, in directory: String) -> Bool {
        guard let path = ofFuture(path), let directory = of(directory) else { return false }
        return directory == "/" || "\(path)/".utf8.starts(with: "\(directory)/".utf8)
    }
}
