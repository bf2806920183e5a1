/// What long work is given by its caller: how many cores, where to tell its progress, when to stop.
public struct WorkContext: Sendable {
    /// The number of threads to use, 1 to 1,024.
    public let jobs: Int
    /// Polled at every chunk.
    public let cancel: CancelToken
    /// Told about bytes done and things worth saying.
    public let report: any ProgressReporter

    /// One thread, never cancelled and silent, unless said otherwise. Fewer than one thread counts as one, more than 1,024 as
    /// that many.
    public init(jobs: Int = 1, cancel: CancelToken = CancelToken(), report: any ProgressReporter = SilentReporter()) {
        self.jobs = min(max(1, jobs), 1_024)
        self.cancel = cancel
        self.report = report
    }
}

/// Listens to long work. Called from any thread.
public protocol ProgressReporter: Sendable {
    /// A stretch of work begins: `label` for people, `byteCount` in all if known.
    func begin(_ label: String, byteCount: UInt64?)
    /// `byteCount` more bytes of the current stretch are done.
    func advance(_ byteCount: UInt64)
    /// The current stretch is over.
    func end()
    /// Something the person should know that does not stop the work.
    func warn(_ warning: SnpackError)
    /// One line about what was done.
    func note(_ line: String)
}

/// Hears everything, says nothing.
public struct SilentReporter: ProgressReporter {
    /// A reporter for those who do not listen.
    public init() {}
    public func begin(_ label: String, byteCount: UInt64?) {}
    public func advance(_ byteCount: UInt64) {}
    public func end() {}
    public func warn(_ warning: SnpackError) {}
    public func note(_ line: String) {}
}
