public import Diagnostics

/// The id of a territory: a country's, such as `uk`, or a custom region's, `region-` and 16 hexadecimal digits.
///
/// Every value is safe as a directory name and in a URL.
public struct TerritoryID: Hashable, Sendable, CustomStringConvertible {
    /// The id on the wire: 1 to 64 of `a`-`z`, `0`-`9`, `-`; first and last not `-`.
    public let rawValue: String

    /// Parses an id that came from a person, a file or a channel.
    ///
    /// - Throws: `territory-id.invalid`.
    public init(parsing text: String) throws(SnpackError) {
        guard WireName.isValid(text, limit: Limits.idCharacters, startsWithLetter: false) else {
            throw SnpackError(
                .territoryIDInvalid, "\(quoted(text)) is not a territory id",
                hint: "use up to 64 lowercase letters, digits or hyphens, as in new-zealand")
        }
        if text.hasPrefix(Self.regionPrefix) {
            let digits = text.utf8.dropFirst(Self.regionPrefix.utf8.count)
            guard digits.count == 16, digits.allSatisfy({ isASCIIDigit($0) || (0x61...0x66).contains($0) }) else {
                throw SnpackError(
                    .territoryIDInvalid, "\(quoted(text)) is not the id of a region",
                    hint: "ids that start with region- go on with 16 hexadecimal digits, which snpack cut computes")
            }
        }
        rawValue = text
    }

    /// The id of the region whose canonical text has a digest that begins with these 16 hexadecimal digits.
    init(regionDigits: String) { rawValue = Self.regionPrefix + regionDigits }

    static let regionPrefix = "region-"

    /// True for the id of a custom region.
    public var isRegion: Bool { rawValue.hasPrefix(Self.regionPrefix) }

    public var description: String { rawValue }
}

extension TerritoryID: Comparable {
    public static func < (left: TerritoryID, right: TerritoryID) -> Bool {
        left.rawValue.precedesInBytes(right.rawValue)
    }
}
