package import Diagnostics

// Across the layers of a package.
extension ErrorCode {
    /// A layer that covers nothing of the territory's area.
    package static let packageLayerOutside = ErrorCode("package.layer-outside", .verification)
    /// No layer answers the territory's area.
    package static let packageNoArea = ErrorCode("package.no-area", .verification)
    /// A warning: a layer that reaches far beyond the territory's area.
    package static let packageLayerLarge = ErrorCode("package.layer-large", .verification)
    /// A warning: a layer that covers a small part of the territory's area.
    package static let packageLayerSmall = ErrorCode("package.layer-small", .verification)
    /// A warning: a style that draws vector tiles, in a package without any.
    package static let packageStyleWithoutTiles = ErrorCode("package.style-without-tiles", .verification)
}
