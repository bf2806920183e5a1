package import Blobs
package import Diagnostics
import DurableFiles
import Hashing
package import TerritoryModel

/// How much of a package is read to judge it.
package enum ProofDepth: Hashable, Sendable {
    /// Signatures, listings and sizes; no blob is read.
    case shallow
    /// As shallow, and of each blob its table and some chunks at random.
    case sampled(ChunkSample)
    /// Every byte.
    case deep
}

/// Proves a signed package's blobs and patches.
package struct PackageProof: Sendable {
    package let depth: ProofDepth
    private let decoder = FrameDecoder()
    private let context: WorkContext

    package init(depth: ProofDepth, context: WorkContext) {
        self.depth = depth
        self.context = context
    }

    /// Everything that is wrong with `package`, whose manifest is `manifest`.
    package func faults(of package: some PackedPackage, _ manifest: Manifest) -> FaultList {
        var faults = FaultList()
        faults.collect { () throws(SnpackError) in try package.checkForm(for: manifest) }
        for index in manifest.layers.indices {
            faults.add(contentsOf: self.faults(of: package, layer: index, manifest, context: context))
        }
        return faults
    }

    /// Everything that is wrong with one layer's blob and patches.
    package func faults(
        of package: some PackedPackage, layer index: Int, _ manifest: Manifest, context: WorkContext
    ) -> FaultList {
        var faults = FaultList()
        let layer = manifest.layers[index]
        faults.collect { () throws(SnpackError) in
            let reader = BlobReader(try package.blob(index, of: manifest), layer: layer, decoder: decoder)
            switch depth {
            case .shallow: try reader.checkSize()
            case .sampled(let sample): try reader.prove(sample, cancel: context.cancel)
            case .deep: try reader.read(context: context)
            }
        }
        for patch in layer.patches {
            faults.collect { () throws(SnpackError) in
                guard let file = try package.patch(patch, of: layer) else { return }
                let reader = PatchReader(file, patch: patch, of: layer)
                switch depth {
                // A patch is proven as a whole or not at all.
                case .shallow, .sampled: try reader.checkSize()
                case .deep:
                    try reader.prove(cancel: context.cancel)
                    _ = try reader.table()
                }
            }
        }
        return faults
    }
}
