package import Diagnostics
import DurableFiles
import Hashing
import Parallel

/// The content address and sizes of a layer, without packing it: files side by side on all cores.
/// - Parameter name: the layer's `path`.
package func digest(
    of files: any LayerFiles, name: String, context: WorkContext
) throws(SnpackError) -> LayerContent {
    var digester = LayerDigester(isTree: files.isTree)
    let listing = files.listing
    var next = 0
    try orderedPipeline(
        jobs: context.jobs,
        produce: { () throws(SnpackError) -> Int? in
            try context.cancel.check()
            guard next < listing.count else { return nil }
            defer { next += 1 }
            return next
        },
        transform: { index throws(SnpackError) -> (index: Int, digest: Blake3Digest) in
            let digest = try Blake3Digest.of(files.open(at: index), cancel: context.cancel)
            try files.checkUnchanged(at: index)
            return (index, digest)
        },
        consume: { result throws(SnpackError) in
            let file = listing[result.index]
            digester.add(result.digest, path: files.isTree ? file.path : name, byteCount: file.byteCount)
        })
    return digester.content()
}
