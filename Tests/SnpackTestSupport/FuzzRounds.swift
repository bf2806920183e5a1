import Foundation

/// How often a test damages its input at random: a fixed number of rounds, or, under `scripts/fuzz`, for as long as
/// `SNPACK_FUZZ_SECONDS` says and at least that number.
public struct FuzzRounds: Sequence, IteratorProtocol {
    private let least: Int
    private let end: ContinuousClock.Instant?
    private var round = 0

    public init(_ least: Int) {
        self.least = least
        let seconds = ProcessInfo.processInfo.environment["SNPACK_FUZZ_SECONDS"].flatMap(Double.init)
        end = seconds.map { ContinuousClock.now + .seconds($0) }
    }

    public mutating func next() -> Int? {
        let isOver = end.map { $0 < .now } ?? true
        if round >= least, isOver {
            if end != nil { print("fuzzed \(round) rounds") }
            return nil
        }
        defer { round += 1 }
        return round
    }
}
