public import Diagnostics

/// The version of a territory: Semantic Versioning 2.0.0 without build metadata, ordered by semver precedence.
///
/// Because build metadata is refused, two versions of equal precedence are the same text.
public struct TerritoryVersion: Hashable, Sendable, CustomStringConvertible {
    /// The version on the wire, at most 64 ASCII characters.
    public let rawValue: String

    /// Parses a version that came from a person, a file or a channel.
    ///
    /// - Throws: `version.invalid`; for a date with leading zeros the hint is the version that was meant.
    public init(parsing text: String) throws(SnpackError) {
        let bytes = text.utf8
        guard bytes.count <= Limits.versionCharacters else {
            throw Self.invalid(text, "longer than \(Limits.versionCharacters) characters")
        }
        if bytes.contains(UInt8(ascii: "+")) {
            throw Self.invalid(
                text, "build metadata does not order versions",
                hint: "leave out what begins with +, or make it a pre-release, as in 1.2.3-beta.4")
        }
        let parts = Self.parts(of: text)
        guard parts.core.count == 3, parts.core.allSatisfy({ !$0.isEmpty && $0.allSatisfy(isASCIIDigit) }) else {
            throw Self.invalid(text, "not three numbers", hint: "write it as 1.2.3 or 1.2.3-beta.4")
        }
        guard parts.core.allSatisfy(Self.hasNoLeadingZero) else {
            let corrected = parts.core.map(Self.withoutLeadingZeros).joined(separator: ".")
            let rest = text.utf8.dropFirst(parts.core.reduce(2) { $0 + $1.count })
            throw Self.invalid(
                text, "a number with a leading zero", hint: "write \(corrected + String(decoding: rest, as: UTF8.self))"
            )
        }
        for identifier in parts.prerelease ?? [] {
            guard !identifier.isEmpty, identifier.allSatisfy(Self.isIdentifierCharacter) else {
                throw Self.invalid(
                    text, "a pre-release consists of letters, digits and hyphens between dots",
                    hint: "write it as 1.2.3-beta.4")
            }
            guard !Self.isNumeric(identifier) || Self.hasNoLeadingZero(identifier) else {
                throw Self.invalid(
                    text, "a pre-release number with a leading zero",
                    hint: "write \(Self.withoutLeadingZeros(identifier)) in place of \(Self.text(identifier))")
            }
        }
        rawValue = text
    }

    /// True for a version with a pre-release part, such as `1.0.0-beta.2`.
    public var isPrerelease: Bool { rawValue.utf8.contains(UInt8(ascii: "-")) }

    /// The version in lowercase: what file systems that know no case take for its name.
    ///
    /// No two versions of a territory may share it, because versions are directory names.
    public var asciiLowercased: String { rawValue.asciiLowercased }

    public var description: String { rawValue }

    private static func invalid(_ text: String, _ reason: String, hint: String? = nil) -> SnpackError {
        SnpackError(.versionInvalid, "\(quoted(text)) is not a version: \(reason)", hint: hint)
    }
}

extension TerritoryVersion: Comparable {
    /// Precedence as in section 11 of Semantic Versioning 2.0.0, with numbers of any length.
    public static func < (left: TerritoryVersion, right: TerritoryVersion) -> Bool {
        let (left, right) = (parts(of: left.rawValue), parts(of: right.rawValue))
        for (left, right) in zip(left.core, right.core) where !left.elementsEqual(right) {
            return isSmaller(left, right)
        }
        switch (left.prerelease, right.prerelease) {
        case (nil, _): return false
        case (_, nil): return true
        case (let left?, let right?):
            for (left, right) in zip(left, right) where !left.elementsEqual(right) {
                switch (isNumeric(left), isNumeric(right)) {
                case (true, true): return isSmaller(left, right)
                case (false, false): return left.lexicographicallyPrecedes(right)
                case (let leftIsNumeric, _): return leftIsNumeric
                }
            }
            return left.count < right.count
        }
    }

    private typealias Identifier = Substring.UTF8View

    /// The identifiers before and after the first hyphen.
    private static func parts(of text: String) -> (core: [Identifier], prerelease: [Identifier]?) {
        func identifiers(_ text: Identifier) -> [Identifier] {
            text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        }
        let halves = Substring(text).utf8.split(
            separator: UInt8(ascii: "-"), maxSplits: 1, omittingEmptySubsequences: false)
        return (identifiers(halves[0]), halves.count > 1 ? identifiers(halves[1]) : nil)
    }

    /// Compares two numbers without leading zeros: the longer is the greater.
    private static func isSmaller(_ left: Identifier, _ right: Identifier) -> Bool {
        left.count == right.count ? left.lexicographicallyPrecedes(right) : left.count < right.count
    }

    private static func isNumeric(_ identifier: Identifier) -> Bool { identifier.allSatisfy(isASCIIDigit) }
    private static func hasNoLeadingZero(_ identifier: Identifier) -> Bool {
        identifier.count == 1 || identifier.first != UInt8(ascii: "0")
    }
    private static func isIdentifierCharacter(_ byte: UInt8) -> Bool {
        isASCIIDigit(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || byte == 0x2D
    }
    private static func withoutLeadingZeros(_ identifier: Identifier) -> String {
        let significant = identifier.drop { $0 == UInt8(ascii: "0") }
        return significant.isEmpty ? "0" : text(significant)
    }
    private static func text(_ identifier: Identifier) -> String { String(decoding: identifier, as: UTF8.self) }
}
