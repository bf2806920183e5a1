import Blobs
import Diagnostics
import DurableFiles
import MapLayers
import Parallel
import TerritoryModel

/// Cuts one layer after the other for all regions at once: what must be read or unpacked is so once.
struct LayerCutting {
    let source: CutSource
    let options: CutOptions
    /// False only counts, and writes nothing but work files.
    let isReal: Bool
    /// For layers that are unpacked whole before they are cut.
    let work: Directory
    let context: WorkContext

    func cut(_ layer: Manifest.Layer, for drafts: [RegionDraft]) throws(SnpackError) {
        if options.keptWhole.contains(layer.kind) {
            for draft in drafts { draft.add(.init(source: layer, content: .whole(layer))) }
            return
        }
        switch layer.kind {
        case .pmtiles: try cutMap(layer, drafts)
        case .valhallaTiles: try cutRoads(layer, drafts)
        case .geocodeIndex: try cutPlaces(layer, drafts)
        case .poiSidecar: try cutDatabases(layer, try source.unpack(layer, into: work, context: context), drafts)
        case .style: try pointStyle(layer, drafts)
        default:
            throw SnpackError(
                .cutUnsupported, "layer \(layer.kind) cannot be cut: its form is not known",
                hint: "give --keep-whole \(layer.kind) to take all of it, or --omit \(layer.kind)")
        }
    }

    // MARK: Map tiles

    /// Only the directories are read here; the tiles come out of the blob while they are packed.
    private func cutMap(_ layer: Manifest.Layer, _ drafts: [RegionDraft]) throws(SnpackError) {
        let archive = try PMTilesArchive(mapFile(layer))
        var rest = drafts.map { ($0.footprint, $0.box) }.makeIterator()
        var extracts: [PMTilesExtract?] = []
        try orderedPipeline(
            jobs: context.jobs, produce: { () throws(SnpackError) in rest.next() },
            transform: { footprint, box throws(SnpackError) in
                try PMTilesExtract(of: archive, in: footprint, box: box, maxZoom: options.maxZoom, context: context)
            }, consume: { extract throws(SnpackError) in extracts.append(extract) })
        for (draft, extract) in zip(drafts, extracts) {
            guard let extract else {
                draft.leaveOut(layer, context)
                continue
            }
            if extract.emptyEntryCount > 0 {
                context.report.warn(
                    SnpackError(
                        .cutUnsupported, "\(extract.emptyEntryCount) entries without content are left out",
                        path: layer.path.rawValue))
            }
            let file = extract.file(named: layer.isTree ? "map.pmtiles" : layer.path.rawValue)
            draft.add(
                .init(
                    source: layer, content: .cut(CutFiles(file, isTree: layer.isTree)), itemCount: extract.tileCount))
        }
    }

    /// The archive, in its blob; unpacked where it is a file in a tree.
    private func mapFile(_ layer: Manifest.Layer) throws(SnpackError) -> any RandomAccess {
        guard layer.isTree else { return try source.file(of: layer) }
        let tree = try source.unpack(layer, into: work, context: context)
        guard tree.files.count == 1, let file = tree.files.first else {
            throw SnpackError(
                .cutUnsupported, "layer \(layer.kind) is not one archive", hint: "give --omit \(layer.kind)")
        }
        return try tree.open(file)
    }

    /// Where a draft's files of a layer go: the tree's own directory, or the one that the file lies in.
    private func place(of layer: Manifest.Layer, in draft: RegionDraft) throws(SnpackError) -> Directory {
        layer.isTree ? try draft.work.contents.makeDirectory(layer.path.rawValue) : draft.work.contents
    }

    // MARK: Roads

