import TerritoryModel

/// Which values a style property can take: what stands in it, and in the branches of its expressions.
struct StyleOutcomes {
    /// Every value that stands there literally.
    private(set) var literals: [JSONValue] = []
    /// True when some values come out of the data.
    private(set) var isOpen = false

    /// The outcomes of a property: a plain value, an expression, or a function of the older form with `stops`.
    init(of property: JSONValue) {
        guard let function = property.objectValue else {
            add(property)
            return
        }
        for stop in function["stops"]?.arrayValue ?? [] {
            if let stop = stop.arrayValue, stop.count == 2 { add(stop[1]) }
        }
        if let fallback = function["default"] { add(fallback) }
        if function["stops"] == nil { isOpen = true }
    }

    /// Nesting is bounded by the parser's depth.
    private mutating func add(_ value: JSONValue) {
        guard let parts = value.arrayValue, let name = parts.first?.stringValue, Self.operators.contains(name) else {
            return literals.append(value)
        }
        switch name {
        case "literal":
            if parts.count > 1 { literals.append(parts[1]) }
        case "case": add(parts, from: 2)
        case "match": add(parts, from: 3)
        case "step":
            for index in stride(from: 2, to: parts.count, by: 2) { add(parts[index]) }
        case "coalesce", "string", "to-string":
            for part in parts.dropFirst() { add(part) }
        case "image":
            if parts.count > 1 { add(parts[1]) }
        case "array", "let":
            if parts.count > 1, let last = parts.last { add(last) }
        default: isOpen = true
        }
    }

    /// Every second part from `first` on, and the last: the branches and the fallback.
    private mutating func add(_ parts: [JSONValue], from first: Int) {
        for index in stride(from: first, to: parts.count - 1, by: 2) { add(parts[index]) }
        if parts.count > 1, let last = parts.last { add(last) }
    }

    /// The operators of the style specification that can stand where a font, an icon or a text does.
    private static let operators: Set<String> = [
        "array", "at", "case", "coalesce", "collator", "concat", "downcase", "feature-state", "format", "get",
        "global-state", "id", "image", "interpolate", "join", "let", "literal", "match", "number-format", "properties",
        "resolved-locale", "slice", "split", "step", "string", "to-string", "typeof", "upcase", "var",
    ]
}

extension JSONValue {
    /// Calls `body` for each expression `["name", …]` in this value, at any depth.
    func forEachExpression(named name: String, _ body: ([JSONValue]) -> Void) {
        switch self {
        case .array(let parts):
            if parts.first?.stringValue == name { body(parts) }
            for part in parts { part.forEachExpression(named: name, body) }
        case .object(let object):
            for member in object.members { member.value.forEachExpression(named: name, body) }
        default: break
        }
    }
}
