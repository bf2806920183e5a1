package import Diagnostics
import DurableFiles
package import TerritoryModel

/// What a territory is made of, as `manifests/<id>.json` says it: JSON5, paths relative to the file.
package struct TerritoryDefinition: Sendable {
    package struct Layer: Sendable {
        package let kind: LayerKind
        /// Where the layer's files are: absolute, or relative to the working directory.
        package var source: String
        package let path: LayerPath
        package let requires: EngineRequirements
        /// zstd level; nil for the command's.
        package let level: Int?
    }

    /// zstd levels that may be asked for.
    private static let levels = 1...22

    package let id: TerritoryID
    package let displayName: DisplayText
    package let attribution: [DisplayText]
    /// nil: the PMTiles archive's bounds.
    package let bbox: BoundingBox?
    package let dataTimestamp: Timestamp?
    package var layers: [Layer]
    package let provenance: [String: String]

    /// Reads a definition.
    /// - Parameter directory: what relative sources start from; empty for the working directory.
    /// - Throws: `definition.invalid`, naming the key.
    package init(decoding bytes: [UInt8], directory: String) throws(SnpackError) {
        let document: JSONValue
        do { document = try JSON5.parse(bytes) } catch {
            throw Fields.invalid("it is not JSON5: \(error.message)")
        }
        var fields = try Fields(document, "the definition")
        id = try fields.need("id") { value throws(SnpackError) in
            let id = try TerritoryID(parsing: Fields.text(value))
            guard !id.isRegion else { throw Fields.invalid("regions are cut out of a country: see snpack cut") }
            return id
        }
        displayName = try fields.need("display_name") { value throws(SnpackError) in
            try DisplayText(writing: Fields.text(value))
        }
        attribution = try fields.need("attribution") { value throws(SnpackError) in
            let texts = value.stringValue == nil ? try Fields.array(value) : [value]
            guard Limits.attributions.contains(texts.count) else { throw Fields.invalid("must be 1 to 32 texts") }
            return try texts.map { text throws(SnpackError) in
                try DisplayText(writing: Fields.text(text), length: Limits.attribution)
            }
        }
        bbox = try fields.take("bbox") { value throws(SnpackError) in
            let numbers = try Fields.array(value).compactMap(\.numberValue?.double)
            guard numbers.count == 4 else { throw Fields.invalid("must be four numbers: west, south, east, north") }
            return try BoundingBox(west: numbers[0], south: numbers[1], east: numbers[2], north: numbers[3])
        }
        dataTimestamp = try fields.take("data_timestamp") { value throws(SnpackError) in
            try Timestamp(parsing: Fields.text(value))
        }
        layers = try fields.need("layers") { value throws(SnpackError) in
            try Fields.array(value).map { element throws(SnpackError) in
                try Self.layer(Fields(element, "layers[]"), directory: directory)
            }
        }
        provenance =
            try fields.take("provenance") { value throws(SnpackError) in
                let texts = try Fields.texts(value)
                // Two texts of the builder's own join them.
                guard texts.count <= Limits.provenanceTexts.upperBound - 2 else {
                    throw Fields.invalid("too many texts")
                }
                for text in texts.values { _ = try DisplayText(parsing: text, length: Limits.provenanceText) }
                return texts
            } ?? [:]
        try fields.end()
        try checkLayers()
    }

    private func checkLayers() throws(SnpackError) {
        guard Limits.layers.contains(layers.count) else { throw Fields.invalid("layers: 1 to 64 layers are needed") }
        var kinds: Set<LayerKind> = []
        var places: Set<String> = []
        for layer in layers {
            guard kinds.insert(layer.kind).inserted else {
                throw Fields.invalid("layers: \(layer.kind) stands there twice")
            }
            guard places.insert(layer.path.folded).inserted else {
                throw Fields.invalid("layers: \(quoted(layer.path.rawValue)) is the place of two layers")
            }
        }
    }

    /// Takes a layer from elsewhere, whatever the definition says.
    package mutating func setSource(_ source: String, of kind: LayerKind) throws(SnpackError) {
        guard let index = layers.firstIndex(where: { $0.kind == kind }) else {
            throw Fields.invalid("it has no layer \(kind)")
        }
        layers[index].source = source
    }

    private static func layer(_ start: Fields, directory: String) throws(SnpackError) -> Layer {
        var fields = start
        let kind = try fields.need("kind") { value throws(SnpackError) in try LayerKind(parsing: Fields.text(value)) }
        let source = try fields.need("source") { value throws(SnpackError) in
            let source = try Fields.text(value)
            guard !source.utf8.contains(0) else { throw Fields.invalid("must be a path") }
            return source
        }
        let path = try fields.take("path") { value throws(SnpackError) in try LayerPath(parsing: Fields.text(value)) }
        let requires = try fields.take("requires") { value throws(SnpackError) in
            var minimums: [EngineName: TerritoryVersion] = [:]
            for (engine, version) in try Fields.texts(value) {
                minimums[try EngineName(parsing: engine)] = try TerritoryVersion(parsing: version)
            }
            guard minimums.isEmpty || Limits.layerEngines.contains(minimums.count) else {
                throw Fields.invalid("must name 1 to 16 engines")
            }
            return minimums
        }
        let level = try fields.take("level") { value throws(SnpackError) -> Int in
            guard let level = value.numberValue?.integer, let level = Int(exactly: level) else {
                throw Fields.invalid("must be a whole number")
            }
            guard levels.contains(level) else {
                throw Fields.invalid("must be \(levels.lowerBound) to \(levels.upperBound)")
            }
            return level
        }
        try fields.end()
        let fallback = source.pathSegments.last ?? source
        let place: LayerPath
        if let known = path ?? kind.defaultPath { place = known } else { place = try LayerPath(parsing: fallback) }
        return Layer(
            kind: kind,
            source: source.utf8.first == UInt8(ascii: "/") || directory.isEmpty ? source : "\(directory)/\(source)",
            path: place, requires: EngineRequirements(requires ?? [:]), level: level)
    }
}

