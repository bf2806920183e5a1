import Blobs
import Diagnostics
import DurableFiles
import MapLayers

/// The files of a cut layer: work files, and what comes out of the country's blobs, or out of memory, as it is read.
struct CutFiles: LayerFiles, LayerSource {
    let isTree: Bool
    let name: String
    let files: [LayerSourceFile]
    private let tree: FileTree?
    /// By the index of a file; all others are the tree's.
    private let made: [Int: any RandomAccess]

    /// Work files; some of them, named by their paths, replaced.
    init(_ tree: FileTree, replacing made: [String: any RandomAccess] = [:]) {
        isTree = tree.isTree
        name = tree.root
        self.tree = tree
        var files: [LayerSourceFile] = []
        var places: [Int: any RandomAccess] = [:]
        for file in tree.files {
            let new = made[file.path]
            places[files.count] = new
            files.append(LayerSourceFile(path: file.path, byteCount: new?.byteCount ?? file.byteCount))
        }
        self.files = files
        self.made = places
    }

    /// A file that is nowhere: alone, or the only one of a tree.
    init(_ file: any RandomAccess, isTree: Bool) {
        self.isTree = isTree
        name = file.name
        files = [LayerSourceFile(path: file.name, byteCount: file.byteCount)]
        tree = nil
        made = [0: file]
    }

    var listing: [(path: String, byteCount: UInt64)] { files.map { ($0.path, $0.byteCount) } }

    func open(at index: Int) throws(SnpackError) -> any RandomAccess {
        if let file = made[index] { return file }
        guard let tree else { throw SnpackError(.fileNotFound, "it has no file \(index)", path: name) }
        return try tree.open(tree.files[index])
    }

    func checkUnchanged(at index: Int) throws(SnpackError) {
        if made[index] == nil { try tree?.checkUnchanged(at: index) }
    }

    // MARK: As the checks read them

    func shownPath(of file: LayerSourceFile) -> String { isTree ? "\(name)/\(file.path)" : name }

    func open(_ file: LayerSourceFile) throws(SnpackError) -> any RandomAccess {
        guard let index = files.firstIndex(of: file) else {
            throw SnpackError(.fileNotFound, "it has no such file", path: shownPath(of: file))
        }
        return try open(at: index)
    }

    func diskPath(of file: LayerSourceFile) -> String? {
        guard let tree, let index = files.firstIndex(of: file), made[index] == nil else { return nil }
        return tree.diskPath(of: tree.files[index])
    }
}
