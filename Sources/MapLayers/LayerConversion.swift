package import Diagnostics
package import DurableFiles
package import TerritoryModel

/// Makes layers of what people have: places as JSON lines, MBTiles databases, tar archives of routing tiles.
package enum LayerConversion {
    /// True when `source` is not the layer itself but what one is made of, as its name says.
    package static func isNeeded(for kind: LayerKind, source: String) -> Bool { converter(kind, source) != nil }

    /// Makes the layer in `directory`, flushed, and gives back where it lies.
    ///
    /// - Parameter directory: an empty directory in the making. When this throws, what is in it is of no use.
    package static func convert(
        _ kind: LayerKind, source: String, into directory: Directory, context: WorkContext
    ) throws(SnpackError) -> String {
        switch converter(kind, source) {
        case .tilesTar:
            let outcome = try ValhallaTarUnpack.unpack(source, into: directory, context: context)
            for warning in outcome.warnings { context.report.warn(warning) }
            return directory.path
        case .mbtiles:
            let name = "map.pmtiles"
            try MBTilesConversion.convert(
                from: source, to: name, in: directory, replacing: false, context: context)
            return directory.path(of: name)
        case .places:
            let builder = try PlaceIndexBuilder(in: directory, context: context)
            try builder.add(contentsOf: try OpenFile(reading: source), named: source)
            _ = try builder.finish()
            return directory.path
        case nil: return source
        }
    }

    private enum Converter { case tilesTar, mbtiles, places }

    private static func converter(_ kind: LayerKind, _ source: String) -> Converter? {
        switch kind {
        case .valhallaTiles where source.hasSuffix(".tar"): .tilesTar
        case .pmtiles where source.hasSuffix(".mbtiles"): .mbtiles
        case .geocodeIndex where source.hasSuffix(".ndjson"): .places
        default: nil
        }
    }
}
