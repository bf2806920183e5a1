import Blobs
import Diagnostics
import DurableFiles
import TerritoryModel
import TerritoryPackage

/// Makes a layer out of an installed one by a chain of patches.
struct PatchedLayer {
    let legs: [UpdateRoute.Leg]
    let supply: any PackageSupply
    let present: [InstalledPackage]
    /// Holds what stands between two patches of a chain.
    let scratch: Directory

    /// Hands the layer's files to `sink`, proven.
    /// - Returns: false if no installed layer is the one that the chain starts from.
    func write(into sink: any LayerSink, context: WorkContext) throws(SnpackError) -> Bool {
        guard let first = legs.first, var tree = start(first) else { return false }
        // The patch's bytes are the progress, not what comes out of it.
        let silent = WorkContext(jobs: context.jobs, cancel: context.cancel)
        var between: [String] = []
        defer { for name in between { try? scratch.removeTree(name) } }
        for (index, leg) in legs.enumerated() {
            let file = try supply.patch(leg, report: context.report)
            let old = try FileTarStream(tree, name: leg.layer.path.rawValue)
            let reader = PatchReader(file, patch: leg.patch, of: leg.layer)
            if index == legs.count - 1 {
                try reader.read(from: old, into: sink, context: silent)
                break
            }
            let name = "between-\(leg.layer.kind)-\(index)"
            between.append(name)
            let root = try scratch.makeDirectory(name)
            let writer = LayerWriter(leg.layer, into: root, fileMode: 0o444, isDurable: false)
            try reader.read(from: old, into: writer, context: silent)
            let place = leg.layer.isTree ? root.path : root.path(of: leg.layer.path.rawValue)
            var faults = FaultList()
            tree = try FileTree(listing: place, faults: &faults)
            try faults.throwIfAny("a patched layer cannot be read back")
            // What this one was made from.
            if between.count > 1 { try scratch.removeTree(between.removeFirst()) }
        }
        return true
    }

    /// The installed layer that the first patch starts from; what is no more of its size isn't worth fetching a patch for.
    private func start(_ leg: UpdateRoute.Leg) -> FileTree? {
        for installed in present {
            guard let old = installed.layers.first(where: { $0.blake3 == leg.patch.from }) else { continue }
            var faults = FaultList()
            let tree = try? FileTree(listing: installed.package.path(of: old), faults: &faults)
            guard let tree, faults.isEmpty,
                (try? FileTarStream(tree, name: leg.layer.path.rawValue))?.byteCount == leg.patch.oldTarByteCount
            else { continue }
            return tree
        }
        return nil
    }
}
