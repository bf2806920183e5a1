package import Diagnostics

/// What can be wrong with a sidecar of points of interest.
extension ErrorCode {
    /// Nothing in the layer is an SQLite database.
    package static let poiNotADatabase = ErrorCode("poi.not-a-database", .verification)
    package static let poiWAL = ErrorCode("poi.wal", .verification)
    /// A `-wal`, `-shm` or `-journal` file lies beside the database.
    package static let poiSidecar = ErrorCode("poi.sidecar", .verification)
    /// SQLite's integrity check finds faults.
    package static let poiIntegrity = ErrorCode("poi.integrity", .verification)
    /// A full-text table is out of step with its content.
    package static let poiTextIntegrity = ErrorCode("poi.fts-integrity", .verification)
    /// A table needs a module that plain SQLite does not have.
    package static let poiTextUnsupported = ErrorCode("poi.fts-unsupported", .unsupported)
}
