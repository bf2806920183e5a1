import Diagnostics
import Glibc
import Synchronization

/// SIGINT, SIGTERM and SIGHUP: the first asks the work to stop, the second ends the process at once.
enum Interruption {
    /// Tripped by the first signal.
    static let token = CancelToken()
    private static let signals = [SIGINT, SIGTERM, SIGHUP]
    private static let received = Atomic<Int32>(0)

    static func install() {
        // The handler must not be the first to touch these: making them is not safe inside a signal.
        _ = token
        _ = received.load(ordering: .relaxed)
        for number in signals {
            var action = sigaction()
            guard sigaction(number, nil, &action) == 0 else { continue }
            // Whoever started us in the background with the signal ignored meant it.
            if unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
                == unsafeBitCast(SIG_IGN, to: Int.self)
            {
                continue
            }
            action = sigaction()
            action.__sigaction_handler.sa_handler = { number in
                if Interruption.received.exchange(number, ordering: .relaxed) != 0 { _exit(128 + number) }
                Interruption.token.cancel()
            }
            // Without SA_RESTART, so that a wait for a passphrase ends too.
            sigaction(number, &action, nil)
        }
        // A parent that starts us from a worker thread of its own hands down that thread's blocked signals.
        var handled = sigset_t()
        sigemptyset(&handled)
        for number in signals { sigaddset(&handled, number) }
        pthread_sigmask(SIG_UNBLOCK, &handled, nil)
    }

    /// What an interrupted run ends with.
    static var exitStatus: ExitStatus {
        // A terminal that closes is no wish of a person at it.
        [SIGTERM, SIGHUP].contains(received.load(ordering: .relaxed)) ? .terminated : .interrupted
    }
}