    /// Each tile is unpacked once, for all regions that it belongs to.
    private func cutRoads(_ layer: Manifest.Layer, _ drafts: [RegionDraft]) throws(SnpackError) {
        let root = isReal ? try work.makeDirectory(layer.path.rawValue) : nil
        let sink = TileTreeSink(drafts.map(\.footprint), root: root)
        try source.read(layer, into: sink, context: context)
        let tree = isReal ? try FileTree(layer: layer.path.rawValue, in: work) : nil
        var draftsByTiles: [[String]: [RegionDraft]] = [:]
        for (draft, tiles) in zip(drafts, sink.tiles) {
            guard !tiles.paths.isEmpty else {
                draft.leaveOut(layer, context)
                continue
            }
            guard isReal else {
                let count = UInt64(tiles.paths.count)
                draft.add(
                    .init(
                        source: layer, content: .counted(fileCount: count, byteCount: tiles.byteCount),
                        itemCount: count))
                continue
            }
            draftsByTiles[tiles.paths, default: []].append(draft)
        }
        guard let tree else { return }
        for (paths, drafts) in draftsByTiles {
            let files = CutFiles(tree.keeping(Set(paths)))
            // Regions that lie close together may have the same tiles: then they have the same blob.
            let content =
                drafts.count > 1 ? try digest(of: files, name: layer.path.rawValue, context: context) : nil
            for draft in drafts {
                draft.add(
                    .init(
                        source: layer, content: .cut(files), itemCount: UInt64(paths.count), knownContent: content))
            }
        }
    }

    // MARK: Places

    private func cutPlaces(_ layer: Manifest.Layer, _ drafts: [RegionDraft]) throws(SnpackError) {
        if let path = options.places {
            let file = try OpenFile(reading: path)
            return try buildIndexes(
                layer, PlaceSubset.places(of: file, named: path, context: context), drafts, keepsRequirements: false)
        }
        let tree = try source.unpack(layer, into: work, context: context)
        switch try IndexForm(of: DiskLayer(tree)) {
        case .places(let path):
            let index = tree.isTree ? "\(tree.root)/\(path)" : tree.root
            try buildIndexes(
                layer, PlaceSubset.places(ofIndexAt: index, cancel: context.cancel), drafts, keepsRequirements: true)
        case .database: try cutDatabases(layer, tree, drafts)
        case .tantivy:
            throw SnpackError(
                .cutUnsupported, "layer \(layer.kind) is a Tantivy index, and cannot be cut",
                hint: "give --places FILE.ndjson to build one from the places in the area, or --omit \(layer.kind)")
        case .unknown:
            throw SnpackError(
                .cutUnsupported, "layer \(layer.kind) cannot be cut: its form is not known",
                hint: "give --keep-whole \(layer.kind) to take all of it, or --omit \(layer.kind)")
        }
    }

    private func buildIndexes(
        _ layer: Manifest.Layer, _ places: PlaceSubset.Places, _ drafts: [RegionDraft], keepsRequirements: Bool
    ) throws(SnpackError) {
        context.report.begin("cutting \(layer.kind)", byteCount: nil)
        defer { context.report.end() }
        let subsets = try PlaceSubset.all(of: places, in: drafts.map(\.footprint))
        let directories = try drafts.map { draft throws(SnpackError) in
            try draft.work.contents.makeDirectory(layer.path.rawValue)
        }
        let summaries = try PlaceSubset.build(subsets, of: places, in: directories, context: context)
        for (draft, summary) in zip(drafts, summaries) {
            guard let summary else {
                try draft.work.contents.removeTree(layer.path.rawValue)
                draft.leaveOut(layer, context)
                continue
            }
            draft.add(
                .init(
                    source: layer,
                    content: .cut(CutFiles(try FileTree(layer: layer.path.rawValue, in: draft.work.contents))),
                    itemCount: UInt64(summary.documentCount), keepsRequirements: keepsRequirements))
        }
    }

    // MARK: Databases

