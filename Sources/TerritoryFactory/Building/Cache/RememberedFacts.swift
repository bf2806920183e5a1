import Diagnostics
import MapLayers
import TerritoryModel

// What a check found, as the build cache keeps it. Tables, which only `inspect` prints, are not kept.
extension LayerFacts {
    /// Nil for a layer with faults, which is to be looked at again.
    var remembered: JSONObject? {
        guard faults.isEmpty, warnings.allSatisfy(\.details.isEmpty) else { return nil }
        var object: JSONObject = [
            "meta": .object(meta),
            "requires": .array(requires.map { .texts([$0.engine, $0.version]) }),
            "style_layers": .array(styleSourceLayers.map { .texts([$0.name, $0.layer, $0.path]) }),
            "warnings": .array(warnings.map { .object($0.remembered) }),
            "left_out": .texts(leftOut),
        ]
        object["vector_layers"] = vectorLayers.map { .texts($0) }
        object["coverage"] = coverage.map { box in
            .array([box.west, box.south, box.east, box.north].compactMap { JSONNumber($0).map(JSONValue.number) })
        }
        return object
    }

    init?(remembered object: JSONObject) {
        guard let meta = object["meta"]?.objectValue,
            let requires = object["requires"]?.arrayValue?.compactMap({ $0.texts(2) }),
            let styleLayers = object["style_layers"]?.arrayValue?.compactMap({ $0.texts(3) }),
            let warnings = object["warnings"]?.arrayValue?.compactMap({
                $0.objectValue.flatMap(SnpackError.init(remembered:))
            }),
            let leftOut = object["left_out"]?.texts()
        else { return nil }
        self.init()
        self.meta = meta
        self.requires = requires.map { (engine: $0[0], version: $0[1]) }
        styleSourceLayers = styleLayers.map { StyleSourceLayer(name: $0[0], layer: $0[1], path: $0[2]) }
        self.warnings = warnings
        self.leftOut = leftOut
        if let layers = object["vector_layers"] {
            guard let names = layers.texts() else { return nil }
            vectorLayers = names
        }
        if let coverage = object["coverage"] {
            let edges = coverage.arrayValue?.compactMap(\.numberValue?.double) ?? []
            guard edges.count == 4,
                let box = try? BoundingBox(west: edges[0], south: edges[1], east: edges[2], north: edges[3])
            else { return nil }
            self.coverage = box
        }
    }
}

extension SnpackError {
    fileprivate var remembered: JSONObject {
        var object: JSONObject = [
            "code": .string(code.name), "status": .number(JSONNumber(Int64(code.exitStatus.rawValue))),
            "message": .string(message),
        ]
        object["hint"] = hint.map(JSONValue.string)
        object["path"] = path.map(JSONValue.string)
        return object
    }

    fileprivate init?(remembered object: JSONObject) {
        guard let code = object["code"]?.stringValue, let message = object["message"]?.stringValue,
            let status = object["status"]?.numberValue?.integer.flatMap(Int32.init(exactly:)),
            let status = ExitStatus(rawValue: status)
        else { return nil }
        self.init(
            ErrorCode(code, status), message, hint: object["hint"]?.stringValue, path: object["path"]?.stringValue)
    }
}

extension JSONValue {
    fileprivate static func texts(_ texts: [String]) -> JSONValue { .array(texts.map(JSONValue.string)) }

    /// The texts of an array of nothing else, `count` of them if that is given.
    fileprivate func texts(_ count: Int? = nil) -> [String]? {
        guard let elements = arrayValue else { return nil }
        let texts = elements.compactMap(\.stringValue)
        return texts.count == elements.count && texts.count == count ?? texts.count ? texts : nil
    }
}
