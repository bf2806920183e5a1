package import Diagnostics
import Glibc

/// How often and after which pauses a request is tried again.
package struct RetryPolicy: Sendable {
    /// Attempts after the first one that bring nothing new.
    package var retries = 4
    /// The pause before the first retry; it doubles with each.
    package var firstPause = Duration.milliseconds(500)
    package var longestPause = Duration.seconds(20)
    /// A server that asks for a longer pause than this is told to the person instead.
    package var longestRetryAfter = Duration.seconds(60)
    /// 0 ..< 1. Half of each pause is left to it, so that clients that failed together do not return together.
    package var random: @Sendable () -> Double = { Double.random(in: 0..<1) }
    /// Waits; throws as soon as the token is cancelled.
    package var sleep: @Sendable (Duration, CancelToken) throws(SnpackError) -> Void = RetryPolicy.sleepInSlices

    package init() {}

    /// Every request is tried once.
    package static var never: RetryPolicy {
        var policy = RetryPolicy()
        policy.retries = 0
        return policy
    }

    /// The pause before retry `number`, 0 for the first; nil if there should be none.
    package func pause(beforeRetry number: Int, retryAfter: Duration? = nil) -> Duration? {
        guard number < retries else { return nil }
        var pause = firstPause
        for _ in 0..<number where pause < longestPause { pause *= 2 }
        pause = min(pause, longestPause)
        pause = pause / 2 + pause / 2 * random()
        guard let retryAfter else { return pause }
        return retryAfter <= longestRetryAfter ? max(pause, retryAfter) : nil
    }

    private static let sleepInSlices: @Sendable (Duration, CancelToken) throws(SnpackError) -> Void = {
        (duration, cancel) throws(SnpackError) in
        let end = SuspendingClock.now + duration
        try cancel.check()
        while SuspendingClock.now < end {
            let slice = min(end - SuspendingClock.now, .milliseconds(50))
            usleep(UInt32(max(1, slice / .microseconds(1))))
            try cancel.check()
        }
    }
}
