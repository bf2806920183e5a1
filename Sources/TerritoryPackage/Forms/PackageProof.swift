import Blobs
package import Diagnostics
import DurableFiles
import Hashing
package import TerritoryModel

/// How much of a package is read to judge it.
package enum ProofDepth: Sendable {
    /// Signatures, listings and sizes; no blob is read.
    case shallow
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
            case .deep: try reader.read(context: context)
            }
        }
        for patch in layer.patches {
            faults.collect { () throws(SnpackError) in
                guard let file = try package.patch(patch, of: layer) else { return }
                try check(patch, file)
            }
        }
        return faults
    }

    private func check(_ patch: Manifest.Patch, _ file: any RandomAccess) throws(SnpackError) {
        guard file.byteCount == patch.byteCount else {
            throw SnpackError(
                .blobMismatch, "\(file.byteCount) bytes, not the \(patch.byteCount) signed", path: file.name)
        }
        guard depth == .deep else { return }
        guard try Blake3Digest.of(file) == patch.blake3 else {
            throw SnpackError(.blobMismatch, "it does not have the signed BLAKE3", path: file.name)
        }
    }
}
