public import Diagnostics

/// What a layer is, as a manifest names it: `pmtiles`, `valhalla-tiles`, or a kind yet to come.
///
/// The set is open: an unknown kind survives a round trip. Every value is safe in a path or URL.
public struct LayerKind: Hashable, Sendable, CustomStringConvertible {
    /// The name on the wire: 1 to 32 of `a`-`z`, `0`-`9`, `-`; first a letter, last not `-`.
    public let rawValue: String

    /// The Valhalla tile tree.
    public static let valhallaTiles = LayerKind(rawValue: "valhalla-tiles")
    /// The PMTiles archive.
    public static let pmtiles = LayerKind(rawValue: "pmtiles")
    /// The index that finds places by name.
    public static let geocodeIndex = LayerKind(rawValue: "geocode-index")
    /// The database of points of interest.
    public static let poiSidecar = LayerKind(rawValue: "poi-sidecar")
    /// The style, its sprites and glyphs.
    public static let style = LayerKind(rawValue: "style")

    /// Parses a kind that came from a person, a file or a channel.
    ///
    /// - Throws: `layer-kind.invalid`.
    public init(parsing text: String) throws(SnpackError) {
        guard WireName.isValid(text, limit: Limits.kindCharacters, startsWithLetter: true) else {
            throw SnpackError(
                .layerKindInvalid, "\(quoted(text)) is not a layer kind",
                hint: "use up to 32 lowercase letters, digits or hyphens, as in geocode-index")
        }
        rawValue = text
    }

    private init(rawValue: String) { self.rawValue = rawValue }

    /// Where a layer of this kind lies below the package root unless its definition says otherwise; nil for kinds
    /// that are called by their source's name.
    public var defaultPath: LayerPath? {
        switch self {
        case .valhallaTiles: LayerPath(known: "valhalla")
        case .pmtiles: LayerPath(known: "map.pmtiles")
        case .geocodeIndex: LayerPath(known: "geocode")
        case .poiSidecar: LayerPath(known: "poi.sqlite")
        case .style: LayerPath(known: "style")
        default: nil
        }
    }

    public var description: String { rawValue }
}

extension LayerKind: Comparable {
    public static func < (left: LayerKind, right: LayerKind) -> Bool { left.rawValue.precedesInBytes(right.rawValue) }
}
