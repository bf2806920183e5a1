import CSQLite
import Diagnostics

/// What one connection may use up. Values read from files that others made are bounded before they are allocated.
package struct DatabaseLimits: Sendable {
    /// The longest text, blob or row.
    package var valueByteCount: Int32 = 64 << 20
    /// The longest statement, and so the longest definition in a schema.
    package var statementByteCount: Int32 = 1 << 20
    package var expressionDepth: Int32 = 200
    /// Virtual machine operations over the life of the connection, or since its budget was renewed; nil for no bound.
    package var operationBudget: Int?
    /// How long to wait for another connection's lock.
    package var busyMilliseconds: Int32 = 5_000

    package init() {}

    /// For files that someone else made.
    package static let foreign: DatabaseLimits = {
        var limits = DatabaseLimits()
        limits.operationBudget = 20_000_000_000
        return limits
    }()

    func apply(to handle: OpaquePointer) {
        sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, valueByteCount)
        sqlite3_limit(handle, SQLITE_LIMIT_SQL_LENGTH, statementByteCount)
        sqlite3_limit(handle, SQLITE_LIMIT_EXPR_DEPTH, expressionDepth)
        sqlite3_limit(handle, SQLITE_LIMIT_TRIGGER_DEPTH, 1)
        sqlite3_limit(handle, SQLITE_LIMIT_WORKER_THREADS, 0)
        sqlite3_busy_timeout(handle, busyMilliseconds)
    }
}

/// Stops a statement that was cancelled, or that runs on and on. SQLite asks it every few thousand operations.
final class OperationWatch {
    static let interval: Int32 = 4_096
    private let cancel: CancelToken
    private let budget: Int?
    private var remaining: Int?
    private(set) var isOverBudget = false

    init(cancel: CancelToken, budget: Int?) {
        self.cancel = cancel
        self.budget = budget
        remaining = budget
    }

    func renew() {
        remaining = budget
        isOverBudget = false
    }

    var isCancelled: Bool { cancel.isCancelled }

    func install(on handle: OpaquePointer) {
        // Unretained: the connection holds the watch, and is closed before it lets go.
        let context = Unmanaged.passUnretained(self).toOpaque()
        sqlite3_progress_handler(
            handle, Self.interval,
            { context in
                guard let context else { return 0 }
                return Unmanaged<OperationWatch>.fromOpaque(context).takeUnretainedValue().shouldStop() ? 1 : 0
            }, context)
    }

    private func shouldStop() -> Bool {
        if let left = remaining {
            isOverBudget = left < Int(Self.interval)
            remaining = max(0, left - Int(Self.interval))
        }
        return isOverBudget || isCancelled
    }
}
