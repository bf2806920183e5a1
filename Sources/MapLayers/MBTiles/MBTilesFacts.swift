import Diagnostics
import TerritoryModel

/// What an MBTiles database tells before it is converted.
enum MBTilesFacts {
    /// - Throws: only when the file cannot be read or the work is cancelled; faults are in what is returned.
    static func facts(of path: String, context: WorkContext) throws(SnpackError) -> LayerFacts {
        var facts = LayerFacts()
        do throws(SnpackError) {
            let file = try MBTilesFile(path, context: context)
            let metadata = try MBTilesMetadata(file.metadata)
            describe(file, metadata, &facts)
        } catch {
            switch error.code.exitStatus {
            case .localIO, .interrupted, .conflict: throw error
            default: facts.faults.add(error.at(path))
            }
        }
        return facts
    }

    private static func describe(_ file: MBTilesFile, _ metadata: MBTilesMetadata, _ facts: inout LayerFacts) {
        var counts: [Int: Int] = [:]
        for zoom in file.keys.lazy.compactMap({ TileAddress(id: $0.id)?.zoom }) { counts[zoom, default: 0] += 1 }
        let zooms = counts.keys.sorted()
        if let first = zooms.first, let last = zooms.last {
            facts.meta["min_zoom"] = .number(JSONNumber(Int64(first)))
            facts.meta["max_zoom"] = .number(JSONNumber(Int64(last)))
        }
        facts.meta["tiles"] = .number(JSONNumber(Int64(file.keys.count)))
        if let type = metadata.tileType { facts.meta["tile_type"] = .string(type.description) }
        if let bounds = metadata.bounds {
            facts.meta["bounds"] = .array(bounds.degrees.compactMap(JSONNumber.init).map(JSONValue.number))
        }
        let layers = metadata.document["vector_layers"]?.arrayValue?.compactMap { $0.objectValue?["id"]?.stringValue }
        if let layers { facts.meta["vector_layers"] = .array(layers.map(JSONValue.string)) }
        facts.vectorLayers = layers
        facts.tables.append(
            FactTable(
                "Tiles by zoom", columns: ["zoom", "tiles"], rows: zooms.map { ["\($0)", "\(counts[$0] ?? 0)"] }))
    }
}
