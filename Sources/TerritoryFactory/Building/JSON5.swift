import Diagnostics
import TerritoryModel

/// Reads JSON5 (spec.json5.org), which people write definitions in, by writing it down as strict JSON for ``StrictJSON``.
///
/// Foundation's reader is not used: some texts end the process in it, such as a number that ends with `e-`.
enum JSON5 {
    /// Parses one object. Names without quotes hold no escapes here, and numbers are finite.
    ///
    /// - Throws: `json.malformed` with the line of the first fault, a key that stands twice among them.
    static func parse(_ bytes: [UInt8]) throws(SnpackError) -> JSONValue {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw SnpackError(.jsonMalformed, "it is not UTF-8")
        }
        var writer = StrictWriter(text)
        return try StrictJSON.parse(rewritten: writer.rewrite())
    }
}

/// Walks over the tokens of a JSON5 text and writes the strict ones. Line breaks stay, so that lines count alike.
private struct StrictWriter {
    private let scalars: [Unicode.Scalar]
    private var offset = 0
    private var strict = ""

    init(_ text: String) { scalars = Array(text.unicodeScalars) }

    mutating func rewrite() throws(SnpackError) -> [UInt8] {
        try skipSpace()
        // What stands before a comma decides whether it may trail.
        var last: Unicode.Scalar?
        while let scalar = peek() {
            switch scalar {
            case "{", "}", "[", "]", ":":
                offset += 1
                strict.unicodeScalars.append(scalar)
            case ",":
                offset += 1
                try skipSpace()
                let closes = peek() == "}" || peek() == "]"
                if !closes || last == nil || last == "{" || last == "[" || last == "," { strict += "," }
            case "\"", "'": try string(endingWith: scalar)
            case "+", "-", ".", "0"..."9": try number()
            default: try name()
            }
            last = scalar
            try skipSpace()
        }
        return Array(strict.utf8)
    }

    private func peek(_ distance: Int = 0) -> Unicode.Scalar? {
        offset + distance < scalars.count ? scalars[offset + distance] : nil
    }

    private func fault(_ reason: String) -> SnpackError {
        let line = scalars[..<min(offset, scalars.count)].count { $0 == "\n" } + 1
        return SnpackError(.jsonMalformed, "line \(line): \(reason)")
    }

    /// Steps over white space and comments.
    private mutating func skipSpace() throws(SnpackError) {
        while let scalar = peek() {
            if scalar == "\n" {
                strict += "\n"
            } else if scalar == "/", peek(1) == "/" {
                while let next = peek(), !Self.endsLine(next) { offset += 1 }
                continue
            } else if scalar == "/", peek(1) == "*" {
                try comment()
                continue
            } else if !scalar.properties.isWhitespace, scalar != "\u{FEFF}" {
                return
            }
            offset += 1
        }
    }

    private mutating func comment() throws(SnpackError) {
        let start = offset
        offset += 2
        while peek() != "*" || peek(1) != "/" {
            guard let scalar = peek() else {
                offset = start
                throw fault("a comment that does not end")
            }
            if scalar == "\n" { strict += "\n" }
            offset += 1
        }
        offset += 2
    }

    private static func endsLine(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "\n" || scalar == "\r" || scalar == "\u{2028}" || scalar == "\u{2029}"
    }

    /// `key` before a colon, or a word such as `true`.
    private mutating func name() throws(SnpackError) {
        let start = offset
        while let scalar = peek(),
            scalar == "$" || scalar == "_" || scalar == "\u{200C}" || scalar == "\u{200D}"
                || (offset == start ? scalar.properties.isIDStart : scalar.properties.isIDContinue)
        {
            offset += 1
        }
        let name = String(String.UnicodeScalarView(scalars[start..<offset]))
        guard !name.isEmpty else {
            throw fault("\(quoted(scalars[start].description)) has no meaning here")
        }
        try skipSpace()
        if peek() == ":" {
            strict += "\"\(name)\""
        } else if ["true", "false", "null"].contains(name) {
            strict += name
        } else {
            offset = start
            throw fault("\(quoted(name)) is no value; texts stand in quotes")
        }
    }

    private mutating func number() throws(SnpackError) {
        let start = offset
        if peek() == "-" { strict += "-" }
        if peek() == "-" || peek() == "+" { offset += 1 }
        if peek() == "0", peek(1) == "x" || peek(1) == "X" {
            offset += 2
            let digits = take { $0.properties.isASCIIHexDigit }
            guard let value = UInt64(digits, radix: 16) else {
                offset = start
                throw fault("a hexadecimal number of no digit, or of more than 64 bits")
            }
            strict += String(value)
            return
        }
        let whole = take(Self.isDigit)
        var fraction = ""
        if peek() == "." {
            offset += 1
            fraction = take(Self.isDigit)
        }
        guard !whole.isEmpty || !fraction.isEmpty else {
            offset = start
            throw fault("a number without digits; infinities and NaN have no place here")
        }
        strict += whole.isEmpty ? "0" : whole
        if !fraction.isEmpty { strict += "." + fraction }
        if peek() == "e" || peek() == "E" {
            strict += "e"
            offset += 1
            if let sign = peek(), sign == "-" || sign == "+" {
                strict.unicodeScalars.append(sign)
                offset += 1
            }
            strict += take(Self.isDigit)
        }
    }

    private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

    private mutating func take(_ belongs: (Unicode.Scalar) -> Bool) -> String {
        let start = offset
        while let scalar = peek(), belongs(scalar) { offset += 1 }
        return String(String.UnicodeScalarView(scalars[start..<offset]))
    }

    private mutating func string(endingWith quote: Unicode.Scalar) throws(SnpackError) {
        let start = offset
        strict += "\""
        offset += 1
        while let scalar = peek(), scalar != quote, scalar != "\n", scalar != "\r" {
            offset += 1
            if scalar == "\\" { try escape() } else { append(scalar) }
        }
        guard peek() == quote else {
            offset = start
            throw fault("a text that does not end on its line")
        }
        offset += 1
        strict += "\""
    }

    /// A character of a text; what strict JSON does not let stand is escaped.
    private mutating func append(_ scalar: Unicode.Scalar) {
        switch scalar {
        case "\"", "\\": strict += "\\\(scalar)"
        case "\0"..<" ": strict += (scalar.value < 16 ? "\\u000" : "\\u00") + String(scalar.value, radix: 16)
        default: strict.unicodeScalars.append(scalar)
        }
    }

    /// What stands after a backslash.
    private mutating func escape() throws(SnpackError) {
        guard let scalar = peek() else { return }
        offset += 1
        switch scalar {
        case "b", "f", "n", "r", "t", "u": strict += "\\\(scalar)"  // Digits of \u are looked at by the strict reader.
        case "v": append("\u{B}")
        case "x":
            guard let first = peek(), let second = peek(1), first.properties.isASCIIHexDigit,
                second.properties.isASCIIHexDigit
            else { throw fault("expected two hexadecimal digits") }
            strict += "\\u00\(first)\(second)"
            offset += 2
        case "0" where peek().map(Self.isDigit) != true: append("\0")
        case "0"..."9": throw fault("an escape that JSON5 does not have")
        case "\r": if peek() == "\n" { offset += 1 }
        case "\n", "\u{2028}", "\u{2029}": break  // The text goes on in the next line.
        default: append(scalar)
        }
    }
}
