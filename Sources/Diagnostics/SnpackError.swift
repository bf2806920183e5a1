/// Everything that goes wrong in snpack: a stable code, one line for people, and the fix where there is one.
public struct SnpackError: Error, Hashable, Sendable {
    /// The stable name that scripts match on.
    public let code: ErrorCode
    /// One line that says what is wrong, with outside text quoted by ``quoted(_:)``.
    public let message: String
    /// What the person can do about it.
    public let hint: String?
    /// The file, URL or document key it is about.
    public let path: String?
    /// The single faults, when this error stands for several, or the error below this one.
    public let details: [SnpackError]

    /// An error with what there is to say of it.
    public init(
        _ code: ErrorCode, _ message: String, hint: String? = nil, path: String? = nil, details: [SnpackError] = []
    ) {
        self.code = code
        self.message = message
        self.hint = hint
        self.path = path
        self.details = details
    }

    /// The same error, told to be about `path` unless it already names one.
    public func at(_ path: String) -> SnpackError {
        SnpackError(code, message, hint: hint, path: self.path ?? path, details: details)
    }

    /// The same trouble under another code: a bad version in a signed document is a fault of the document.
    package func recoded(_ code: ErrorCode, prefix: String = "") -> SnpackError {
        SnpackError(code, prefix + message, hint: hint, path: path, details: details)
    }
}

extension SnpackError: CustomStringConvertible {
    public var description: String {
        let place = path.map { "\($0): " } ?? ""
        return "\(place)\(message) [\(code)]"
    }
}

extension Unicode.Scalar {
    /// True for U+0000–001F, U+007F–009F, U+2028–202E, U+2066–2069, U+061C, U+200E and U+200F: what could make shown text
    /// differ from what it says.
    package var misleads: Bool {
        switch value {
        case 0...0x1F, 0x7F...0x9F, 0x2028...0x202E, 0x2066...0x2069, 0x61C, 0x200E, 0x200F: true
        default: false
        }
    }
}

/// Text from outside, in double quotes, with control, bidirectional and quote characters escaped, cut at 200 scalars.
public func quoted(_ text: String) -> String {
    var result = "\""
    for (index, scalar) in text.unicodeScalars.enumerated() {
        if index == 200 {
            result += "…"
            break
        }
        switch scalar {
        case "\"", "\\":
            result.unicodeScalars.append("\\")
            result.unicodeScalars.append(scalar)
        case _ where scalar.misleads:
            result += "\\u{\(String(scalar.value, radix: 16))}"
        default:
            result.unicodeScalars.append(scalar)
        }
    }
    return result + "\""
}
