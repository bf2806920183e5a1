/// One JSON value. Texts are equal when their scalars are: `é` composed and `é` decomposed are two texts.
public enum JSONValue: Sendable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A number, with the digits that it was written with.
    case number(JSONNumber)
    /// A text, its escapes resolved.
    case string(String)
    /// Elements in their order.
    case array([JSONValue])
    /// Members, none twice.
    case object(JSONObject)

    /// The boolean, or nil if this is another kind of value.
    public var boolValue: Bool? { if case .bool(let value) = self { value } else { nil } }
    /// The number, or nil if this is another kind of value.
    public var numberValue: JSONNumber? { if case .number(let value) = self { value } else { nil } }
    /// The text, or nil if this is another kind of value.
    public var stringValue: String? { if case .string(let value) = self { value } else { nil } }
    /// The elements, or nil if this is another kind of value.
    public var arrayValue: [JSONValue]? { if case .array(let value) = self { value } else { nil } }
    /// The object, or nil if this is another kind of value.
    public var objectValue: JSONObject? { if case .object(let value) = self { value } else { nil } }

    /// What kind of value this is, for messages: `a text`, `an object`.
    package var kind: String {
        switch self {
        case .null: "null"
        case .bool: "a boolean"
        case .number: "a number"
        case .string: "a text"
        case .array: "an array"
        case .object: "an object"
        }
    }
}

extension JSONValue: Hashable {
    public static func == (left: JSONValue, right: JSONValue) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.number(let left), .number(let right)): left == right
        case (.string(let left), .string(let right)): left.utf8.elementsEqual(right.utf8)
        case (.array(let left), .array(let right)): left == right
        case (.object(let left), .object(let right)): left == right
        default: false
        }
    }

    public func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .bool(let value): hasher.combine(value)
        case .number(let value): hasher.combine(value)
        case .string(let value): hasher.combine(value)  // Coarser than ==, which a hash may be.
        case .array(let value): hasher.combine(value)
        case .object(let value): hasher.combine(value)
        }
    }
}

// No nil literal: in `found ? value : nil` it would silently stand for null.
extension JSONValue: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    public init(integerLiteral value: Int64) { self = .number(JSONNumber(value)) }
    /// A literal that no finite double holds becomes `null`.
    public init(floatLiteral value: Double) { self = JSONNumber(value).map(JSONValue.number) ?? .null }
    public init(stringLiteral value: String) { self = .string(value) }
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(JSONObject(elements.map { (key: $0.0, value: $0.1) }))
    }
}
