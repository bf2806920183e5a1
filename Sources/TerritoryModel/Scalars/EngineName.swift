public import Diagnostics

/// A program that reads a layer on the device, as `requires` names it: `valhalla`.
public struct EngineName: Hashable, Sendable, CustomStringConvertible {
    /// The name on the wire, of the same form as a layer kind.
    public let rawValue: String

    /// Parses a name that came from a person, a file or a channel.
    ///
    /// - Throws: `engine-name.invalid`.
    public init(parsing text: String) throws(SnpackError) {
        guard WireName.isValid(text, limit: Limits.kindCharacters, startsWithLetter: true) else {
            throw SnpackError(
                .engineNameInvalid, "\(quoted(text)) is not an engine name",
                hint: "use up to 32 lowercase letters, digits or hyphens, as in valhalla")
        }
        rawValue = text
    }

    public var description: String { rawValue }
}

extension EngineName: Comparable {
    public static func < (left: EngineName, right: EngineName) -> Bool { left.rawValue.precedesInBytes(right.rawValue) }
}
