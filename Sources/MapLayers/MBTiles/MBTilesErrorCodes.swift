package import Diagnostics

extension ErrorCode {
    /// Rows may still lie in a `-wal` or `-journal` beside the file.
    package static let mbtilesInUse = ErrorCode("mbtiles.in-use", .verification)
    /// It has no table or view `tiles` with the columns of MBTiles, or no `metadata`.
    package static let mbtilesSchema = ErrorCode("mbtiles.schema", .verification)
    /// A row of `tiles` that is no tile.
    package static let mbtilesRow = ErrorCode("mbtiles.row", .verification)
    package static let mbtilesDuplicate = ErrorCode("mbtiles.duplicate-tile", .verification)
    package static let mbtilesMetadata = ErrorCode("mbtiles.metadata", .verification)
    package static let mbtilesFormat = ErrorCode("mbtiles.format", .verification)
    /// A warning: the metadata's bounds are not where the tiles are; the tiles' own box is written.
    package static let mbtilesBounds = ErrorCode("mbtiles.bounds", .verification)
}
