import Blobs
import Diagnostics
import DurableFiles
import Hashing
import MapLayers
import TerritoryModel

/// Packs checked layers into a release in the making, or links blobs that another release has.
struct LayerPacking {
    let release: Directory
    let reuse: [ReusableRelease]
    /// Releases whose layers patches start from.
    let bases: [ReusableRelease]
    let context: WorkContext

    init(
        into release: Directory, reuse: [ReusableRelease], patchingFrom bases: [ReusableRelease], context: WorkContext
    ) {
        self.release = release
        self.reuse = reuse
        self.bases = bases
        self.context = context
    }

    func pack(
        _ prepared: PreparedLayer, level: Int
    ) throws(SnpackError) -> (layer: Manifest.Layer, isReused: Bool) {
        let definition = prepared.definition
        let requires = try requirements(of: prepared)
        if let twin = try twin(of: prepared) {
            let target = try release.directory(at: twin.layer.directory, creating: 0o755)
            try twin.release.place(twin.layer, in: target)
            let layer = try Manifest.Layer(
                kind: definition.kind, path: definition.path, isTree: prepared.tree.isTree,
                fileCount: twin.layer.fileCount, byteCount: twin.layer.byteCount, blake3: twin.layer.blake3,
                blob: twin.layer.blob, patches: twin.layer.patches, requires: requires, meta: meta(of: prepared))
            return (layer, true)
        }
        let layers = try release.directory("layers", creating: 0o755)
        let file = try StagedFile(in: layers)
        let packed = try packBlob(
            prepared.tree, name: definition.path.rawValue, encoder: FrameEncoder(level: level), into: file,
            context: context)
        let layer = try Manifest.Layer(
            kind: definition.kind, path: definition.path, isTree: prepared.tree.isTree,
            fileCount: packed.content.fileCount, byteCount: packed.content.byteCount, blake3: packed.content.blake3,
            blob: Manifest.Blob(
                of: definition.path, fileCount: packed.content.fileCount, layerByteCount: packed.content.byteCount,
                byteCount: packed.byteCount, blake3: packed.blake3, tarByteCount: packed.tarByteCount,
                tableByteCount: packed.tableByteCount, tableBlake3: packed.tableBlake3),
            requires: requires, meta: meta(of: prepared))
        let target = try release.directory(at: layer.directory, creating: 0o755)
        try file.commit(as: layer.blob.file, in: target, replacing: true)
        let patches = try patches(to: layer, prepared.tree, in: target)
        try target.sync()
        return (try layer.with(patches), false)
    }

    /// Patches from the bases' layers of the same kind, those that are worth having.
    private func patches(
        to layer: Manifest.Layer, _ tree: FileTree, in target: Directory
    ) throws(SnpackError) -> [Manifest.Patch] {
        var patches: [Manifest.Patch] = []
        for base in bases {
            // Patches are named by the old layer's address: one from each.
            guard let old = base.manifest[layer.kind], old.isTree == layer.isTree, old.blake3 != layer.blake3,
                !patches.contains(where: { $0.from.shortHex == old.address }),
                patches.count < Limits.patches.upperBound
            else { continue }
            context.report.begin(
                "patching \(layer.kind) from \(base.manifest.version)", byteCount: layer.blob.tarByteCount)
            defer { context.report.end() }
            let file = try StagedFile(in: target)
            let patch = try PatchWriter().write(
                from: base.stream(of: old, name: layer.path), to: FileTarStream(tree, name: layer.path.rawValue),
                of: layer, into: file, context: context)
            guard let patch else { continue }
            try file.commit(as: patch.file, replacing: true)
            patches.append(patch)
        }
        return patches
    }

    private func meta(of prepared: PreparedLayer) -> JSONObject? {
        prepared.facts.meta.isEmpty ? nil : prepared.facts.meta
    }

    /// What the definition asks for, over what was read out of the layer.
    private func requirements(of prepared: PreparedLayer) throws(SnpackError) -> EngineRequirements {
        var minimums: [EngineName: TerritoryVersion] = [:]
        for (engine, version) in prepared.facts.requires {
            minimums[try EngineName(parsing: engine)] = try TerritoryVersion(parsing: version)
        }
        return EngineRequirements(minimums.merging(prepared.definition.requires.minimums) { $1 })
    }

    /// A layer of a reusable release with the same content, form and place.
    private func twin(
        of prepared: PreparedLayer
    ) throws(SnpackError) -> (release: ReusableRelease, layer: Manifest.Layer)? {
        var candidates: [(release: ReusableRelease, layer: Manifest.Layer)] = []
        for release in reuse {
            for layer in release.manifest.layers
            where layer.isTree == prepared.tree.isTree && layer.path == prepared.definition.path
                && layer.byteCount == prepared.tree.byteCount
                && layer.fileCount == UInt64(prepared.tree.files.count)
            {
                candidates.append((release, layer))
            }
        }
        guard !candidates.isEmpty else { return nil }
        let content = try digest(of: prepared.tree, name: prepared.definition.path.rawValue, context: context)
        return candidates.first { $0.layer.blake3 == content.blake3 }
    }
}

extension Manifest.Layer {
    fileprivate func with(_ patches: [Manifest.Patch]) throws(SnpackError) -> Manifest.Layer {
        try Manifest.Layer(
            kind: kind, path: path, isTree: isTree, fileCount: fileCount, byteCount: byteCount, blake3: blake3,
            blob: blob, patches: patches, requires: requires, meta: meta)
    }
}
