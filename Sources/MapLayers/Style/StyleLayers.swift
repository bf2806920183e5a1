import Diagnostics
import TerritoryModel

/// The layers of a style document: each has an id of its own, a known type, and a source that fits.
struct StyleLayers {
    struct Layer {
        let id: String
        /// `layers[3]`
        let place: String
        let type: String
        let layout: JSONObject
        let paint: JSONObject
    }

    private(set) var layers: [Layer] = []
    private(set) var sourceLayers: [(name: String, layer: String)] = []

    /// The kinds of source that a layer type draws; none for those that need no source.
    private static let sourceTypes: [String: [String]] = [
        "background": [], "location-indicator": [], "fill": ["vector", "geojson"], "line": ["vector", "geojson"],
        "symbol": ["vector", "geojson"], "circle": ["vector", "geojson"], "heatmap": ["vector", "geojson"],
        "fill-extrusion": ["vector", "geojson"], "raster": ["raster", "image", "video"], "hillshade": ["raster-dem"],
        "color-relief": ["raster-dem"],
    ]

    init(_ values: [JSONValue], sourceTypes: [[UInt8]: String], _ findings: inout StyleFindings) {
        var ids: Set<[UInt8]> = []
        let referable = Dictionary(
            values.compactMap { value in
                value.objectValue.flatMap { object in object["id"]?.stringValue.map { (Array($0.utf8), object) } }
            }, uniquingKeysWith: { first, _ in first })
        for (index, value) in values.enumerated() {
            let place = "layers[\(index)]"
            guard var object = value.objectValue, let id = object["id"]?.stringValue, !id.isEmpty else {
                findings.fault(.styleLayerID, "\(place) is no object with an id")
                continue
            }
            if !ids.insert(Array(id.utf8)).inserted {
                findings.fault(.styleLayerID, "two layers have the id \(quoted(id))", hint: "give one another id")
            }
            // The older form: a layer that takes type, source and layout from another one.
            if let ref = object["ref"]?.stringValue, let parent = referable[Array(ref.utf8)] {
                for key in ["type", "source", "source-layer", "layout"] {
                    if let value = parent[key] { object[key] = value }
                }
            }
            guard let type = object["type"]?.stringValue, let wanted = Self.sourceTypes[type] else {
                findings.fault(
                    .styleLayerType,
                    "the layer \(quoted(id)) has \(object["type"]?.stringValue.map { "the unknown type \(quoted($0))" } ?? "no type")"
                )
                continue
            }
            checkSource(of: object, id, type, wanted, sourceTypes, &findings)
            for key in ["layout", "paint"] where object[key] != nil && object[key]?.objectValue == nil {
                findings.fault(.styleDocument, "\(place).\(key) of the layer \(quoted(id)) is no object")
            }
            layers.append(
                Layer(
                    id: id, place: place, type: type, layout: object["layout"]?.objectValue ?? [:],
                    paint: object["paint"]?.objectValue ?? [:]))
        }
    }

    private mutating func checkSource(
        of layer: JSONObject, _ id: String, _ type: String, _ wanted: [String], _ types: [[UInt8]: String],
        _ findings: inout StyleFindings
    ) {
        guard !wanted.isEmpty else { return }
        guard let source = layer["source"]?.stringValue else {
            return findings.fault(.styleLayerSource, "the layer \(quoted(id)) has no source")
        }
        // A source of unknown type is a fault of its own.
        guard let sourceType = types[Array(source.utf8)] else {
            return findings.fault(
                .styleLayerSource, "the layer \(quoted(id)) draws the source \(quoted(source)), which is not there",
                hint: "name one of the style's sources")
        }
        guard wanted.contains(sourceType) else {
            return findings.fault(
                .styleLayerSource,
                "the layer \(quoted(id)) of type \(type) cannot draw the source \(quoted(source)) of type \(sourceType)"
            )
        }
        guard sourceType == "vector" else { return }
        guard let name = layer["source-layer"]?.stringValue, !name.isEmpty else {
            return findings.fault(
                .styleSourceLayer, "the layer \(quoted(id)) names no source-layer of its vector source")
        }
        sourceLayers.append((name, id))
    }
}