    private func cutDatabases(
        _ layer: Manifest.Layer, _ tree: FileTree, _ drafts: [RegionDraft]
    ) throws(SnpackError) {
        context.report.begin("cutting \(layer.kind)", byteCount: nil)
        defer { context.report.end() }
        var rest = try drafts.map { draft throws(SnpackError) in
            (draft.footprint, draft.work.contents, try place(of: layer, in: draft))
        }.makeIterator()
        var rowCounts: [Int64] = []
        try orderedPipeline(
            jobs: context.jobs, produce: { () throws(SnpackError) in rest.next() },
            transform: { footprint, work, directory throws(SnpackError) in
                try cutDatabases(layer, tree, in: footprint, work: work, into: directory)
            }, consume: { count throws(SnpackError) in rowCounts.append(count) })
        for (draft, rowCount) in zip(drafts, rowCounts) {
            guard rowCount > 0 else {
                try draft.work.contents.removeTree(layer.path.rawValue)
                draft.leaveOut(layer, context)
                continue
            }
            draft.add(
                .init(
                    source: layer,
                    content: .cut(CutFiles(try FileTree(layer: layer.path.rawValue, in: draft.work.contents))),
                    itemCount: UInt64(rowCount)))
        }
    }

    /// - Returns: the rows that were kept.
    private func cutDatabases(
        _ layer: Manifest.Layer, _ tree: FileTree, in footprint: AreaFootprint, work: Directory,
        into directory: Directory
    ) throws(SnpackError) -> Int64 {
        var rowCount: Int64 = 0
        for file in tree.files {
            let original = try tree.open(file)
            let (parent, name) = try Self.place(of: tree.isTree ? file.path : layer.path.rawValue, below: directory)
            guard try Self.isDatabase(original) else {
                try Self.copy(original, as: name, into: parent, context)
                continue
            }
            let copyName = "copy.sqlite"
            try Self.copy(original, as: copyName, into: work, context)
            rowCount += try DatabaseSubset.cut(
                work.path(of: copyName), in: footprint, of: layer.kind, to: name, in: parent, context: context)
            try work.remove(copyName)
        }
        return rowCount
    }

    private static func isDatabase(_ file: any RandomAccess) throws(SnpackError) -> Bool {
        guard file.byteCount >= UInt64(SQLiteFile.magic.count) else { return false }
        return try file.bytes(at: 0, count: SQLiteFile.magic.count) == SQLiteFile.magic
    }

    // MARK: Styles

    /// All regions share the files; each has style documents of its own.
    private func pointStyle(_ layer: Manifest.Layer, _ drafts: [RegionDraft]) throws(SnpackError) {
        let tree = try source.unpack(layer, into: work, context: context)
        let documents = try tree.files.filter { StyleCheck.documentNames.contains($0.path) }.map {
            file throws(SnpackError) in (path: file.path, bytes: try tree.open(file).allBytes(limit: 16 << 20))
        }
        for draft in drafts {
            var pointed: [String: any RandomAccess] = [:]
            for document in documents {
                pointed[document.path] = MemoryFile(
                    try StyleSubset.document(document.bytes, in: draft.box), name: document.path)
            }
            draft.add(.init(source: layer, content: .cut(CutFiles(tree, replacing: pointed))))
        }
    }

    // MARK: Files

    /// The directory of a path in a tree, made where it is missing, and the file's own name.
    private static func place(
        of path: String, below root: Directory
    ) throws(SnpackError) -> (directory: Directory, name: String) {
        var segments = path.split(separator: "/")
        let name = segments.popLast().map(String.init) ?? path
        return (try root.directory(at: segments.joined(separator: "/"), creating: 0o755), name)
    }

    private static func copy(
        _ file: any RandomAccess, as name: String, into directory: Directory, _ context: WorkContext
    ) throws(SnpackError) {
        let copy = try NewFile(name, in: directory, mode: 0o644)
        try file.readPieces(cancel: context.cancel) { piece, _ throws(SnpackError) in
            try copy.write(UnsafeRawBufferPointer(piece))
        }
        try copy.close(flushing: false)
    }
}

private enum SQLiteFile {
    static let magic = Array("SQLite format 3\0".utf8)
}
