/// Mapbox Vector Tiles, version 1 and 2 (github.com/mapbox/vector-tile-spec): protobuf with named layers.
package enum VectorTile {
    /// Walks over all layers and features, and notes the layers' names. Geometries are skipped, not decoded.
    package static func scan(_ tile: UnsafeRawBufferPointer, names: inout VectorLayerNames) throws(MalformedProtobuf) {
        var fields = ProtobufFields(tile)
        while let field = try fields.next() {
            guard field.number == 3 else {
                // 16 and up are left to extensions.
                if field.number < 16 { throw MalformedProtobuf("field \(field.number) where layers belong") }
                continue
            }
            try scanLayer(try field.message(), names: &names)
        }
    }

    private static func scanLayer(
        _ layer: UnsafeRawBufferPointer, names: inout VectorLayerNames
    ) throws(MalformedProtobuf) {
        var fields = ProtobufFields(layer)
        var hasName = false
        var version: UInt64?
        while let field = try fields.next() {
            switch field.number {
            case 1:
                let name = try field.message()
                guard !name.isEmpty, names.insert(name) else {
                    throw MalformedProtobuf("a layer's name is empty, too long or not UTF-8")
                }
                hasName = true
            case 2: try scanFeature(try field.message())
            case 3, 4: _ = try field.message()
            case 5:
                guard try field.integer() > 0 else { throw MalformedProtobuf("a layer has extent 0") }
            case 15: version = try field.integer()
            default: break
            }
        }
        guard hasName else { throw MalformedProtobuf("a layer has no name") }
        guard let version, (1...2).contains(version) else {
            throw MalformedProtobuf(
                version.map { "a layer has version \($0); 1 and 2 are known" } ?? "a layer has no version")
        }
    }

    private static func scanFeature(_ feature: UnsafeRawBufferPointer) throws(MalformedProtobuf) {
        var fields = ProtobufFields(feature)
        while let field = try fields.next() {
            switch field.number {
            case 1: _ = try field.integer()
            case 2, 4: _ = try field.message()
            case 3:
                guard try field.integer() <= 3 else {
                    throw MalformedProtobuf("a feature has an unknown geometry type")
                }
            default: break
            }
        }
    }
}

/// A small set of layer names, compared by their bytes.
package struct VectorLayerNames: Sendable {
    /// More names than this are not kept: no style has them.
    private static let limit = 1_000
    private var names: [[UInt8]] = []

    package init() {}

    /// False when `name` is no name: over 1,000 bytes or no UTF-8.
    mutating func insert(_ name: UnsafeRawBufferPointer) -> Bool {
        if names.contains(where: { $0.elementsEqual(name) }) { return true }
        guard name.count <= 1_000, String(validating: name, as: UTF8.self) != nil else { return false }
        if names.count < Self.limit { names.append(Array(name)) }
        return true
    }

    mutating func formUnion(_ other: VectorLayerNames) {
        for name in other.names where names.count < Self.limit && !names.contains(name) { names.append(name) }
    }

    var sorted: [String] {
        names.sorted { $0.lexicographicallyPrecedes($1) }.map { String(decoding: $0, as: UTF8.self) }
    }
}
