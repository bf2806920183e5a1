import Blobs
import Diagnostics
import DurableFiles
import TerritoryModel
import TerritoryPackage

/// Where the bytes for a repair come from. No index is asked: the installed manifest says what is right.
public enum RepairSource: Sendable {
    /// A channel that still has the installed version's files.
    case channel(any ChannelTransport)
    /// A release, `.snpkg` or unpacked directory of the installed version.
    case package(path: String)
}

// Putting right what is damaged, and only that.
extension StoreCore {
    func repair(
        _ id: TerritoryID, from source: RepairSource?, _ context: WorkContext
    ) throws(SnpackError) -> RepairResult {
        let root = try openRoot(for: id)
        return try changing(id, in: root, context) { (folder, present) throws(SnpackError) in
            guard let present, let slot = present.state.current else { throw notInstalled(id) }
            guard let package = present.current else { throw present.damage ?? notInstalled(id) }
            let check = InstalledCheck(package, context: context)
            let strangers = check.strangers()
            var damaged: Set<LayerKind> = []
            for layer in package.layers where !check.faults(of: layer).isEmpty { damaged.insert(layer.kind) }
            try context.cancel.check()
            guard !damaged.isEmpty || !strangers.isEmpty || !package.hasRecord else {
                return RepairResult(
                    territory: info(package, present.state, in: root), repairedKinds: [], removedFiles: 0,
                    bytesDownloaded: 0)
            }
            let repair = try supply(for: package, source, root, context)
            let installer = Installer(
                folder: folder, manifest: package.manifest, omitted: package.omitted,
                supply: RepairSupply(package: package, source: repair.supply), present: present.all, context: context)
            let built = try installer.run()
            var state = present.state
            state.current = built.slot
            if state.previous == slot { state.previous = nil }
            try folder.write(state)
            for layer in package.layers { repair.supply?.drop(layer) }
            let repaired = try InstalledPackage(built.slot, in: folder.directory, keys: keys)
            return RepairResult(
                territory: info(repaired, state, in: root), repairedKinds: damaged.sorted(),
                removedFiles: strangers.count, bytesDownloaded: repair.fetcher?.layerByteCount ?? 0)
        }
    }

    private func supply(
        for package: InstalledPackage, _ source: RepairSource?, _ root: StoreRoot, _ context: WorkContext
    ) throws(SnpackError) -> (supply: (any PackageSupply)?, fetcher: ChannelFetcher?) {
        switch source {
        case nil: return (nil, nil)
        case .channel(let transport)?:
            let fetcher = ChannelFetcher(transport, cancel: context.cancel)
            let cache = try BlobCache(in: root.directory)
            return (ChannelSupply(fetcher, package.document.name, cache: cache), fetcher)
        case .package(let path)?:
            let (manifest, supply) = try openPackage(path)
            guard manifest.blake3 == package.manifest.blake3 else {
                throw SnpackError(
                    .repairSourceLacks,
                    "that is \(manifest.document.name), not the \(package.document.name) that is installed",
                    hint: "give a source of the installed version", path: path)
            }
            return (supply, nil)
        }
    }
}

/// Supplies the layers of an install that could not be linked because they are damaged.
private struct RepairSupply: PackageSupply {
    let package: InstalledPackage
    let source: (any PackageSupply)?

    var isLocal: Bool { source?.isLocal ?? true }

    func write(
        _ index: Int, of manifest: Manifest, into sink: any LayerSink, context: WorkContext
    ) throws(SnpackError) -> [UInt8]? {
        let layer = manifest.layers[index]
        guard let source else {
            throw SnpackError(
                .repairNeedsSource, "layer \(layer.kind) is damaged, and nothing here has it whole",
                hint: "name a source: snpack store repair ID SOURCE")
        }
        if let channel = source as? ChannelSupply, let notes = package.notes(of: layer),
            let table = try ChunkRepair(
                layer, notes: notes, root: package.package.path(of: layer), supply: channel
            ).run(into: sink, context: context)
        {
            return table
        }
        return try source.write(index, of: manifest, into: sink, context: context)
    }

    func halt() { source?.halt() }
}
