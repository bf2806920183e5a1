/// Why bytes are no Mapbox Vector Tile.
struct VectorTileFault: Error {
    let reason: String
    init(_ reason: String) { self.reason = reason }
}

/// Mapbox Vector Tiles, version 1 and 2 (github.com/mapbox/vector-tile-spec): protobuf with named layers.
enum VectorTile {
    /// Walks over all layers and features, and notes the layers' names. Geometries are skipped, not decoded.
    static func scan(_ tile: UnsafeRawBufferPointer, names: inout VectorLayerNames) throws(VectorTileFault) {
        var fields = ProtobufFields(tile)
        while let field = try fields.next() {
            guard field.number == 3 else {
                // 16 and up are left to extensions.
                if field.number < 16 { throw VectorTileFault("field \(field.number) where layers belong") }
                continue
            }
            try scanLayer(try field.message(), names: &names)
        }
    }

    private static func scanLayer(
        _ layer: UnsafeRawBufferPointer, names: inout VectorLayerNames
    ) throws(VectorTileFault) {
        var fields = ProtobufFields(layer)
        var hasName = false
        var version: UInt64?
        while let field = try fields.next() {
            switch field.number {
            case 1:
                let name = try field.message()
                guard !name.isEmpty, names.insert(name) else {
                    throw VectorTileFault("a layer's name is empty, too long or not UTF-8")
                }
                hasName = true
            case 2: try scanFeature(try field.message())
            case 3, 4: _ = try field.message()
            case 5:
                guard try field.integer() > 0 else { throw VectorTileFault("a layer has extent 0") }
            case 15: version = try field.integer()
            default: break
            }
        }
        guard hasName else { throw VectorTileFault("a layer has no name") }
        guard let version, (1...2).contains(version) else {
            throw VectorTileFault(
                version.map { "a layer has version \($0); 1 and 2 are known" } ?? "a layer has no version")
        }
    }

    private static func scanFeature(_ feature: UnsafeRawBufferPointer) throws(VectorTileFault) {
        var fields = ProtobufFields(feature)
        while let field = try fields.next() {
            switch field.number {
            case 1: _ = try field.integer()
            case 2, 4: _ = try field.message()
            case 3:
                guard try field.integer() <= 3 else { throw VectorTileFault("a feature has an unknown geometry type") }
            default: break
            }
        }
    }
}

/// The fields of a protobuf message, one after the other.
private struct ProtobufFields {
    struct Field {
        let number: UInt64
        /// Of a varint field.
        let varint: UInt64?
        /// Of a length-delimited field.
        let payload: UnsafeRawBufferPointer?

        func integer() throws(VectorTileFault) -> UInt64 {
            guard let varint else { throw VectorTileFault("field \(number) is no number") }
            return varint
        }

        func message() throws(VectorTileFault) -> UnsafeRawBufferPointer {
            guard let payload else { throw VectorTileFault("field \(number) is no message") }
            return payload
        }
    }

    private let bytes: UnsafeRawBufferPointer
    private var position = 0

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    /// The next field; nil at the end.
    mutating func next() throws(VectorTileFault) -> Field? {
        guard position < bytes.count else { return nil }
        let key = try varint()
        guard key >> 3 > 0 else { throw VectorTileFault("a field has number 0") }
        switch key & 7 {
        case 0: return Field(number: key >> 3, varint: try varint(), payload: nil)
        case 1: return Field(number: key >> 3, varint: nil, payload: try take(8))
        case 2: return Field(number: key >> 3, varint: nil, payload: try take(try varint()))
        case 5: return Field(number: key >> 3, varint: nil, payload: try take(4))
        default: throw VectorTileFault("a field has wire type \(key & 7)")
        }
    }

    private mutating func take(_ count: UInt64) throws(VectorTileFault) -> UnsafeRawBufferPointer {
        guard let count = Int(exactly: count), count <= bytes.count - position else {
            throw VectorTileFault("a field passes the end of its message")
        }
        defer { position += count }
        return UnsafeRawBufferPointer(rebasing: bytes[position..<position + count])
    }

    private mutating func varint() throws(VectorTileFault) -> UInt64 {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while position < bytes.count, shift < 70 {
            let byte = bytes[position]
            position += 1
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return value }
            shift += 7
        }
        throw VectorTileFault(shift < 70 ? "a number is cut off" : "a number has over 10 bytes")
    }
}

/// A small set of layer names, compared by their bytes.
struct VectorLayerNames: Sendable {
    /// More names than this are not kept: no style has them.
    private static let limit = 1_000
    private var names: [[UInt8]] = []

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
