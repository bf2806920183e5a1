package import Diagnostics

/// What can be wrong with a PMTiles archive. The archive's own faults end in status 3; a format this version
/// does not read ends in 8.
extension ErrorCode {
    private static func fault(_ kind: String) -> ErrorCode { ErrorCode("pmtiles.\(kind)", .verification) }

    // The header
    package static let pmtilesNotAnArchive = fault("not-an-archive")
    package static let pmtilesVersion = ErrorCode("pmtiles.version", .unsupported)
    /// A section lies outside the file, or its length is one that no archive has.
    package static let pmtilesSectionRange = fault("section-range")
    package static let pmtilesSectionOverlap = fault("section-overlap")
    /// The root directory is not within the first 16 KiB, which is all that readers fetch.
    package static let pmtilesRootTooFar = fault("root-too-far")
    package static let pmtilesNotClustered = fault("not-clustered")
    package static let pmtilesInternalCompression = ErrorCode("pmtiles.internal-compression", .unsupported)
    package static let pmtilesTileCompression = ErrorCode("pmtiles.tile-compression", .unsupported)
    package static let pmtilesTileType = ErrorCode("pmtiles.tile-type", .unsupported)
    package static let pmtilesZoomOrder = fault("zoom-order")
    package static let pmtilesCenter = fault("center")
    package static let pmtilesBoundsRange = fault("bounds-range")
    package static let pmtilesBoundsEmpty = fault("bounds-empty")
    /// Degrees written where degrees · 10^7 belong.
    package static let pmtilesBoundsScale = fault("bounds-scale")
    package static let pmtilesBoundsCoverage = fault("bounds-coverage")
    package static let pmtilesZoomRange = fault("zoom-range")
    package static let pmtilesCounts = fault("counts")

    // Directories and entries
    package static let pmtilesDirectory = fault("directory")
    package static let pmtilesLeafNesting = fault("leaf-nesting")
    package static let pmtilesLeafRange = fault("leaf-range")
    package static let pmtilesEntryOrder = fault("entry-order")
    package static let pmtilesEntryEmpty = fault("entry-empty")
    package static let pmtilesEntryRange = fault("entry-range")
    package static let pmtilesEntryOverlap = fault("entry-overlap")
    package static let pmtilesNoTiles = fault("no-tiles")

    // Tiles and metadata
    package static let pmtilesTileTooLarge = fault("tile-too-large")
    /// It does not decompress as the header says.
    package static let pmtilesTileDamaged = fault("tile-damaged")
    /// It is not of the type that the header says.
    package static let pmtilesTileFormat = fault("tile-format")
    package static let pmtilesMetadata = fault("metadata")
    package static let pmtilesVectorLayers = fault("vector-layers")
    /// A layer kind `pmtiles` that is not one archive.
    package static let pmtilesLayerForm = fault("layer-form")

    // Warnings
    package static let pmtilesBuildCommand = fault("build-command")
    package static let pmtilesBuildPath = fault("build-path")
    package static let pmtilesUnusedBytes = fault("unused-bytes")
    package static let pmtilesBoundsLarge = fault("bounds-large")
    package static let pmtilesCountsUnknown = fault("counts-unknown")
    package static let pmtilesLeafOffset = fault("leaf-offset")
}
