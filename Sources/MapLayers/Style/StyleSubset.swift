package import Diagnostics
package import TerritoryModel

/// Points a style at an area: where a map opens, and how far it goes.
package enum StyleSubset {
    /// Points across which a map is thought to be when it opens.
    private static let viewSize = 512.0
    private static let zoomRange = 0.0...16.0

    /// The style document with `center`, `zoom` and `bounds` set; its sources' own `bounds`, where they have them, too.
    ///
    /// - Throws: `style.document` when the bytes are no JSON object.
    package static func document(_ bytes: [UInt8], in box: BoundingBox) throws(SnpackError) -> [UInt8] {
        guard var root = try StrictJSON.parse(bytes, depthLimit: StyleDocument.depthLimit).objectValue else {
            throw SnpackError(.styleDocument, "it is no JSON object")
        }
        // Over the antimeridian MapLibre goes on beyond 180.
        let east = box.crossesAntimeridian ? box.east + 360 : box.east
        let bounds = numbers([box.west, box.south, east, box.north])
        let middle = (box.west + east) / 2
        root["center"] = numbers([middle > 180 ? middle - 360 : middle, centerLatitude(box)])
        root["zoom"] = number(zoom(box, east))
        root["bounds"] = bounds
        if var sources = root["sources"]?.objectValue {
            for (name, source) in sources.members {
                guard var source = source.objectValue, source["bounds"] != nil else { continue }
                source["bounds"] = bounds
                sources[name] = .object(source)
            }
            root["sources"] = .object(sources)
        }
        return JSONValue.object(root).canonicalBytes
    }

    /// The middle as the map shows it.
    private static func centerLatitude(_ box: BoundingBox) -> Double {
        let middle = (WebMercator.y(ofLatitude: box.south) + WebMercator.y(ofLatitude: box.north)) / 2
        return min(max(WebMercator.latitude(ofY: middle), box.south), box.north)
    }

    /// The zoom at which the box fits, in hundredths, downward.
    private static func zoom(_ box: BoundingBox, _ east: Double) -> Double {
        let width = (east - box.west) / 360
        let height = WebMercator.y(ofLatitude: box.south) - WebMercator.y(ofLatitude: box.north)
        var zoom = zoomRange.upperBound
        while zoom > zoomRange.lowerBound, max(width, height) * Self.scale(zoom) > viewSize { zoom -= 0.25 }
        return max(zoom, zoomRange.lowerBound)
    }

    /// Points around the world at a zoom.
    private static func scale(_ zoom: Double) -> Double { 512 * WebMercator.power(ofTwo: zoom) }

    private static func numbers(_ values: [Double]) -> JSONValue { .array(values.map(number)) }

    /// At most 7 decimals.
    private static func number(_ value: Double) -> JSONValue {
        .number(JSONNumber((value * 1e7).rounded() / 1e7) ?? JSONNumber(Int64(0)))
    }
}
