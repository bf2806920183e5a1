package import Diagnostics
package import DurableFiles
package import TerritoryModel

/// Writes a layer's files below a directory: each component opened by handle, no link followed, no file replaced.
///
/// Paths must have been checked. Nothing is durable before ``finish()``.
package final class LayerWriter: LayerSink {
    /// How what is written becomes durable.
    private enum Flush {
        case never, eachFile, fileSystem
    }

    /// Above this many files one flush of the file system is cheaper than one of each file.
    private static let singleFlushLimit: UInt64 = 32

    private let root: Directory
    private let fileName: String?
    private let fileMode: FileMode
    private let flush: Flush
    private var parents: [(name: String, directory: Directory)] = []
    private var file: NewFile?

    /// - Parameters:
    ///   - root: an empty directory of the caller's for a tree; the package directory for a single file.
    ///   - isDurable: false for files that are gone with the program: then nothing is flushed.
    package init(_ layer: Manifest.Layer, into root: Directory, fileMode: FileMode, isDurable: Bool = true) {
        self.root = root
        self.fileMode = fileMode
        fileName = layer.isTree ? nil : layer.path.rawValue
        flush = !isDurable ? .never : layer.fileCount > Self.singleFlushLimit ? .fileSystem : .eachFile
    }

    /// For a tree, or a part of one, that is gone with the program.
    package init(temporaryTreeIn root: Directory, fileMode: FileMode) {
        self.root = root
        self.fileMode = fileMode
        fileName = nil
        flush = .never
    }

    package func beginFile(path: String, byteCount: UInt64) throws(SnpackError) {
        var segments = (fileName ?? path).pathSegments
        guard let name = segments.popLast() else {
            throw SnpackError(.tarNotCanonical, "an entry without a name")
        }
        let parent = try directory(of: segments)
        file = try NewFile(name, in: parent, mode: fileMode, isLasting: flush != .never)
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
            if let left = parents.popLast(), flush == .eachFile { try left.directory.sync() }
        }
    }

    package func write(_ bytes: UnsafeRawBufferPointer) throws(SnpackError) {
        try file?.write(bytes)
    }

    package func endFile() throws(SnpackError) {
        try file?.close(flushing: flush == .eachFile)
        file = nil
    }

    /// Flushes what is not flushed yet.
    package func finish() throws(SnpackError) {
        try leave(downTo: 0)
        switch flush {
        case .never: break
        case .eachFile: try root.sync()
        case .fileSystem: try root.syncFileSystem()
        }
    }
}
