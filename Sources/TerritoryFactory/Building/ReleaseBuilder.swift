import Blobs
package import Diagnostics
package import DurableFiles
import MapLayers
package import TerritoryModel
import TerritoryPackage

/// Builds an unsigned release out of a definition: checks the layers, packs them, writes the manifest.
///
/// The result depends on the layers' content, the definition, the version and the options; not on where, when, by whom
/// or on how many cores it is built. It appears whole under its name, or not at all.
package struct ReleaseBuilder: Sendable {
    package struct Options: Sendable {
        package var version: TerritoryVersion
        package var dataTimestamp: Timestamp?
        /// The directory below which `<id>/<version>/` is written.
        package var output = "build"
        package var level = FrameEncoder.defaultLevel
        package var allowed = AllowedChecks([])
        /// Packages whose blobs are linked where a layer has the same content.
        package var reuse: [ReusableRelease] = []
        /// Releases whose layers patches start from.
        package var patchBases: [ReusableRelease] = []
        /// What made the release, for its provenance: `snpack 1.0.0`.
        package var tool: String
        /// Where to keep, and look for, what builds find out; nil to do everything anew.
        package var cache: BuildCache.Place?
        package var disk: any Disk = SystemDisk()

        package init(version: TerritoryVersion, tool: String) {
            self.version = version
            self.tool = tool
        }
    }

    package struct Outcome: Sendable {
        package let path: String
        package let manifest: Manifest
        /// Kinds whose blobs were linked and not packed.
        package let reused: [LayerKind]
        /// True when the same release was there already.
        package let isUnchanged: Bool
    }

    private let definition: TerritoryDefinition
    private let options: Options
    private let context: WorkContext

    package init(_ definition: TerritoryDefinition, options: Options, context: WorkContext) {
        self.definition = definition
        self.options = options
        self.context = context
    }

    package func build() throws(SnpackError) -> Outcome {
        guard let timestamp = options.dataTimestamp ?? definition.dataTimestamp else {
            throw SnpackError(
                .definitionInvalid, "nothing says when the data is from",
                hint: "give --data-timestamp, or \"data_timestamp\" in the definition: the OSM snapshot's time")
        }
        try checkOutputIsApart()
        let output = try Directory.create(options.output, disk: options.disk)
        do throws(SnpackError) {
            return try build(in: output.directory(definition.id.rawValue, creating: 0o755), timestamp)
        } catch {
            // A territory's directory that holds no release is nothing to leave behind.
            try? output.removeEmptyDirectory(definition.id.rawValue)
            throw error
        }
    }

    private func build(in territory: Directory, _ timestamp: Timestamp) throws(SnpackError) -> Outcome {
        try territory.removeLeftovers()
        let work = try territory.makeStagingDirectory(mode: 0o700)
        // What is converted lies there until it is packed.
        defer { withExtendedLifetime(work) {} }
        var options = options
        let cache = options.cache.map { BuildCache(at: $0, context: context) }
        let layers = try prepare(in: work.contents, cache, allowed: &options.allowed)
        let box = try boundingBox(layers)

        let staging = try territory.makeStagingDirectory()
        let packing = LayerPacking(
            into: staging.contents, reuse: options.reuse, patchingFrom: options.patchBases, cache: cache,
            context: context)
        context.report.begin("packing", byteCount: layers.reduce(0) { $0 &+ $1.files.contentByteCount })
        let packed = try layers.map { layer throws(SnpackError) in
            try packing.pack(layer, level: layer.definition.level ?? options.level)
        }
        context.report.end()
        let manifest = try Manifest(
            territoryID: definition.id, version: options.version,
            displayName: definition.displayName, dataTimestamp: timestamp, boundingBox: box,
            attribution: definition.attribution, layers: packed.map(\.layer), provenance: provenance(options.allowed))
        try staging.contents.write(manifest.canonicalBytes, to: PackageFile.manifest)
        let name = options.version.rawValue
        let isUnchanged = try staging.promote(asReleaseIn: territory, manifest)
        if let cache {
            packing.remember(packed, of: layers, in: try territory.directory(name))
            cache.save()
        }
        return Outcome(
            path: territory.path(of: name), manifest: manifest,
            reused: packed.filter(\.isReused).map(\.layer.kind), isUnchanged: isUnchanged)
    }

    // MARK: - Steps

    private func prepare(
        in work: Directory, _ cache: BuildCache?, allowed: inout AllowedChecks
    ) throws(SnpackError) -> [PreparedLayer] {
        var preparation = LayerPreparation(work: work, cache: cache, context: context)
        var layers: [PreparedLayer] = []
        for layer in definition.layers {
            if let prepared = try preparation.prepare(layer) { layers.append(prepared) }
        }
        var faults = preparation.faults
        for layer in layers {
            let (kept, warnings) = allowed.split(layer.facts.faults)
            faults.add(contentsOf: kept)
            for warning in layer.facts.warnings + warnings { context.report.warn(warning) }
        }
        // Across layers only once each stands for itself: what follows from a fault is no news.
        if faults.isEmpty {
            let box = try boundingBox(layers)
            let across = PackageCheck.faults(
                box: box, layers: layers.map { (kind: $0.definition.kind, facts: $0.facts) })
            let (kept, warnings) = allowed.split(across.faults)
            faults.add(contentsOf: kept)
            for warning in across.warnings + warnings { context.report.warn(warning) }
        }
        try faults.throwIfAny("\(definition.id) is not fit to be packed")
        return layers
    }

    private func boundingBox(_ layers: [PreparedLayer]) throws(SnpackError) -> BoundingBox {
        if let box = definition.bbox { return box }
        let archive = layers.first { $0.definition.kind == .pmtiles }
        guard let box = archive?.facts.statedBounds else {
            throw SnpackError(
                .definitionInvalid, "nothing says what area it covers",
                hint: "give \"bbox\": [west, south, east, north], or a PMTiles archive with bounds")
        }
        return box
    }

    private func provenance(_ allowed: AllowedChecks) -> JSONObject {
        var texts: JSONObject = ["tool": .string(options.tool)]
        if !allowed.used.isEmpty { texts["allowed"] = .string(allowed.used.sorted().joined(separator: " ")) }
        for (key, text) in definition.provenance { texts[key] = .string(text) }
        return texts
    }

    /// An output within a layer would be packed into the next release.
    private func checkOutputIsApart() throws(SnpackError) {
        for layer in definition.layers where RealPath.lies(options.output, in: layer.source) {
            throw SnpackError(
                .outputInLayer, "the output lies within the source of layer \(layer.kind)",
                hint: "give --out a directory elsewhere", path: options.output)
        }
    }
}

extension LayerFacts {
    /// The box that the layer itself states.
    fileprivate var statedBounds: BoundingBox? {
        let edges = meta["bounds"]?.arrayValue?.compactMap(\.numberValue?.double) ?? []
        guard edges.count == 4 else { return nil }
        return try? BoundingBox(west: edges[0], south: edges[1], east: edges[2], north: edges[3])
    }
}
