import Blobs
import Diagnostics
import DurableFiles
import TerritoryModel
import TerritoryPackage
import Transfer

/// How a layer got into an install.
enum LayerRoute: Hashable, Sendable {
    /// It was on disk already at the same content, and was linked.
    case reused
    /// A patch turned an older layer into it.
    case patched
    /// Its blob, or the package's files.
    case fetched
}

/// Puts one layer into a package directory in the making, and proves what then lies on disk.
struct LayerBuilder {
    /// The package directory in the making.
    let package: Directory
    /// For what only lives during the install.
    let scratch: Directory
    let supply: any PackageSupply
    /// Installed versions whose content may be linked.
    let present: [InstalledPackage]

    /// Tries the ways from the cheapest on: a link, patches, the blob.
    func build(
        _ index: Int, of manifest: Manifest, context: WorkContext
    ) throws(SnpackError) -> (route: LayerRoute, notes: LayerNotes) {
        let layer = manifest.layers[index]
        if let notes = try link(layer, context) { return (.reused, notes) }
        if let notes = try patch(layer, context) { return (.patched, notes) }
        let writer = try writer(for: layer)
        let table = try supply.write(index, of: manifest, into: writer, context: context)
        return (.fetched, try prove(layer, table: table, context))
    }

    /// The layer made by patches; nil if there are none, or they lead nowhere: patches only save bytes.
    private func patch(_ layer: Manifest.Layer, _ context: WorkContext) throws(SnpackError) -> LayerNotes? {
        let legs = supply.legs(to: layer)
        guard !legs.isEmpty else { return nil }
        let patched = PatchedLayer(legs: legs, supply: supply, present: present, scratch: scratch)
        do throws(SnpackError) {
            if try patched.write(into: try writer(for: layer), context: context) {
                return try prove(layer, table: nil, context)
            }
        } catch {
            if error.meetsBlobsToo { throw error }
            context.report.note("layer \(layer.kind): \(error.message); its blob is taken in place of the patch")
        }
        try package.removeTree(layer.path.rawValue)
        return nil
    }

    /// Takes the files of a layer that come as a proven stream: an empty directory for a tree, or the package's own.
    func writer(for layer: Manifest.Layer) throws(SnpackError) -> LayerWriter {
        let target = layer.isTree ? try package.makeDirectory(layer.path.rawValue) : package
        return LayerWriter(layer, into: target, fileMode: 0o444)
    }

    /// The layer's notes, if what lies on disk is the signed content.
    func prove(
        _ layer: Manifest.Layer, table: [UInt8]?, _ context: WorkContext
    ) throws(SnpackError) -> LayerNotes {
        var faults = FaultList()
        let root = package.path(of: layer.path.rawValue)
        let tree = try FileTree(listing: root, faults: &faults)
        try faults.throwIfAny("layer \(layer.kind) cannot be read back")
        guard let notes = try LayerFiles(tree, of: layer, context: context).notes(table: table) else {
            throw SnpackError(
                .layerMismatch, "layer \(layer.kind): what was written does not read back as the signed content",
                hint: "check the disk", path: root)
        }
        return notes
    }

    /// Links the layer from an installed version that has the same content; nil if none has, or its files are damaged.
    private func link(_ layer: Manifest.Layer, _ context: WorkContext) throws(SnpackError) -> LayerNotes? {
        for installed in present {
            guard let same = installed.layer(like: layer) else { continue }
            do throws(SnpackError) {
                let links = FileLinks(of: layer, cancel: context.cancel)
                try links.link(
                    same.path.rawValue, in: installed.package.directory, as: layer.path.rawValue, in: package)
                return try prove(layer, table: installed.notes(of: same)?.table, context)
            } catch {
                try package.removeTree(layer.path.rawValue)
                if error.code == .interrupted || error.code == .diskFull { throw error }
            }
        }
        return nil
    }
}

extension SnpackError {
    /// Whether a blob would fare as this patch did: the work was stopped, the disk is full, the line is down. What is
    /// in the cache of the patch is gone on with in the next run.
    fileprivate var meetsBlobsToo: Bool {
        switch code {
        case .interrupted, .diskFull, .lockBusy: true
        // A server that fails on one file may well have another.
        case .transferServerFailed: false
        default: code.isTransient
        }
    }
}
