import Diagnostics

/// Walks over the bytes of a JSON text, one token at a time.
struct JSONTokens {
    private let bytes: [UInt8]
    private let isRewritten: Bool
    /// Where the next token begins.
    private(set) var offset = 0

    init(_ bytes: [UInt8], isRewritten: Bool = false) {
        self.bytes = bytes
        self.isRewritten = isRewritten
    }

    var startsWithByteOrderMark: Bool {
        bytes.starts(with: [0xEF, 0xBB, 0xBF]) || bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
    }

    func peek() -> UInt8? { offset < bytes.count ? bytes[offset] : nil }

    mutating func advance() { offset += 1 }

    mutating func consume(_ byte: UInt8) -> Bool {
        guard peek() == byte else { return false }
        advance()
        return true
    }

    mutating func skipSpace() {
        while let byte = peek(), byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { advance() }
    }

    /// The error of what stands at `offset`, or at the next token.
    func fault(_ reason: String, at offset: Int? = nil) -> SnpackError {
        let offset = min(offset ?? self.offset, bytes.count)
        let line = bytes[..<offset].count(where: { $0 == 0x0A }) + 1
        let place = isRewritten ? "line \(line)" : "not strict JSON at byte \(offset), line \(line)"
        return SnpackError(.jsonMalformed, "\(place): \(reason)")
    }

    /// A text, number, boolean or null.
    mutating func scalar() throws(SnpackError) -> JSONValue {
        switch peek() {
        case UInt8(ascii: "\"")?: return .string(try string())
        case UInt8(ascii: "t")? where consumeWord("true"): return .bool(true)
        case UInt8(ascii: "f")? where consumeWord("false"): return .bool(false)
        case UInt8(ascii: "n")? where consumeWord("null"): return .null
        case let byte? where byte == UInt8(ascii: "-") || isASCIIDigit(byte): return .number(try number())
        case nil: throw fault("the document is cut off")
        default: throw fault("expected a value")
        }
    }

    private mutating func consumeWord(_ word: StaticString) -> Bool {
        let end = offset + word.utf8CodeUnitCount
        guard end <= bytes.count else { return false }
        for (index, byte) in bytes[offset..<end].enumerated() where word.utf8Start[index] != byte { return false }
        offset = end
        return true
    }

    private mutating func number() throws(SnpackError) -> JSONNumber {
        let start = offset
        _ = consume(UInt8(ascii: "-"))
        if consume(UInt8(ascii: "0")) {
            if peek().map(isASCIIDigit) == true { throw fault("a number with a leading zero", at: start) }
        } else {
            try digits()
        }
        if consume(UInt8(ascii: ".")) { try digits() }
        let hasExponent = consume(UInt8(ascii: "e")) || consume(UInt8(ascii: "E"))
        if hasExponent {
            if !consume(UInt8(ascii: "+")) { _ = consume(UInt8(ascii: "-")) }
            try digits()
        }
        guard offset - start <= Limits.jsonNumberBytes else {
            throw fault("a number of more than \(Limits.jsonNumberBytes) bytes", at: start)
        }
        let number = JSONNumber(checkedLiteral: String(decoding: bytes[start..<offset], as: UTF8.self))
        if hasExponent || offset - start > 300, !number.double.isFinite {
            throw fault("a number that no double holds", at: start)
        }
        return number
    }

    private mutating func digits() throws(SnpackError) {
        let start = offset
        while peek().map(isASCIIDigit) == true { advance() }
        if offset == start { throw fault("expected a digit") }
    }

    /// A text in double quotes, unescaped.
    mutating func string() throws(SnpackError) -> String {
        let start = offset
        advance()
        var run = offset
        var unescaped: [UInt8] = []
        while true {
            switch peek() {
            case nil: throw fault("a text that does not end", at: start)
            case UInt8(ascii: "\"")?:
                let text =
                    unescaped.isEmpty
                    ? String(validating: bytes[run..<offset], as: UTF8.self)
                    : String(validating: unescaped + bytes[run..<offset], as: UTF8.self)
                guard let text else { throw fault("a text that is not valid UTF-8", at: start) }
                advance()
                return text
            case UInt8(ascii: "\\")?:
                unescaped += bytes[run..<offset]
                advance()
                unescaped += try escape().utf8
                run = offset
            case let byte? where byte < 0x20: throw fault("a control character in a text")
            default: advance()
            }
        }
    }

    /// What stands after a backslash.
    private mutating func escape() throws(SnpackError) -> String {
        let byte = peek()
        advance()
        switch byte {
        case UInt8(ascii: "\"")?: return "\""
        case UInt8(ascii: "\\")?: return "\\"
        case UInt8(ascii: "/")?: return "/"
        case UInt8(ascii: "b")?: return "\u{8}"
        case UInt8(ascii: "f")?: return "\u{C}"
        case UInt8(ascii: "n")?: return "\n"
        case UInt8(ascii: "r")?: return "\r"
        case UInt8(ascii: "t")?: return "\t"
        case UInt8(ascii: "u")?: return String(Character(try escapedScalar()))
        default: throw fault("an escape that JSON does not have", at: offset - 1)
        }
    }

    private mutating func escapedScalar() throws(SnpackError) -> Unicode.Scalar {
        let start = offset
        let first = try fourHexDigits()
        if let scalar = Unicode.Scalar(first) { return scalar }
        if first < 0xDC00, consume(UInt8(ascii: "\\")), consume(UInt8(ascii: "u")) {
            let second = try fourHexDigits()
            if (0xDC00...0xDFFF).contains(second),
                let scalar = Unicode.Scalar(0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00))
            {
                return scalar
            }
        }
        throw fault("half of a surrogate pair", at: start)
    }

    private mutating func fourHexDigits() throws(SnpackError) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = peek() else { throw fault("the document is cut off") }
            let digit: UInt8
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - UInt8(ascii: "a") + 10
            case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = byte - UInt8(ascii: "A") + 10
            default: throw fault("expected four hexadecimal digits")
            }
            value = value << 4 | UInt32(digit)
            advance()
        }
        return value
    }
}
