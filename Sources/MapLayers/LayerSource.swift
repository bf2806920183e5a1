package import Diagnostics
package import DurableFiles

/// The files of one layer, as a checker reads them: from a directory on disk, or from memory in a test.
package protocol LayerSource: Sendable {
    /// True for a directory tree, false for one file.
    var isTree: Bool { get }
    /// Ascending by the bytes of their paths. A single file has its name as path.
    var files: [LayerSourceFile] { get }
    /// What to call a file in messages.
    func shownPath(of file: LayerSourceFile) -> String
    func open(_ file: LayerSourceFile) throws(SnpackError) -> any RandomAccess
    /// Where the file lies on disk, for SQLite; nil when it doesn't.
    func diskPath(of file: LayerSourceFile) -> String?
}

/// One file of a layer.
package struct LayerSourceFile: Hashable, Sendable {
    package let path: String
    package let byteCount: UInt64

    package init(path: String, byteCount: UInt64) {
        self.path = path
        self.byteCount = byteCount
    }
}

/// A layer on disk.
package struct DiskLayer: LayerSource {
    private let tree: FileTree
    package let files: [LayerSourceFile]

    package init(_ tree: FileTree) {
        self.tree = tree
        files = tree.files.map { LayerSourceFile(path: $0.path, byteCount: $0.byteCount) }
    }

    package var isTree: Bool { tree.isTree }
    package func shownPath(of file: LayerSourceFile) -> String { tree.isTree ? "\(tree.root)/\(file.path)" : tree.root }
    package func open(_ file: LayerSourceFile) throws(SnpackError) -> any RandomAccess {
        try OpenFile(reading: shownPath(of: file))
    }
    package func diskPath(of file: LayerSourceFile) -> String? { shownPath(of: file) }
}
