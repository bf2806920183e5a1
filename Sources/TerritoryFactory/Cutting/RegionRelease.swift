import Blobs
import Diagnostics
import DurableFiles
import Hashing
import MapLayers
import TerritoryModel
import TerritoryPackage

/// Makes the unsigned release of a region whose layers are cut.
struct RegionRelease: Sendable {
    private let id: TerritoryID
    private let request: RegionRequest
    private let box: BoundingBox
    private let cutLayers: [RegionDraft.Layer]
    private let source: CutSource
    private let options: CutOptions
    private let blobs: BatchBlobs?
    private let context: WorkContext

    init(
        _ draft: RegionDraft, of source: CutSource, _ options: CutOptions, sharing blobs: BatchBlobs?,
        _ context: WorkContext
    ) {
        self.blobs = blobs
        id = draft.id
        request = draft.request
        box = draft.box
        cutLayers = draft.layers
        self.source = source
        self.options = options
        self.context = context
    }

    /// Throws for an outline that no manifest has room for, before anything is cut.
    func checkOutline() throws(SnpackError) {
        let region = JSONValue.object(["region": .object(["area": request.area.geoJSON])])
        let byteCount = region.canonicalBytes.count + source.manifest.canonicalBytes.count
        guard byteCount > Limits.manifestBytes else { return }
        throw SnpackError(
            .areaInvalid,
            "the outline of \(quoted(request.name.rawValue)) makes a manifest of \(byteCount) bytes; readers take "
                + "\(Limits.manifestBytes)", hint: "simplify the outline")
    }

    /// - Parameter output: where the region's directory is, or is made. Of a region that fails nothing stays.
    func write(into output: Directory) throws(SnpackError) -> RegionCutter.Outcome {
        let prepared = try checked()
        let territory = try output.directory(id.rawValue, creating: 0o755)
        do throws(SnpackError) {
            try territory.removeLeftovers()
            return try write(prepared, into: territory)
        } catch {
            try? output.removeEmptyDirectory(id.rawValue)
            throw error
        }
    }

    private func write(
        _ prepared: [PreparedLayer], into territory: Directory
    ) throws(SnpackError) -> RegionCutter.Outcome {
        let staging = try territory.makeStagingDirectory()
        let bases = options.patchBases.filter { $0.manifest.territoryID == id }
        let packing = LayerPacking(
            into: staging.contents, reuse: bases, patchingFrom: bases, batch: blobs, context: context)
        context.report.begin("packing \(id)", byteCount: prepared.reduce(0) { $0 &+ $1.files.contentByteCount })
        let packed = try prepared.map { layer throws(SnpackError) in
            try packing.pack(layer, level: layer.definition.level ?? options.level)
        }
        var layers = packed.map(\.layer)
        for case .whole(let layer) in cutLayers.map(\.content) {
            layers.append(try copy(layer, into: staging.contents))
        }
        context.report.end()
        let manifest = try manifest(layers)
        try staging.contents.write(manifest.canonicalBytes, to: PackageFile.manifest)
        let isUnchanged = try staging.promote(asReleaseIn: territory, manifest)
        packing.share(packed, of: prepared, in: try territory.directory(manifest.version.rawValue))
        return RegionCutter.Outcome(
            path: territory.path(of: manifest.version.rawValue), manifest: manifest, isUnchanged: isUnchanged)
    }

    private func manifest(_ layers: [Manifest.Layer]) throws(SnpackError) -> Manifest {
        let country = source.manifest
        return try Manifest(
            territoryID: id, version: options.version ?? country.version, displayName: request.name,
            dataTimestamp: country.dataTimestamp, boundingBox: box, attribution: country.attribution,
            layers: layers,
            region: Manifest.Region(
                sourceTerritoryID: country.territoryID, sourceVersion: country.version,
                sourceManifestBlake3: source.verified.blake3, area: request.area),
            provenance: ["tool": .string(options.tool)])
    }

    // MARK: Layers

    /// The cut layers, each checked as a layer of its kind is, and against each other.
    private func checked() throws(SnpackError) -> [PreparedLayer] {
        // What was allowed when the country was built is in the region as it was there.
        var allowed = AllowedChecks(
            source.manifest.provenance?["allowed"]?.stringValue?.split(separator: " ").map(String.init) ?? [])
        var faults = FaultList()
        var prepared: [PreparedLayer] = []
        for layer in cutLayers {
            guard case .cut(let files) = layer.content else { continue }
            let kind = layer.source.kind
            let facts = try LayerCheck.facts(of: kind, in: files, subset: true, context: context)
            faults.add(contentsOf: allowed.split(facts.faults).faults)
            prepared.append(
                PreparedLayer(
                    definition: TerritoryDefinition.Layer(
                        kind: kind, source: files.name, path: layer.source.path,
                        requires: layer.keepsRequirements ? layer.source.requires : EngineRequirements(), level: nil),
                    files: files, facts: facts, content: layer.knownContent))
        }
        if faults.isEmpty {
            let across = prepared.map { layer in
                var facts = layer.facts
                // That a layer lies in the area is what it was cut by.
                facts.coverage = nil
                return (kind: layer.definition.kind, facts: facts)
            }
            let isAlone = cutLayers.allSatisfy { $0.source.kind == .style }
            guard !isAlone else {
                throw SnpackError(
                    .cutOutside,
                    "no layer of \(source.manifest.name) has anything in \(quoted(request.name.rawValue))",
                    hint: "does the area lie in the country?")
            }
            let (found, _) = PackageCheck.faults(box: box, layers: across)
            for fault in allowed.split(found).faults.faults where fault.code != .packageNoArea { faults.add(fault) }
        }
        try faults.throwIfAny("\(quoted(request.name.rawValue)) is not fit to be packed")
        return prepared
    }

    /// Takes a layer's blob over as it is, by a link where the file systems can, proven by its signed BLAKE3.
    private func copy(_ layer: Manifest.Layer, into release: Directory) throws(SnpackError) -> Manifest.Layer {
        let target = try release.directory(at: layer.directory, creating: 0o755)
        let blob = try source.blob(layer)
        try BlobReader(blob, layer: layer).checkSize()
        let blake3: Blake3Digest
        if let place = try source.directory(of: layer) {
            try place.placeFile(layer.blob.file, in: target)
            blake3 = try Blake3Digest.of(target.file(layer.blob.file), cancel: context.cancel)
        } else {
            let file = try StagedFile(in: target)
            blake3 = try file.write(copyOf: blob, cancel: context.cancel)
            try file.commit(as: layer.blob.file, replacing: true)
        }
        guard blake3 == layer.blob.blake3 else {
            throw SnpackError(.blobMismatch, "it does not have the signed BLAKE3", path: blob.name)
        }
        try target.sync()
        return try Manifest.Layer(
            kind: layer.kind, path: layer.path, isTree: layer.isTree, fileCount: layer.fileCount,
            byteCount: layer.byteCount, blake3: layer.blake3, blob: layer.blob, requires: layer.requires,
            meta: layer.meta)
    }
}
