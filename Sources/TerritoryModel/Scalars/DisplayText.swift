public import Diagnostics

/// A text that apps show to people: free of control and bidirectional formatting characters, bounded in length.
///
/// Two texts are equal when their scalars are; `String` would also call different normal forms equal.
public struct DisplayText: Sendable, CustomStringConvertible {
    /// The text as it was given; nothing is normalised.
    public let rawValue: String

    /// Parses a text that came from a person, a file or a channel.
    ///
    /// - Parameters:
    ///   - text: what it says.
    ///   - length: how many Unicode scalars it may have.
    /// - Throws: `text.invalid`.
    public init(parsing text: String, length: ClosedRange<Int> = Limits.displayName) throws(SnpackError) {
        // A scalar takes 1 to 4 bytes, so a text that is far too long is refused uncounted.
        guard text.utf8.count / 4 <= length.upperBound, length.contains(text.unicodeScalars.count) else {
            throw SnpackError(
                .textInvalid, "a text of \(length.lowerBound) to \(length.upperBound) characters is needed here",
                hint: text.isEmpty ? nil : "shorten \(quoted(String(text.prefix(40))))")
        }
        if let scalar = text.unicodeScalars.first(where: \.misleads) {
            throw SnpackError(
                .textInvalid,
                "\(quoted(text)) holds the invisible character U+\(Self.codePoint(scalar))",
                hint: "remove it; texts are one line, without control and direction characters")
        }
        rawValue = text
    }

    /// The text of somebody who writes a document: as ``init(parsing:length:)``, and something of it can be seen.
    /// - Throws: `text.invalid`, also for a text of spaces and characters without width alone.
    package init(writing text: String, length: ClosedRange<Int> = Limits.displayName) throws(SnpackError) {
        try self.init(parsing: text, length: length)
        let isBlank = text.unicodeScalars.allSatisfy {
            $0.properties.isWhitespace || $0.properties.isDefaultIgnorableCodePoint
        }
        guard !isBlank else {
            throw SnpackError(
                .textInvalid, "a text of which nothing can be seen is no name",
                hint: "write something between the quotes")
        }
    }

    private static func codePoint(_ scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }

    public var description: String { rawValue }
}

extension DisplayText: Hashable {
    public static func == (left: DisplayText, right: DisplayText) -> Bool {
        left.rawValue.utf8.elementsEqual(right.rawValue.utf8)
    }

    // Coarser than ==, which a hash may be.
    public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
}
