package import Diagnostics
package import DurableFiles
import Hashing
import Parallel

/// The content address and sizes of a layer on disk, without packing it: files side by side on all cores.
/// - Parameter name: the layer's `path`.
package func digest(
    of tree: FileTree, name: String, context: WorkContext
) throws(SnpackError) -> LayerContent {
    var digester = LayerDigester(isTree: tree.isTree)
    var next = 0
    try orderedPipeline(
        jobs: context.jobs,
        produce: { () throws(SnpackError) -> FileTree.File? in
            try context.cancel.check()
            guard next < tree.files.count else { return nil }
            defer { next += 1 }
            return tree.files[next]
        },
        transform: { file throws(SnpackError) -> (file: FileTree.File, digest: Blake3Digest) in
            let open = try tree.open(file)
            let digest = try Blake3Digest.of(open, cancel: context.cancel)
            try open.checkUnchanged()
            return (file, digest)
        },
        consume: { result throws(SnpackError) in
            digester.add(
                result.digest, path: tree.isTree ? result.file.path : name, byteCount: result.file.byteCount)
        })
    return digester.content()
}
