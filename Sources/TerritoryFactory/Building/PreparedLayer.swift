import Blobs
import Diagnostics
import DurableFiles
import MapLayers
import TerritoryModel

/// A layer of a definition whose files were listed and checked, ready to be packed.
struct PreparedLayer: Sendable {
    let definition: TerritoryDefinition.Layer
    let files: any LayerFiles
    let facts: LayerFacts
    /// Just before the files were listed, in nanoseconds since 1970; nil if that does not matter.
    var listedAt: Int64?
    /// What the files hold, where that is known before they are packed.
    var content: LayerContent?
}

/// Turns a definition's sources into layers: converts what is not in its layer form yet, lists the files, checks their
/// names and their content. Collects every fault.
struct LayerPreparation {
    let work: Directory
    let cache: BuildCache?
    let context: WorkContext
    private(set) var faults = FaultList()
    private(set) var warnings: [SnpackError] = []

    init(work: Directory, cache: BuildCache?, context: WorkContext) {
        self.work = work
        self.cache = cache
        self.context = context
    }

    /// The layer, or nil when a fault keeps its files from being read at all.
    mutating func prepare(_ layer: TerritoryDefinition.Layer) throws(SnpackError) -> PreparedLayer? {
        try context.cancel.check()
        do throws(SnpackError) {
            let root = try layerRoot(of: layer)
            let moment = BuildCache.now
            var tree = try FileTree(listing: root, faults: &faults, cancel: context.cancel) { Self.isDesktopFile($0) }
            // Before the content, which a fault may keep from being read at all.
            checkNames(of: tree, layer)
            var content = try knownContent(of: tree, layer)
            let known = content.flatMap { cache?.facts(of: layer.kind, $0, at: tree.root) }
            let facts =
                if let known { known } else {
                    try LayerCheck.facts(of: layer.kind, in: DiskLayer(tree), context: context)
                }
            if !facts.leftOut.isEmpty {
                tree = tree.leavingOut(facts.leftOut)
                content = cache?.content(of: tree)
            }
            for path in facts.leftOut {
                context.report.note("\(layer.kind): \(path) is left out")
            }
            if tree.files.isEmpty {
                throw SnpackError(
                    .layerInvalid, "layer \(layer.kind) has no file", hint: "check the definition's source")
            }
            return PreparedLayer(
                definition: layer, files: tree, facts: facts, listedAt: moment, content: content)
        } catch  where error.code == .interrupted {
            throw error
        } catch {
            faults.add(error.at(layer.source))
            return nil
        }
    }

    /// What the cache knows of these files; where it has only met a layer of their size, they are read to find out
    /// whether they are the same, which costs less than to pack them again.
    private func knownContent(of tree: FileTree, _ layer: TerritoryDefinition.Layer) throws(SnpackError)
        -> LayerContent?
    {
        guard let cache, faults.isEmpty else { return nil }
        if let content = cache.content(of: tree) { return content }
        guard cache.hasSeen(theSizeOf: tree) else { return nil }
        return try digest(of: tree, name: layer.path.rawValue, context: context)
    }

    /// Files that desktops leave in every directory, and that no package carries.
    private static func isDesktopFile(_ path: String) -> Bool {
        let name = path.pathSegments.last
        return name == ".DS_Store" || name == ".nomedia"
    }

    /// Where the layer's files are: the source itself, or what it was converted to.
    private func layerRoot(of layer: TerritoryDefinition.Layer) throws(SnpackError) -> String {
        guard LayerConversion.isNeeded(for: layer.kind, source: layer.source) else { return layer.source }
        let directory = try work.makeDirectory(layer.kind.rawValue)
        let path = try LayerConversion.convert(layer.kind, source: layer.source, into: directory, context: context)
        // Work files that could not be removed at the first go would become part of the layer.
        try directory.removeLeftovers()
        return path
    }

    private mutating func checkNames(of tree: FileTree, _ layer: TerritoryDefinition.Layer) {
        if UInt64(tree.files.count) > Limits.files.upperBound {
            faults.add(
                SnpackError(
                    .layerInvalid,
                    "layer \(layer.kind) has \(tree.files.count) files; at most "
                        + "\(Limits.files.upperBound) fit", path: layer.source))
        }
        guard tree.isTree else { return }
        var paths = FilePathSet()
        for file in tree.files {
            faults.collect { () throws(SnpackError) in
                do throws(SnpackError) { try paths.insert(try FilePath(parsing: file.path)) } catch {
                    throw SnpackError(
                        .layerInvalid, error.message, hint: error.hint ?? "rename the file",
                        path: tree.diskPath(of: file))
                }
            }
        }
    }
}
