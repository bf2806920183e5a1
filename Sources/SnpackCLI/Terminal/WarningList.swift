import Diagnostics
import Synchronization

/// The warnings of a run, for the JSON object at its end.
final class WarningList: Sendable {
    private let warnings = Mutex<[SnpackError]>([])

    func add(_ warning: SnpackError) {
        warnings.withLock { if $0.count < FaultList.limit { $0.append(warning) } }
    }

    var all: [SnpackError] { warnings.withLock { $0 } }
}
