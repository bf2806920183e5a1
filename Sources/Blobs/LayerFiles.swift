package import Diagnostics
package import DurableFiles

/// A layer's files, wherever they are: on disk, or made as they are read. May be read by many threads.
package protocol LayerFiles: Sendable {
    /// True for a directory tree, false for one file.
    var isTree: Bool { get }
    /// What messages call the layer.
    var name: String { get }
    /// Ascending by the bytes of their paths. A single file has its name as path.
    var listing: [(path: String, byteCount: UInt64)] { get }
    func open(at index: Int) throws(SnpackError) -> any RandomAccess
    /// Throws `file.changed` when a file that was read is not any more what it was when it was listed.
    func checkUnchanged(at index: Int) throws(SnpackError)
}

extension LayerFiles {
    /// Total bytes of the files.
    package var contentByteCount: UInt64 { listing.reduce(0) { $0 &+ $1.byteCount } }
}

extension FileTree: LayerFiles {
    package var name: String { root }
    package var listing: [(path: String, byteCount: UInt64)] { files.map { ($0.path, $0.byteCount) } }
    package func open(at index: Int) throws(SnpackError) -> any RandomAccess { try open(files[index]) }
    package func checkUnchanged(at index: Int) throws(SnpackError) { try checkUnchanged(files[index]) }
}
