import Diagnostics
import Synchronization

/// Shows long work to a person: a bar on a terminal once a stretch has lasted a second, notes if asked for, warnings.
final class TerminalProgress: ProgressReporter {
    private struct Stretch {
        let label: String
        let total: UInt64?
        let start: ContinuousClock.Instant
        var done: UInt64 = 0
        var drawn: ContinuousClock.Instant?
    }

    private static let patience = Duration.seconds(1)
    private static let interval = Duration.milliseconds(100)

    private let output: Output
    private let draws: Bool
    private let notes: Bool
    private let stretch = Mutex<Stretch?>(nil)

    init(output: Output, options: GlobalOptions) {
        self.output = output
        draws = output.terminal.redraws && !options.quiet && !options.json
        notes = options.verbose && !options.json
    }

    func begin(_ label: String, byteCount: UInt64?) {
        guard draws else { return }
        stretch.withLock { stretch in
            erase(&stretch)
            stretch = Stretch(label: label, total: byteCount, start: .now)
        }
    }

    func advance(_ byteCount: UInt64) {
        guard draws else { return }
        stretch.withLock { stretch in
            guard var current = stretch else { return }
            current.done &+= byteCount
            let now = ContinuousClock.now
            if now - current.start >= Self.patience, now - (current.drawn ?? current.start) >= Self.interval {
                current.drawn = now
                draw(current, at: now)
            }
            stretch = current
        }
    }

    func end() {
        guard draws else { return }
        stretch.withLock { stretch in
            erase(&stretch)
            stretch = nil
        }
    }

    func warn(_ warning: SnpackError) {
        stretch.withLock { stretch in
            erase(&stretch)
            output.warn(warning)
        }
    }

    func note(_ line: String) {
        guard notes else { return }
        stretch.withLock { stretch in
            erase(&stretch)
            output.tell([printable(line)])
        }
    }

    private func draw(_ stretch: Stretch, at now: ContinuousClock.Instant) {
        let line = ProgressLine(
            label: stretch.label, total: stretch.total, done: stretch.done, seconds: (now - stretch.start) / .seconds(1)
        )
        let width = (output.terminal.error.columnCount ?? 80) - 1
        output.terminal.error.write("\r\u{1b}[K\(line.text(width: max(width, 10)))".utf8)
    }

    /// Takes the bar off the screen; the next ``advance(_:)`` draws it again.
    private func erase(_ stretch: inout Stretch?) {
        guard stretch?.drawn != nil else { return }
        stretch?.drawn = nil
        output.terminal.error.write("\r\u{1b}[K".utf8)
    }
}
