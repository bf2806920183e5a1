import Synchronization

/// A handle with which any thread stops work in flight; the work looks at it between chunks.
public final class CancelToken: Sendable {
    private let flag = Atomic<Bool>(false)

    /// A token that nobody has cancelled.
    public init() {}

    /// Asks the work to stop. Calling it twice, or after the work ended, changes nothing.
    public func cancel() { flag.store(true, ordering: .relaxed) }

    /// True once ``cancel()`` was called.
    public var isCancelled: Bool { flag.load(ordering: .relaxed) }

    /// Throws ``ErrorCode/interrupted`` once ``cancel()`` was called.
    public func check() throws(SnpackError) {
        if isCancelled {
            throw SnpackError(.interrupted, "stopped before it was finished", hint: "run the same command again")
        }
    }
}
