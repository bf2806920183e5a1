import CSQLite
import Diagnostics

/// A return code of SQLite and its words for it.
struct SQLiteFailure {
    let status: Int32
    let message: String

    /// Takes the message while it still stands for this call.
    init(_ status: Int32, _ handle: OpaquePointer?) {
        self.status = status
        message =
            handle.flatMap { sqlite3_errmsg($0) }.map { String(cString: $0) } ?? String(cString: sqlite3_errstr(status))
    }

    func error(_ path: String) -> SnpackError {
        let code: ErrorCode =
            switch status & 0xFF {
            case SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_AUTH: .sqliteCannotOpen
            case SQLITE_NOTADB: .sqliteNotADatabase
            case SQLITE_CORRUPT, SQLITE_FORMAT: .sqliteMalformed
            case SQLITE_BUSY, SQLITE_LOCKED: .sqliteBusy
            case SQLITE_TOOBIG, SQLITE_NOMEM: .sqliteLimit
            case SQLITE_FULL: .sqliteDiskFull
            case SQLITE_IOERR: .sqliteIO
            case SQLITE_READONLY: .sqliteReadOnly
            case SQLITE_CONSTRAINT: .sqliteConstraint
            default: .sqliteFailed
            }
        // The message may carry names out of the file's schema.
        return SnpackError(code, "SQLite says \(quoted(message))", path: path)
    }
}
