package import Diagnostics
package import DurableFiles

/// Writes a layer's files below a directory: each component opened by handle, no link followed, no file replaced.
///
/// Paths must have been checked. Nothing is durable before ``finish()``.
package final class LayerWriter: LayerSink {
    /// Above this many files one flush of the file system is cheaper than one of each file.
    private static let singleFlushLimit = 32

    private let root: Directory
    private let fileName: String?
    private let fileMode: FileMode
    private let isDurable: Bool
    private var parents: [(name: String, directory: Directory)] = []
    private var file: NewFile?
    private var fileCount = 0

    /// - Parameters:
    ///   - root: an empty directory of the caller's for a tree; the package directory for a single file.
    ///   - fileName: what a single file is called; nil for a tree.
    ///   - isDurable: false for files that are gone with the program: then nothing is flushed.
    package init(into root: Directory, fileName: String?, fileMode: FileMode, isDurable: Bool = true) {
        self.isDurable = isDurable
        self.root = root
        self.fileName = fileName
        self.fileMode = fileMode
    }

    package func beginFile(path: String, byteCount: UInt64) throws(SnpackError) {
        var segments = (fileName ?? path).pathSegments
        guard let name = segments.popLast() else {
            throw SnpackError(.tarNotCanonical, "an entry without a name")
        }
        let parent = try directory(of: segments)
        file = try NewFile(name, in: parent, mode: fileMode)
        fileCount += 1
    }

    /// The directory for `segments`, made where it is missing; those of the file before are still open.
    private func directory(of segments: [String]) throws(SnpackError) -> Directory {
        var common = 0
        while common < min(parents.count, segments.count), parents[common].name == segments[common] { common += 1 }
        try leave(downTo: common)
        for segment in segments[common...] {
            let above = parents.last?.directory ?? root
            parents.append((segment, try above.directory(segment, creating: 0o755)))
        }
        return parents.last?.directory ?? root
    }

    /// Closes directories in which no more files come, flushing what was made in them.
    private func leave(downTo depth: Int) throws(SnpackError) {
        while parents.count > depth {
            if let left = parents.popLast(), flushesSingly { try left.directory.sync() }
        }
    }

    private var flushesSingly: Bool { isDurable && fileCount <= Self.singleFlushLimit }

    package func write(_ bytes: UnsafeRawBufferPointer) throws(SnpackError) {
        try file?.write(bytes)
    }

    package func endFile() throws(SnpackError) {
        try file?.close(flushing: flushesSingly)
        file = nil
    }

    /// Flushes what is not flushed yet.
    package func finish() throws(SnpackError) {
        try leave(downTo: 0)
        guard isDurable else { return }
        if fileCount > Self.singleFlushLimit { try root.syncFileSystem() } else { try root.sync() }
    }
}
