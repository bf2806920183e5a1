public import Diagnostics

/// Reads documents as the wire format wants them: one JSON object in UTF-8, nothing lenient.
public enum StrictJSON {
    /// Parses one object.
    ///
    /// Refused are a byte order mark, invalid UTF-8, lone surrogates, duplicate keys (compared by scalars after
    /// unescaping), trailing commas, text after the end, numbers outside JSON's grammar or a double's range, and nesting
    /// deeper than `depthLimit`, where the outermost object is the first level. Time and memory grow linearly with the
    /// input, and the stack does not grow with the nesting.
    ///
    /// - Throws: `json.malformed` with the byte offset and line of the first fault.
    public static func parse(
        _ bytes: [UInt8], depthLimit: Int = Limits.jsonDepth
    ) throws(SnpackError) -> JSONValue {
        var tokens = JSONTokens(bytes)
        return try parse(&tokens, depthLimit: depthLimit)
    }

    /// Parses what a laxer notation was rewritten to, line by line: faults name the line alone.
    package static func parse(rewritten bytes: [UInt8]) throws(SnpackError) -> JSONValue {
        var tokens = JSONTokens(bytes, isRewritten: true)
        return try parse(&tokens, depthLimit: Limits.jsonDepth)
    }

    private static func parse(_ tokens: inout JSONTokens, depthLimit: Int) throws(SnpackError) -> JSONValue {
        var open: [Container] = []
        tokens.skipSpace()
        guard tokens.peek() == UInt8(ascii: "{") else {
            throw tokens.fault(tokens.startsWithByteOrderMark ? "a byte order mark" : "a document is one object")
        }
        while true {
            // A value stands here.
            var value: JSONValue
            switch tokens.peek() {
            case UInt8(ascii: "{")?, UInt8(ascii: "[")?:
                guard open.count < depthLimit else { throw tokens.fault("more than \(depthLimit) levels") }
                var container = Container(isObject: tokens.peek() == UInt8(ascii: "{"), offset: tokens.offset)
                tokens.advance()
                tokens.skipSpace()
                if !tokens.consume(container.end) {
                    try container.readKey(&tokens)
                    open.append(container)
                    continue
                }
                value = container.isObject ? .object(JSONObject()) : .array([])
            default:
                value = try tokens.scalar()
            }
            // The value is complete: put it into what it stands in, and close what ends here.
            closing: while true {
                guard !open.isEmpty else {
                    tokens.skipSpace()
                    guard tokens.peek() == nil else { throw tokens.fault("text after the end of the document") }
                    return value
                }
                let innermost = open.count - 1
                open[innermost].append(value)
                tokens.skipSpace()
                if tokens.consume(UInt8(ascii: ",")) {
                    tokens.skipSpace()
                    if tokens.peek() == open[innermost].end { throw tokens.fault("a trailing comma") }
                    try open[innermost].readKey(&tokens)
                    break closing
                }
                guard tokens.consume(open[innermost].end) else {
                    throw tokens.fault(
                        "expected a comma or \(open[innermost].isObject ? "a closing brace" : "a closing bracket")")
                }
                let container = open.removeLast()
                value = try container.value(tokens)
            }
        }
    }
}

/// An object or array whose end is not reached yet.
private struct Container {
    let isObject: Bool
    /// Where it begins.
    let offset: Int
    private var key = ""
    private var elements: [JSONValue] = []
    private var members: [(key: String, value: JSONValue)] = []

    init(isObject: Bool, offset: Int) {
        self.isObject = isObject
        self.offset = offset
    }

    var end: UInt8 { isObject ? UInt8(ascii: "}") : UInt8(ascii: "]") }

    /// Reads `"key":` of an object's next member; in an array nothing stands before a value.
    mutating func readKey(_ tokens: inout JSONTokens) throws(SnpackError) {
        guard isObject else { return }
        guard tokens.peek() == UInt8(ascii: "\"") else { throw tokens.fault("expected a key in double quotes") }
        key = try tokens.string()
        tokens.skipSpace()
        guard tokens.consume(UInt8(ascii: ":")) else { throw tokens.fault("expected a colon") }
        tokens.skipSpace()
    }

    mutating func append(_ value: JSONValue) {
        if isObject { members.append((key: key, value: value)) } else { elements.append(value) }
    }

    consuming func value(_ tokens: borrowing JSONTokens) throws(SnpackError) -> JSONValue {
        guard isObject else { return .array(elements) }
        do {
            return .object(try JSONObject(unique: members))
        } catch {
            throw tokens.fault("the key \(quoted(error.key)) stands twice in one object", at: offset)
        }
    }
}
