import Database
package import Diagnostics
import DurableFiles
package import TerritoryModel

/// What a file or directory is that might be a layer or a part of one, and its facts.
package struct LayerInspection: Sendable {
    /// For people: `Valhalla tile tree`.
    package let what: String
    /// The kind of layer that it is or becomes; nil for a part of one.
    package let kind: LayerKind?
    package let facts: LayerFacts

    /// Looks at the content, not at names alone. Nil for what no layer is made of.
    package static func of(_ source: any LayerSource, context: WorkContext) throws(SnpackError) -> LayerInspection? {
        if let kind = try treeKind(of: source, context) {
            return LayerInspection(
                what: names[kind] ?? kind.rawValue, kind: kind,
                facts: try LayerCheck.facts(of: kind, in: source, context: context))
        }
        guard source.files.count == 1, let file = source.files.first else { return nil }
        return try single(file, in: source, context)
    }

    private static let names: [LayerKind: String] = [
        .valhallaTiles: "Valhalla tile tree", .pmtiles: "PMTiles archive", .geocodeIndex: "search index",
        .style: "map style", .poiSidecar: "POI database",
    ]

    // MARK: Directories

    private static func treeKind(
        of source: any LayerSource, _ context: WorkContext
    ) throws(SnpackError) -> LayerKind? {
        guard source.isTree else { return nil }
        let paths = source.files.map(\.path)
        if paths.contains(where: { ValhallaTileID(path: $0.utf8) != nil }) || paths.contains("tile_manifest.json") {
            return .valhallaTiles
        }
        if paths.contains(where: StyleCheck.documentNames.contains) { return .style }
        let databases = try DatabaseCheck.databases(in: source)
        if let first = databases.first { return databaseKind(of: first, in: source, context) }
        return paths.contains("meta.json") ? .geocodeIndex : nil
    }

    /// A database with a full-text table is an index; one that cannot be read is checked as the simplest kind.
    private static func databaseKind(of file: LayerSourceFile, in source: any LayerSource, _ context: WorkContext)
        -> LayerKind
    {
        do throws(SnpackError) {
            let database = try DatabaseCheck.open(file, in: source, cancel: context.cancel)
            return try TextTable.all(in: database).contains(where: \.isFullText) ? .geocodeIndex : .poiSidecar
        } catch { return .poiSidecar }
    }

    // MARK: Files

    private static func single(
        _ file: LayerSourceFile, in source: any LayerSource, _ context: WorkContext
    ) throws(SnpackError) -> LayerInspection? {
        let path = source.shownPath(of: file)
        let open = try source.open(file)
        let head = try open.bytes(at: 0, count: Int(min(open.byteCount, 512)))
        func whole(_ kind: LayerKind) throws(SnpackError) -> LayerInspection {
            let facts = try LayerCheck.facts(of: kind, in: source, context: context)
            return LayerInspection(what: names[kind] ?? kind.rawValue, kind: kind, facts: facts)
        }
        if head.starts(with: "PMTiles".utf8) || file.path.hasSuffix(".pmtiles") { return try whole(.pmtiles) }
        if head.starts(with: DatabaseHeader.magic) {
            if let disk = source.diskPath(of: file), file.path.hasSuffix(".mbtiles") {
                let facts = try MBTilesCheck.check(disk, context: context)
                return LayerInspection(what: "MBTiles database", kind: .pmtiles, facts: facts)
            }
            return try whole(databaseKind(of: file, in: source, context))
        }
        if file.path.hasSuffix(".gph") {
            let facts = try ValhallaCheck.facts(ofTile: open, path: path)
            return LayerInspection(what: "Valhalla tile", kind: nil, facts: facts)
        }
        if head.count == 512, head[257..<262].elementsEqual("ustar".utf8), file.path.hasSuffix(".tar") {
            let facts = try ValhallaTarUnpack.facts(of: open, context: context)
            return LayerInspection(what: "archive of Valhalla tiles", kind: .valhallaTiles, facts: facts)
        }
        if file.path.hasSuffix(".json"), open.byteCount <= UInt64(StyleDocument.byteLimit) {
            let facts = try StyleCheck.facts(ofDocument: open, path: path)
            return LayerInspection(what: "style document", kind: nil, facts: facts)
        }
        return nil
    }
}
