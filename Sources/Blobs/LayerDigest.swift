package import Diagnostics
package import DurableFiles

/// The content address and sizes of a layer on disk, without packing it.
/// - Parameter name: the layer's `path`.
package func digest(
    of tree: FileTree, name: String, context: WorkContext
) throws(SnpackError) -> LayerContent {
    var digester = LayerDigester(isTree: tree.isTree)
    for entry in tree.files {
        try context.cancel.check()
        let file = try tree.open(entry)
        digester.beginFile(path: tree.isTree ? entry.path : name)
        var offset: UInt64 = 0
        while offset < entry.byteCount {
            let piece = try file.bytes(at: offset, count: Int(min(1 << 20, entry.byteCount - offset)))
            piece.withUnsafeBytes { digester.add($0) }
            offset += UInt64(piece.count)
        }
        try file.checkUnchanged()
        digester.endFile()
    }
    return digester.content()
}
