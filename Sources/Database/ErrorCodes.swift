package import Diagnostics

extension ErrorCode {
    /// The file is not there, is no regular file, or may not be opened.
    package static let sqliteCannotOpen = ErrorCode("sqlite.cannot-open", .localIO)
    package static let sqliteNotADatabase = ErrorCode("sqlite.not-a-database", .verification)
    /// The database's own structures contradict each other.
    package static let sqliteMalformed = ErrorCode("sqlite.malformed", .verification)
    /// The database is in WAL mode: reading it would need, and could make, files beside it.
    package static let sqliteWAL = ErrorCode("sqlite.wal", .verification)
    package static let sqliteBusy = ErrorCode("sqlite.busy", .conflict)
    /// A value or a statement is over the connection's ``DatabaseLimits``.
    package static let sqliteLimit = ErrorCode("sqlite.limit", .verification)
    /// A statement used up the connection's budget of operations.
    package static let sqliteRunaway = ErrorCode("sqlite.runaway", .verification)
    package static let sqliteDiskFull = ErrorCode("sqlite.disk-full", .localIO)
    package static let sqliteIO = ErrorCode("sqlite.io", .localIO)
    package static let sqliteReadOnly = ErrorCode("sqlite.read-only", .localIO)
    /// A row breaks a constraint of its table.
    package static let sqliteConstraint = ErrorCode("sqlite.constraint", .verification)
    /// Anything else: most often a table, column or function that is not there.
    package static let sqliteFailed = ErrorCode("sqlite.failed", .verification)
}