/// The members of one object in a definition, taken one by one; what is left over is a spelling mistake.
private struct Fields {
    private var members: JSONObject
    private let place: String
    private var known: [String] = []

    init(_ value: JSONValue, _ place: String) throws(SnpackError) {
        guard let object = value.objectValue else { throw Self.invalid("\(place) must be an object") }
        members = object
        self.place = place
    }

    mutating func take<Value>(
        _ key: String, _ read: (JSONValue) throws(SnpackError) -> Value
    ) throws(SnpackError) -> Value? {
        known.append(key)
        guard let value = members[key] else { return nil }
        members[key] = nil
        do throws(SnpackError) { return try read(value) } catch {
            throw SnpackError(.definitionInvalid, "\(key): \(error.message)", hint: error.hint)
        }
    }

    mutating func need<Value>(
        _ key: String, _ read: (JSONValue) throws(SnpackError) -> Value
    ) throws(SnpackError) -> Value {
        guard let value = try take(key, read) else { throw Self.invalid("\(place) has no \(quoted(key))") }
        return value
    }

    func end() throws(SnpackError) {
        guard let unknown = members.members.first?.key else { return }
        throw SnpackError(
            .definitionInvalid, "\(place) has a key that means nothing: \(quoted(unknown))",
            hint: "the keys are \(known.joined(separator: ", "))")
    }

    static func invalid(_ message: String) -> SnpackError {
        SnpackError(.definitionInvalid, message, hint: "manifests/liechtenstein.json is an example")
    }

    static func text(_ value: JSONValue) throws(SnpackError) -> String {
        guard let text = value.stringValue else { throw invalid("must be a text, not \(value.kind)") }
        return text
    }

    static func array(_ value: JSONValue) throws(SnpackError) -> [JSONValue] {
        guard let array = value.arrayValue else { throw invalid("must be an array, not \(value.kind)") }
        return array
    }

    static func texts(_ value: JSONValue) throws(SnpackError) -> [String: String] {
        guard let object = value.objectValue else { throw invalid("must be an object of texts, not \(value.kind)") }
        var texts: [String: String] = [:]
        for (key, value) in object.members { texts[key] = try text(value) }
        return texts
    }
}
