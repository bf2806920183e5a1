public import Diagnostics

/// What a channel calls itself in its index: `main` by default, a region's id for the channel of a custom region.
public struct ChannelName: Hashable, Sendable, CustomStringConvertible {
    /// The name on the wire: 1 to 64 of `a`-`z`, `0`-`9`, `-`; first and last not `-`.
    public let rawValue: String

    /// The name of a channel of countries unless it was given another.
    public static let main = ChannelName(rawValue: "main")

    /// Parses a name that came from a person or a channel.
    ///
    /// - Throws: `channel-name.invalid`.
    public init(parsing text: String) throws(SnpackError) {
        guard WireName.isValid(text, limit: Limits.idCharacters, startsWithLetter: false) else {
            throw SnpackError(
                .channelNameInvalid, "\(quoted(text)) is not a channel name",
                hint: "use up to 64 lowercase letters, digits or hyphens, as in main")
        }
        rawValue = text
    }

    /// The name of the channel that carries a region.
    public init(of region: TerritoryID) { rawValue = region.rawValue }

    private init(rawValue: String) { self.rawValue = rawValue }

    /// True if only a region's channel may be called so.
    public var isRegion: Bool { rawValue.hasPrefix(TerritoryID.regionPrefix) }

    public var description: String { rawValue }
}
