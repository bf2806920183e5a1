package import Diagnostics

/// What can be wrong with a style layer.
extension ErrorCode {
    private static func fault(_ kind: String) -> ErrorCode { ErrorCode("style.\(kind)", .verification) }

    // The document
    /// Neither `light.json` nor `dark.json` nor `style.json` is there.
    package static let styleNoDocument = fault("no-document")
    /// A file is no style document of version 8.
    package static let styleDocument = fault("document")
    package static let styleSource = fault("source")
    package static let styleLayerID = fault("layer-id")
    package static let styleLayerType = fault("layer-type")
    /// A layer without a source, or with one that is not there or does not fit its type.
    package static let styleLayerSource = fault("layer-source")
    /// A layer of vector data without a `source-layer`, or with one that the package's PMTiles does not have.
    package static let styleSourceLayer = fault("source-layer")

    // References
    package static let styleRemoteURL = fault("remote-url")
    /// A `{key}` that nobody will fill in.
    package static let stylePlaceholder = fault("placeholder")
    package static let styleURLScheme = fault("url-scheme")
    /// A path that leads out of the layer.
    package static let stylePathOutside = fault("path-outside")
    package static let styleFileMissing = fault("file-missing")

    // Fonts
    package static let styleGlyphsTemplate = fault("glyphs-template")
    package static let styleFontMissing = fault("font-missing")
    /// A font without the range 0-255.
    package static let styleFontRange = fault("font-range")
    /// A glyph file whose name is no range of 256 that begins on a multiple of 256.
    package static let styleGlyphName = fault("glyph-name")
    /// A glyph file that holds another range than its name says.
    package static let styleGlyphRange = fault("glyph-range")
    package static let styleGlyphMalformed = fault("glyph-malformed")

    // Icons
    package static let styleSpriteMalformed = fault("sprite-malformed")
    /// The sprite's JSON tells of other images than its PNG or its other scale has.
    package static let styleSpriteMismatch = fault("sprite-mismatch")
    package static let styleIconMissing = fault("icon-missing")

    // Warnings
    /// A web address in `metadata`, which no renderer fetches.
    package static let styleRemoteMention = fault("remote-mention")
    /// A PMTiles source by its place on the machine that wrote the style.
    package static let stylePMTilesPlace = fault("pmtiles-place")
    /// A stack that is served by its fonts' own directories.
    package static let styleFontFallback = fault("font-fallback")
    /// Fonts that come out of the data: which ones cannot be known.
    package static let styleFontUnknown = fault("font-unknown")
    /// Icons that come out of the data: which ones cannot be known.
    package static let styleIconUnknown = fault("icon-unknown")
    /// There is no sprite for dense screens.
    package static let styleSpriteScale = fault("sprite-scale")
}
