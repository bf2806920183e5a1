package import Diagnostics
import TerritoryModel

/// Tells what an MBTiles database holds, and what would be wrong with the archive made of it, without making one.
package enum MBTilesCheck {
    /// - Throws: only when the file cannot be read or the work is cancelled; faults are in what is returned.
    package static func check(_ path: String, context: WorkContext) throws(SnpackError) -> LayerFacts {
        var facts = LayerFacts()
        do throws(SnpackError) {
            let file = try MBTilesFile(path, context: context)
            guard let first = file.keys.first else { throw SnpackError(.pmtilesNoTiles, "the database has no tiles") }
            let metadata = try MBTilesMetadata(file.metadata)
            let type: PMTilesTileType
            if let told = metadata.tileType { type = told } else { type = .detected(in: try file.tile(first)) }
            try facts.describe(file, metadata, type, context)
        } catch {
            if [.localIO, .interrupted, .conflict].contains(error.code.exitStatus) { throw error }
            for fault in error.details.isEmpty ? [error] : error.details { facts.faults.add(fault.at(path)) }
        }
        return facts
    }
}

extension LayerFacts {
    fileprivate mutating func describe(
        _ file: MBTilesFile, _ metadata: MBTilesMetadata, _ type: PMTilesTileType, _ context: WorkContext
    ) throws(SnpackError) {
        let tiles = try MBTilesContents(of: file, type: type, context: context)
        for fault in tiles.faults.faults { faults.add(fault.at(file.path)) }
        let used = tiles.coverage.filter { $0.tileCount > 0 }
        let rows = used.map { [String($0.zoom), String($0.tileCount), String(tiles.byteCounts[$0.zoom])] }
        tables.append(FactTable("Tiles by zoom", columns: ["zoom", "tiles", "bytes"], rows: rows))
        if let lowest = used.first, let highest = used.last {
            meta["min_zoom"] = .number(JSONNumber(Int64(lowest.zoom)))
            meta["max_zoom"] = .number(JSONNumber(Int64(highest.zoom)))
            coverage = highest.box(within: metadata.bounds)
        }
        meta["tile_type"] = .string(type.description)
        meta["addressed_tiles"] = .number(JSONNumber(Int64(file.keys.count)))
        if let bounds = metadata.bounds {
            meta["bounds"] = .array(bounds.degrees.compactMap(JSONNumber.init).map(JSONValue.number))
        } else {
            warnings.append(SnpackError(.mbtilesBounds, "the metadata has no usable bounds", path: file.path))
        }
        let check = PMTilesMetadataCheck(metadata.document, tileType: type)
        for fault in check.faults { faults.add(fault.at(file.path)) }
        warnings += check.warnings.map { $0.at(file.path) }
        vectorLayers = check.vectorLayers
        meta["vector_layers"] = check.vectorLayers.map { .array($0.map(JSONValue.string)) }
    }
}
