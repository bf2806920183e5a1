import Diagnostics

/// One of the two kinds of signed documents: how it is called, how large it may be, what its readers know.
struct DocumentType {
    /// What `type` says.
    let name: String
    let byteLimit: Int
    let malformed: ErrorCode
    let tooNew: ErrorCode
    /// Every key that a reader of this format understands, at whatever depth; `critical` may name these.
    let knownKeys: Set<String>

    static let format: UInt64 = 1

    /// Parses a document and checks, in this order, `type`, `format` and `critical`.
    func open(_ bytes: [UInt8]) throws(SnpackError) -> DocumentField {
        guard bytes.count <= byteLimit else {
            throw SnpackError(malformed, "a \(name) of \(bytes.count) bytes, more than \(byteLimit)")
        }
        let value: JSONValue
        do { value = try StrictJSON.parse(bytes) } catch { throw error.recoded(malformed) }
        let root = DocumentField(root: value, malformed: malformed)

        let type = try root.required("type")
        guard try type.string() == name else { throw type.fault("\(quoted(try type.string())) is not a \(name)") }

        let format = try root.required("format").integer(1...Limits.byteCount)
        guard format == Self.format else {
            throw SnpackError(
                tooNew, "format: \(format) is later than \(Self.format), the latest known", hint: "update snpack")
        }
        for name in try root.optional("critical")?.elements(0...Int.max) ?? [] {
            let key = try name.string()
            guard knownKeys.contains(key) else {
                throw SnpackError(tooNew, "critical: \(quoted(key)) is not known", hint: "update snpack")
            }
        }
        return root
    }

    /// The members that every document of this type has.
    var commonMembers: JSONObject { ["type": .string(name), "format": .number(JSONNumber(Self.format))] }
}
