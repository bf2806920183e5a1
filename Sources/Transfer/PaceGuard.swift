/// Ends a transfer that drips. Time is credit: a body that keeps the slowest rate lasts, one below it runs out.
///
/// At first, and after any stretch at a good rate, there is ``Pace/patience`` left; every byte earns the time it may
/// take at the slowest rate. A silent server is dropped after exactly that patience, and n bytes never take longer
/// than it plus n at the slowest rate, so this is the overall time-out, too.
struct PaceGuard {
    private let pace: HTTPClient.Pace
    private var deadline: SuspendingClock.Instant

    init(_ pace: HTTPClient.Pace, now: SuspendingClock.Instant) {
        self.pace = pace
        deadline = now + pace.patience
    }

    mutating func earn(byteCount: Int, now: SuspendingClock.Instant) {
        let earned = Duration.seconds(Double(byteCount) / Double(max(1, pace.slowestBytesPerSecond)))
        deadline = min(deadline + earned, now + pace.patience)
    }

    /// The consumer's own time is not the network's fault.
    mutating func excuse(_ duration: Duration) { deadline += duration }

    func isOver(now: SuspendingClock.Instant) -> Bool { now > deadline }
}
