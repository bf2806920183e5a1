import Diagnostics
import TerritoryModel

/// One style document (maplibre.org/maplibre-style-spec, version 8), checked, and what it needs of its layer.
struct StyleDocument {
    static let byteLimit = 16 << 20
    /// Deep enough for written expressions, shallow enough for the stack.
    static let depthLimit = 128

    let references: StyleReferences
    let text: StyleTextUse
    let icons: StyleIconUse
    /// The `source-layer` names of layers on vector tiles, with the layers' ids.
    private(set) var sourceLayers: [(name: String, layer: String)] = []
    let layerCount: Int
    let sourceCount: Int

    /// Nil when the bytes are no style at all; what is wrong goes to `findings`.
    init?(_ bytes: [UInt8], _ findings: inout StyleFindings) {
        let root: JSONObject
        do throws(SnpackError) {
            guard let object = try StrictJSON.parse(bytes, depthLimit: Self.depthLimit).objectValue else { return nil }
            root = object
        } catch {
            findings.fault(.styleDocument, "it is no JSON document: \(error.message)")
            return nil
        }
        guard root["version"]?.numberValue?.integer == 8 else {
            findings.fault(
                .styleDocument, "it is no style of version 8", hint: "a MapLibre style begins with \"version\": 8")
            return nil
        }
        guard let sources = root["sources"]?.objectValue, let layers = root["layers"]?.arrayValue else {
            findings.fault(.styleDocument, "a style has an object \"sources\" and an array \"layers\"")
            return nil
        }
        references = StyleReferences(in: root, &findings)
        var types: [[UInt8]: String] = [:]
        for (name, source) in sources.members {
            types[Array(name.utf8)] = Self.sourceType(source, name, &findings)
        }
        let checked = StyleLayers(layers, sourceTypes: types, &findings)
        sourceLayers = checked.sourceLayers
        text = StyleTextUse(in: checked.layers, &findings)
        icons = StyleIconUse(in: checked.layers, &findings)
        layerCount = layers.count
        sourceCount = sources.count
    }

    private static func sourceType(
        _ source: JSONValue, _ name: String, _ findings: inout StyleFindings
    ) -> String? {
        let needs = [
            "vector": ["url", "tiles"], "raster": ["url", "tiles"], "raster-dem": ["url", "tiles"], "geojson": ["data"],
            "image": ["url"], "video": ["urls"],
        ]
        guard let object = source.objectValue, let type = object["type"]?.stringValue, let keys = needs[type] else {
            findings.fault(
                .styleSource, "the source \(quoted(name)) has no known type",
                hint: "a source is vector, raster, raster-dem, geojson, image or video")
            return nil
        }
        if !keys.contains(where: { object[$0] != nil }) {
            findings.fault(.styleSource, "the source \(quoted(name)) has no \(keys.joined(separator: " or "))")
        }
        return type
    }
}
