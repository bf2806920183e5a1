import Diagnostics
import Synchronization

/// Faults and warnings as answers come in, from any thread.
///
/// A server treats files of a kind alike: what is said of one is not said again of the next, but counted.
final class FoundFaults: Sendable {
    private struct Key: Hashable { let code: ErrorCode; let kind: ChannelFileKind }
    private struct Found {
        let error: SnpackError
        let isFault: Bool
        var paths: Set<String>
    }
    private struct State {
        var order: [Key] = []
        var found: [Key: Found] = [:]
    }
    private let state = Mutex(State())

    func add(_ verdict: HeadCheck.Verdict, _ kind: ChannelFileKind) {
        for fault in verdict.faults { add(fault, kind, isFault: true) }
        for warning in verdict.warnings { add(warning, kind, isFault: false) }
    }

    func add(_ error: SnpackError, _ kind: ChannelFileKind, isFault: Bool) {
        let key = Key(code: error.code, kind: kind)
        state.withLock { state in
            if state.found[key] == nil {
                state.order.append(key)
                state.found[key] = Found(error: error, isFault: isFault, paths: [])
            }
            state.found[key]?.paths.insert(error.path ?? "")
        }
    }

    var faults: [SnpackError] { list(isFault: true) }
    var warnings: [SnpackError] { list(isFault: false) }

    private func list(isFault: Bool) -> [SnpackError] {
        state.withLock { state in
            state.order.compactMap { key in state.found[key].flatMap { $0.isFault == isFault ? $0 : nil } }
                .map { found in
                    let more = found.paths.count - 1
                    guard more > 0 else { return found.error }
                    return SnpackError(
                        found.error.code, found.error.message + " (and \(more) more file\(more == 1 ? "" : "s") so)",
                        hint: found.error.hint, path: found.error.path)
                }
        }
    }
}
