extension JSONValue {
    /// The document in the one layout that writers use: keys ascending by UTF-8, two spaces a level, one element a line,
    /// a newline at the end.
    public var canonicalBytes: [UInt8] {
        var writer = CanonicalWriter()
        writer.write(self, level: 0)
        writer.bytes.append(UInt8(ascii: "\n"))
        return writer.bytes
    }
}

private struct CanonicalWriter {
    var bytes: [UInt8] = []
    private let hexDigits = Array("0123456789abcdef".utf8)

    mutating func write(_ value: JSONValue, level: Int) {
        switch value {
        case .null: bytes += "null".utf8
        case .bool(let value): bytes += (value ? "true" : "false").utf8
        case .number(let number): bytes += number.canonicalText.utf8
        case .string(let text): write(text)
        case .array(let elements):
            writeList(elements, in: ("[", "]"), level: level) { writer, element in
                writer.write(element, level: level + 1)
            }
        case .object(let object):
            writeList(object.members, in: ("{", "}"), level: level) { writer, member in
                writer.write(member.key)
                writer.bytes += ": ".utf8
                writer.write(member.value, level: level + 1)
            }
        }
    }

    private mutating func writeList<Element>(
        _ elements: [Element], in brackets: (String, String), level: Int,
        _ writeElement: (inout CanonicalWriter, Element) -> Void
    ) {
        bytes += brackets.0.utf8
        for (index, element) in elements.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            startLine(level: level + 1)
            writeElement(&self, element)
        }
        if !elements.isEmpty { startLine(level: level) }
        bytes += brackets.1.utf8
    }

    private mutating func startLine(level: Int) {
        bytes.append(UInt8(ascii: "\n"))
        bytes += repeatElement(UInt8(ascii: " "), count: 2 * level)
    }

    private mutating func write(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
            case 0x08: bytes += "\\b".utf8
            case 0x09: bytes += "\\t".utf8
            case 0x0A: bytes += "\\n".utf8
            case 0x0C: bytes += "\\f".utf8
            case 0x0D: bytes += "\\r".utf8
            case 0..<0x20:
                bytes += "\\u00".utf8
                bytes += [hexDigits[Int(byte >> 4)], hexDigits[Int(byte & 15)]]
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }
}
