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
    let cache: BuildCache?
    /// Blobs of releases that are made together with this one.
    let batch: BatchBlobs?
    let context: WorkContext

    init(
        into release: Directory, reuse: [ReusableRelease], patchingFrom bases: [ReusableRelease],
        cache: BuildCache? = nil, batch: BatchBlobs? = nil, context: WorkContext
    ) {
        self.release = release
        self.reuse = reuse
        self.bases = bases
        self.cache = cache
        self.batch = batch
        self.context = context
    }

    /// A layer that is in the release now.
    struct Packed {
        let layer: Manifest.Layer
        /// Linked from a release to be reused.
        let isReused: Bool
        let level: Int
    }

    func pack(_ prepared: PreparedLayer, level: Int) throws(SnpackError) -> Packed {
        if let twin = try twin(of: prepared) {
            let target = try release.directory(at: twin.layer.directory, creating: 0o755)
            try twin.release.place(twin.layer, in: target)
            let layer = try layer(
                prepared, LayerContent(of: twin.layer), blob: twin.layer.blob, patches: twin.layer.patches)
            return Packed(layer: layer, isReused: true, level: level)
        }
        let remembered = try remembered(prepared, level: level)
        let (layer, target) = if let remembered { remembered } else { try packed(prepared, level: level) }
        let patches = try patches(to: layer, prepared.files, in: target)
        try target.sync()
        return Packed(layer: try layer.with(patches), isReused: false, level: level)
    }

    /// Links the blob that an earlier build made of the same content.
    private func remembered(
        _ prepared: PreparedLayer, level: Int
    ) throws(SnpackError) -> (layer: Manifest.Layer, directory: Directory)? {
        guard let content = prepared.content,
            let found = cache?.blob(of: content, prepared.form(level: level))
                ?? batch?.blob(of: content, prepared.form(level: level))
        else { return nil }
        let layer = try layer(prepared, content, blob: found.blob)
        let target = try release.directory(at: layer.directory, creating: 0o755)
        do throws(SnpackError) { try found.place(in: target) } catch {
            context.report.note("\(layer.kind) is packed again: \(error)")
            return nil
        }
        context.report.advance(prepared.files.contentByteCount)
        return (layer, target)
    }

    private func packed(
        _ prepared: PreparedLayer, level: Int
    ) throws(SnpackError) -> (layer: Manifest.Layer, directory: Directory) {
        let path = prepared.definition.path
        let file = try StagedFile(in: release.directory("layers", creating: 0o755))
        let packed = try packBlob(
            prepared.files, name: path.rawValue, encoder: FrameEncoder(level: level), into: file, context: context)
        let blob = try Manifest.Blob(
            of: path, fileCount: packed.content.fileCount, layerByteCount: packed.content.byteCount,
            byteCount: packed.byteCount, blake3: packed.blake3, tarByteCount: packed.tarByteCount,
            tableByteCount: packed.tableByteCount, tableBlake3: packed.tableBlake3)
        let layer = try layer(prepared, packed.content, blob: blob)
        let target = try release.directory(at: layer.directory, creating: 0o755)
        try file.commit(as: blob.file, in: target, replacing: true)
        return (layer, target)
    }

    private func layer(
        _ prepared: PreparedLayer, _ content: LayerContent, blob: Manifest.Blob, patches: [Manifest.Patch] = []
    ) throws(SnpackError) -> Manifest.Layer {
        try Manifest.Layer(
            kind: prepared.definition.kind, path: prepared.definition.path, isTree: prepared.files.isTree,
            fileCount: content.fileCount, byteCount: content.byteCount, blake3: content.blake3, blob: blob,
            patches: patches, requires: requirements(of: prepared), meta: meta(of: prepared))
    }

    /// Tells the cache what came of the layers, now that they have their place.
    func remember(_ packed: [Packed], of layers: [PreparedLayer], in release: Directory) {
        guard let cache else { return }
        for (packed, prepared) in zip(packed, layers) {
            let (kind, content) = (packed.layer.kind, LayerContent(of: packed.layer))
            if let moment = prepared.listedAt, let tree = prepared.files as? FileTree,
                cache.content(of: tree) == nil
            {
                cache.remember(content, of: tree, listedAt: moment)
            }
            if cache.facts(of: kind, content, at: prepared.files.name) == nil {
                cache.remember(prepared.facts, of: kind, content, at: prepared.files.name)
            }
            // A blob that was linked may be of another level.
            guard !packed.isReused, let directory = try? release.directory(at: packed.layer.directory),
                let blob = try? RememberedBlob(packed.layer.blob, in: directory)
            else { continue }
            cache.remember(blob, of: content, prepared.form(level: packed.level))
        }
    }

    /// Offers blobs that other releases of the batch may hold too, now that they have their place.
    func share(_ packed: [Packed], of layers: [PreparedLayer], in release: Directory) {
        for (packed, prepared) in zip(packed, layers) {
            guard let batch, let content = prepared.content, !packed.isReused,
                let directory = try? release.directory(at: packed.layer.directory),
                let blob = try? RememberedBlob(packed.layer.blob, in: directory)
            else { continue }
            batch.remember(blob, of: content, prepared.form(level: packed.level))
        }
    }

    /// Patches from the bases' layers of the same kind, those that are worth having.
    private func patches(
        to layer: Manifest.Layer, _ files: any LayerFiles, in target: Directory
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
                from: base.stream(of: old, name: layer.path), to: try FileTarStream(files, name: layer.path.rawValue),
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
            where layer.isTree == prepared.files.isTree && layer.path == prepared.definition.path
                && layer.byteCount == prepared.files.contentByteCount
                && layer.fileCount == UInt64(prepared.files.listing.count)
            {
                candidates.append((release, layer))
            }
        }
        guard !candidates.isEmpty else { return nil }
        let content =
            if let known = prepared.content { known } else {
                try digest(of: prepared.files, name: prepared.definition.path.rawValue, context: context)
            }
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

extension PreparedLayer {
    fileprivate func form(level: Int) -> BlobForm {
        BlobForm(path: definition.path, isTree: files.isTree, level: level)
    }
}

extension LayerContent {
    fileprivate init(of layer: Manifest.Layer) {
        self.init(blake3: layer.blake3, fileCount: layer.fileCount, byteCount: layer.byteCount)
    }
}
