import Blobs
package import Diagnostics
import DurableFiles
import MapLayers
import Parallel
package import TerritoryModel
import TerritoryPackage

/// Cuts regions out of one version of a country: all layers of all regions in one pass over the source.
///
/// Each region appears as an unsigned release under its name, whole, or not at all. The same source, area and options
/// give the same bytes.
package struct RegionCutter: Sendable {
    package struct Outcome: Sendable {
        package let path: String
        package let manifest: Manifest
        /// True when the same release was there already, signed.
        package let isUnchanged: Bool
    }

    /// What a layer of a region would be.
    package struct LayerEstimate: Sendable {
        package let kind: LayerKind
        package let fileCount: UInt64
        package let byteCount: UInt64
        /// Tiles or rows, where the kind has them.
        package let itemCount: UInt64?
    }

    private let source: CutSource
    private let options: CutOptions
    private let context: WorkContext

    /// - Throws: `cut.option` for an option that does not fit the source.
    package init(_ source: CutSource, options: CutOptions, context: WorkContext) throws(SnpackError) {
        self.source = source
        self.options = options
        self.context = context
        let manifest = source.manifest
        if let version = options.version, version < manifest.version {
            throw SnpackError(
                .cutOption, "version \(version) is below the source's \(manifest.version)",
                hint: "a region's version is its source's or a greater one")
        }
        for kind in options.omitted.union(options.keptWhole).sorted() where manifest[kind] == nil {
            throw SnpackError(
                .cutOption, "\(manifest.name) has no layer \(kind)",
                hint: "it has \(manifest.layers.map(\.kind.rawValue).joined(separator: ", "))")
        }
        if options.places != nil, manifest[.geocodeIndex] == nil {
            throw SnpackError(.cutOption, "\(manifest.name) has no layer \(LayerKind.geocodeIndex) to build")
        }
    }

    /// Cuts the regions. No two may have the same area.
    package func cut(_ requests: [RegionRequest]) throws(SnpackError) -> [Outcome] {
        try check(requests)
        try checkOutputIsApart()
        let output = try Directory.create(options.output, disk: options.disk)
        try output.removeLeftovers()
        let shared = try output.makeStagingDirectory(mode: 0o700)
        let drafts = try requests.map { request throws(SnpackError) in
            let draft = try RegionDraft(request, of: source.manifest, workingIn: shared.contents)
            try RegionRelease(draft, of: source, options, sharing: nil, context).checkOutline()
            return draft
        }
        // The layers' files are there for as long as these are.
        defer { withExtendedLifetime((shared, drafts)) {} }
        try cutLayers(drafts, work: shared.contents, isReal: true)
        let blobs = BatchBlobs()
        let outcomes = try write(
            drafts.map { RegionRelease($0, of: source, options, sharing: blobs, single(drafts.count)) }, to: output)
        try output.sync()
        return outcomes
    }

    /// Regions made at once for each core: most of the time of a small one is spent on waiting for the disk to flush.
    private static let regionsPerCore = 3

    /// Several regions are made side by side, one core each; a single one gets all cores.
    private func single(_ count: Int) -> WorkContext {
        count < 2 ? context : WorkContext(jobs: 1, cancel: context.cancel, report: context.report)
    }

    private func write(_ releases: [RegionRelease], to output: Directory) throws(SnpackError) -> [Outcome] {
        var outcomes: [Outcome] = []
        var rest = releases.makeIterator()
        try orderedPipeline(
            jobs: context.jobs < 2 ? 1 : context.jobs * Self.regionsPerCore,
            produce: { () throws(SnpackError) in rest.next() },
            transform: { release throws(SnpackError) in try release.write(into: output) },
            consume: { outcome throws(SnpackError) in outcomes.append(outcome) })
        return outcomes
    }

    /// What cutting the regions would give, with nothing written but work files in `scratch`, which are removed.
    package func estimate(
        _ requests: [RegionRequest], scratch: String
    ) throws(SnpackError) -> [(id: TerritoryID, layers: [LayerEstimate])] {
        try check(requests)
        let shared = try Directory.open(scratch).makeStagingDirectory(mode: 0o700)
        let drafts = try requests.map { request throws(SnpackError) in
            try RegionDraft(request, of: source.manifest, workingIn: shared.contents)
        }
        defer { withExtendedLifetime((shared, drafts)) {} }
        try cutLayers(drafts, work: shared.contents, isReal: false)
        return drafts.map { draft in
            let layers = draft.layers.map { layer in
                let (files, bytes) =
                    switch layer.content {
                    case .cut(let files): (UInt64(files.files.count), files.contentByteCount)
                    case .whole(let whole): (whole.fileCount, whole.byteCount)
                    case .counted(let fileCount, let byteCount): (fileCount, byteCount)
                    }
                return LayerEstimate(
                    kind: layer.source.kind, fileCount: files, byteCount: bytes, itemCount: layer.itemCount)
            }
            return (draft.id, layers)
        }
    }

    private func check(_ requests: [RegionRequest]) throws(SnpackError) {
        var names: [TerritoryID: String] = [:]
        for request in requests {
            try request.check(against: source.manifest)
            let id = request.area.territoryID(cutFrom: source.manifest.territoryID)
            if let other = names.updateValue(request.name.rawValue, forKey: id) {
                throw SnpackError(
                    .cutOption, "\(quoted(other)) and \(quoted(request.name.rawValue)) are the same area")
            }
        }
    }

    private func checkOutputIsApart() throws(SnpackError) {
        guard let output = RealPath.ofFuture(options.output), let place = RealPath.of(source.package.shownPath),
            "\(output)/".utf8.starts(with: "\(place)/".utf8)
        else { return }
        throw SnpackError(
            .cutOption, "the output lies within what is cut", hint: "give --out a directory elsewhere",
            path: options.output)
    }

    private func cutLayers(_ drafts: [RegionDraft], work: Directory, isReal: Bool) throws(SnpackError) {
        let cutting = LayerCutting(source: source, options: options, isReal: isReal, work: work, context: context)
        for layer in source.manifest.layers where !options.omitted.contains(layer.kind) {
            try context.cancel.check()
            do throws(SnpackError) { try cutting.cut(layer, for: drafts) } catch {
                throw error.path == nil ? error.at(source.package.shownPath) : error
            }
        }
    }
}
