package import Diagnostics

extension ErrorCode {
    /// Nothing in the layer is a routing tile.
    package static let valhallaNoTiles = ErrorCode("valhalla.no-tiles", .verification)
    /// The builder's work files are there, its tiles are not.
    package static let valhallaOnlyTemporaries = ErrorCode("valhalla.only-temporaries", .verification)
    /// A builder's work file lies among the tiles.
    package static let valhallaTemporaryFile = ErrorCode("valhalla.temporary-file", .verification)
    /// A `tiles.tar` lies beside the tiles: the engine would prefer it.
    package static let valhallaTarBesideTree = ErrorCode("valhalla.tar-beside-tree", .verification)
    /// A file that is no tile, at a path where no tile can be.
    package static let valhallaStrayFile = ErrorCode("valhalla.stray-file", .verification)
    /// A tile that ends before its header does.
    package static let valhallaTileShort = ErrorCode("valhalla.tile-short", .verification)
    /// A tile whose header tells another size than the file has.
    package static let valhallaTileSize = ErrorCode("valhalla.tile-size", .verification)
    /// A tile whose header tells another id than its path does.
    package static let valhallaTileID = ErrorCode("valhalla.tile-id", .verification)
    /// A tile whose header tells another corner than its id has.
    package static let valhallaTileBase = ErrorCode("valhalla.tile-base", .verification)
    /// A tile whose header holds no version of the engine.
    package static let valhallaVersionText = ErrorCode("valhalla.version-text", .verification)
    package static let valhallaMixedVersions = ErrorCode("valhalla.mixed-versions", .verification)
    package static let valhallaMixedDatasets = ErrorCode("valhalla.mixed-datasets", .verification)
    package static let valhallaMixedBuilds = ErrorCode("valhalla.mixed-builds", .verification)
    /// The build id is not the one that the tiles' hashes make.
    package static let valhallaBuildID = ErrorCode("valhalla.build-id", .verification)
    /// The tiles have hashes, the build never got to its id.
    package static let valhallaUnfinishedBuild = ErrorCode("valhalla.unfinished-build", .verification)
    /// A warning: some levels have no tile.
    package static let valhallaLevelsMissing = ErrorCode("valhalla.levels-missing", .verification)
    /// A warning: an older Valhalla, whose tiles have no hashes and no build id.
    package static let valhallaNoBuildID = ErrorCode("valhalla.no-build-id", .verification)
    /// The bytes are no tar archive of the plain kind that the engine maps into memory.
    package static let valhallaTarMalformed = ErrorCode("valhalla.tar-malformed", .verification)
    /// A member that is no regular file at a tile's path.
    package static let valhallaTarMember = ErrorCode("valhalla.tar-member", .verification)
    package static let valhallaTarDuplicate = ErrorCode("valhalla.tar-duplicate", .verification)
    /// `index.bin` does not tell what the members are.
    package static let valhallaTarIndex = ErrorCode("valhalla.tar-index", .verification)
    /// A warning: the archive has no `index.bin`.
    package static let valhallaTarNoIndex = ErrorCode("valhalla.tar-no-index", .verification)
}
