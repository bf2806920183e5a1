import Diagnostics
import Hashing

/// A value in a document together with its place there, so that whatever is wrong with it is told with its key path.
struct DocumentField {
    let value: JSONValue
    private let place: Place
    private let malformed: ErrorCode

    /// A key path, linked from its end to the root: built for every field, spelled out only for an error.
    private indirect enum Place {
        case root
        case key(String, of: Place)
        case element(Int, of: Place)
    }

    private init(_ value: JSONValue, at place: Place, malformed: ErrorCode) {
        self.value = value
        self.place = place
        self.malformed = malformed
    }

    /// A whole document. Faults in it are thrown as `malformed`.
    init(root value: JSONValue, malformed: ErrorCode) { self.init(value, at: .root, malformed: malformed) }

    /// What this field's error says, with the key path in front: `layers[2].blob.bytes: …`.
    func fault(_ reason: String, hint: String? = nil) -> SnpackError {
        let path = keyPath
        return SnpackError(malformed, path.isEmpty ? reason : "\(path): \(reason)", hint: hint)
    }

    private var keyPath: String {
        var steps: [String] = []
        var place = place
        while true {
            switch place {
            case .root: return steps.reversed().joined()
            case .element(let index, let parent):
                steps.append("[\(index)]")
                place = parent
            case .key(let key, let parent):
                let isPlain = key.utf8.allSatisfy { isASCIIDigit($0) || (0x61...0x7A).contains($0) || $0 == 0x5F }
                if !isPlain || key.isEmpty {
                    steps.append("[\(quoted(key))]")
                } else if case .root = parent {
                    steps.append(key)
                } else {
                    steps.append("." + key)
                }
                place = parent
            }
        }
    }

    // MARK: Members and elements

    func object() throws(SnpackError) -> JSONObject {
        guard let object = value.objectValue else { throw wrongKind("an object") }
        return object
    }

    func optional(_ key: String) throws(SnpackError) -> DocumentField? {
        try object()[key].map { member(key, $0) }
    }

    func required(_ key: String) throws(SnpackError) -> DocumentField {
        guard let field = try optional(key) else { throw member(key, .null).fault("missing") }
        return field
    }

    /// The members of an object whose keys are the writer's to choose.
    func members(_ count: ClosedRange<Int>) throws(SnpackError) -> [(key: String, field: DocumentField)] {
        let object = try object()
        guard count.contains(object.count) else { throw fault(Self.needs(count, "members", object.count)) }
        return object.members.map { ($0.key, member($0.key, $0.value)) }
    }

    func elements(_ count: ClosedRange<Int>) throws(SnpackError) -> [DocumentField] {
        guard let array = value.arrayValue else { throw wrongKind("an array") }
        guard count.contains(array.count) else { throw fault(Self.needs(count, "elements", array.count)) }
        return array.enumerated().map {
            DocumentField($0.element, at: .element($0.offset, of: place), malformed: malformed)
        }
    }

    private func member(_ key: String, _ value: JSONValue) -> DocumentField {
        DocumentField(value, at: .key(key, of: place), malformed: malformed)
    }

    private func wrongKind(_ wanted: String) -> SnpackError { fault("\(wanted) is needed here, not \(value.kind)") }

    private static func needs(_ range: ClosedRange<Int>, _ what: String, _ count: Int) -> String {
        "\(range.lowerBound) to \(range.upperBound) \(what) are needed here, not \(count)"
    }

    // MARK: Scalars

    func integer(_ range: ClosedRange<UInt64> = 0...Limits.byteCount) throws(SnpackError) -> UInt64 {
        guard let number = value.numberValue else { throw wrongKind("an integer") }
        guard let integer = number.unsignedInteger, range.contains(integer) else {
            throw fault(
                "an integer from \(range.lowerBound) to \(range.upperBound) is needed here, not "
                    + (number.literal.utf8.count <= 40 ? number.literal : "one of \(number.literal.utf8.count) digits"))
        }
        return integer
    }

    func bool() throws(SnpackError) -> Bool {
        guard let bool = value.boolValue else { throw wrongKind("true or false") }
        return bool
    }

    func string() throws(SnpackError) -> String {
        guard let string = value.stringValue else { throw wrongKind("a text") }
        return string
    }

    func text(_ length: ClosedRange<Int>) throws(SnpackError) -> DisplayText {
        try parsed { text throws(SnpackError) in try DisplayText(parsing: text, length: length) }
    }

    func digest() throws(SnpackError) -> Blake3Digest { try parsed(Blake3Digest.init(parsing:)) }

    func parsed<Scalar>(_ parse: (String) throws(SnpackError) -> Scalar) throws(SnpackError) -> Scalar {
        let text = try string()
        return try checked { () throws(SnpackError) in try parse(text) }
    }

    /// Runs `body`, whose fault is a fault of this field.
    func checked<Result>(_ body: () throws(SnpackError) -> Result) throws(SnpackError) -> Result {
        do { return try body() } catch { throw fault(error.message, hint: error.hint) }
    }

    func boundingBox() throws(SnpackError) -> BoundingBox {
        var edges: [Double] = []
        for element in try elements(4...4) {
            guard let number = element.value.numberValue else { throw element.wrongKind("a number") }
            edges.append(number.double)
        }
        return try checked { () throws(SnpackError) in
            try BoundingBox(west: edges[0], south: edges[1], east: edges[2], north: edges[3])
        }
    }

    /// Throws unless this field holds the text that follows from the rest of the document.
    func mustBe(_ derived: String) throws(SnpackError) {
        guard try string().utf8.elementsEqual(derived.utf8) else { throw fault("must be \(quoted(derived))") }
    }
}
