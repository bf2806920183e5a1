/// Why bytes are no protobuf message of the kind expected.
package struct MalformedProtobuf: Error {
    package let reason: String
    init(_ reason: String) { self.reason = reason }
}

/// The fields of a protobuf message (protobuf.dev/programming-guides/encoding), one after the other.
struct ProtobufFields {
    struct Field {
        let number: UInt64
        /// Of a varint field.
        let varint: UInt64?
        /// Of any other field.
        let payload: UnsafeRawBufferPointer?

        func integer() throws(MalformedProtobuf) -> UInt64 {
            guard let varint else { throw MalformedProtobuf("field \(number) is no number") }
            return varint
        }

        func message() throws(MalformedProtobuf) -> UnsafeRawBufferPointer {
            guard let payload else { throw MalformedProtobuf("field \(number) is no message") }
            return payload
        }
    }

    private let bytes: UnsafeRawBufferPointer
    private var position = 0

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    /// The next field; nil at the end.
    mutating func next() throws(MalformedProtobuf) -> Field? {
        guard position < bytes.count else { return nil }
        let key = try varint()
        guard key >> 3 > 0 else { throw MalformedProtobuf("a field has number 0") }
        switch key & 7 {
        case 0: return Field(number: key >> 3, varint: try varint(), payload: nil)
        case 1: return Field(number: key >> 3, varint: nil, payload: try take(8))
        case 2: return Field(number: key >> 3, varint: nil, payload: try take(try varint()))
        case 5: return Field(number: key >> 3, varint: nil, payload: try take(4))
        default: throw MalformedProtobuf("a field has wire type \(key & 7)")
        }
    }

    private mutating func take(_ count: UInt64) throws(MalformedProtobuf) -> UnsafeRawBufferPointer {
        guard let count = Int(exactly: count), count <= bytes.count - position else {
            throw MalformedProtobuf("a field passes the end of its message")
        }
        defer { position += count }
        return UnsafeRawBufferPointer(rebasing: bytes[position..<position + count])
    }

    private mutating func varint() throws(MalformedProtobuf) -> UInt64 {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while position < bytes.count, shift < 70 {
            let byte = bytes[position]
            position += 1
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return value }
            shift += 7
        }
        throw MalformedProtobuf(shift < 70 ? "a number is cut off" : "a number has over 10 bytes")
    }
}
