import Diagnostics
import DurableFiles
import TerritoryModel

/// Gives the files of a layer second names in another directory; where the file system has no links, copies them.
final class FileLinks {
    private let layer: Manifest.Layer
    private let cancel: CancelToken
    private var fileCount: UInt64 = 0
    private var byteCount: UInt64 = 0

    /// - Parameter layer: what is signed; more files or bytes are not the layer, and may have no end.
    init(of layer: Manifest.Layer, cancel: CancelToken) {
        self.layer = layer
        self.cancel = cancel
    }

    func link(
        _ name: String, in source: Directory, as newName: String, in target: Directory, depth: Int = 0
    ) throws(SnpackError) {
        guard let identity = try source.identity(of: name) else {
            throw SnpackError(.fileNotFound, "it is not there", path: source.path(of: name))
        }
        switch identity.kind {
        case .file:
            try cancel.check()
            fileCount += 1
            byteCount = byteCount.saturatingAdd(identity.byteCount)
            guard fileCount <= layer.fileCount, byteCount <= layer.byteCount else { throw notTheLayer(source, name) }
            // A file that somebody made writable is not shared with them.
            let isShared = identity.mode & 0o222 == 0 ? try source.link(name, to: newName, in: target) : false
            if !isShared { try copy(name, of: identity.byteCount, in: source, as: newName, in: target) }
        case .directory where depth < 64:
            let inner = try target.makeDirectory(newName)
            let from = try source.directory(name)
            for child in try from.names() { try link(child, in: from, as: child, in: inner, depth: depth + 1) }
            try inner.sync()
        default: throw notTheLayer(source, name)
        }
    }

    private func notTheLayer(_ directory: Directory, _ name: String) -> SnpackError {
        SnpackError(.installedFileDamaged, "it is not as it was installed", path: directory.path(of: name))
    }

    private func copy(
        _ name: String, of byteCount: UInt64, in source: Directory, as newName: String, in target: Directory
    ) throws(SnpackError) {
        let file = try source.file(name)
        guard file.byteCount == byteCount else { throw notTheLayer(source, name) }
        let copy = try NewFile(newName, in: target, mode: 0o444)
        try file.readPieces(cancel: cancel) { piece, _ throws(SnpackError) in
            try copy.write(UnsafeRawBufferPointer(piece))
        }
        try copy.close(flushing: true)
    }
}
