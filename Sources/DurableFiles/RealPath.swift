import Glibc

/// Where a path really leads.
package enum RealPath {
    /// The absolute path without links, `.` and `..`; nil if nothing is there.
    package static func of(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(validatingCString: resolved)
    }
}
