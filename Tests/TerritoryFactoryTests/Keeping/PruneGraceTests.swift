import Diagnostics
import DurableFiles
import Foundation
import SnpackTestSupport
import TerritoryFactory
import TerritoryModel
import Testing

/// How long the files of a version stay that no index lists any more, to the second.
@Suite struct PruneGraceTests {
    private let factory: SmallFactory
    private static let day: Int64 = 86_400

    init() throws { factory = try SmallFactory() }

    /// Runs `body` with a channel of 1.0.0 and 1.1.0.
    private func withChannel(_ body: (URL) throws -> Void) throws {
        try ProjectFiles.inTemporaryDirectory { root in
            for version in ["1.0.0", "1.1.0"] {
                _ = try factory.release(version, in: root)
                try factory.publish(version, in: root)
            }
            try body(root)
        }
    }

    private func time(_ seconds: Int64) -> Timestamp {
        Timestamp(secondsSince1970: SmallFactory.now.secondsSince1970 + seconds)
    }

    /// Prunes `seconds` after the beginning.
    private func prune(
        _ root: URL, at seconds: Int64, keep: Int = 1, grace: Int64 = day
    ) throws -> ChannelPruning.Outcome {
        var succession = factory.succession(root, SystemDisk())
        succession.now = time(seconds)
        return try ChannelPruning(keep: keep, grace: grace, now: time(seconds), context: WorkContext()).run(
            ChannelChange(
                of: root.appending(path: "channel").path, finish: .sign(factory.key), succession: succession))
    }

    private func isThere(_ root: URL) -> Bool {
        FileManager.default.fileExists(atPath: root.appending(path: "channel/territories/demo/1.0.0").path)
    }

    @Test func whatAnIndexOfTheGraceTimeListedStaysUntilItIsOver() throws {
        try withChannel { root in
            let first = try prune(root, at: 0)
            #expect(first.dropped.map(\.description) == ["demo@1.0.0"] && first.deleted.isEmpty)
            #expect(first.waiting.map(\.until) == [time(Self.day)])
            let early = try prune(root, at: Self.day - 1)
            #expect(early.deleted.isEmpty && early.waiting.map(\.until) == [time(Self.day)] && isThere(root))
            let due = try prune(root, at: Self.day)
            #expect(due.deleted.map(\.description) == ["demo@1.0.0"] && due.waiting.isEmpty && !isThere(root))
            #expect(try factory.soundSequence(root) == 3, "one index was signed for all of it")
        }
    }

    @Test func aLongerGraceHoldsBackWhatAShorterOneWouldDelete() throws {
        try withChannel { root in
            _ = try prune(root, at: 0)
            #expect(try prune(root, at: 3 * Self.day, grace: 7 * Self.day).deleted.isEmpty)
            #expect(isThere(root))
            #expect(try prune(root, at: 3 * Self.day, grace: Self.day).deleted.count == 1)
        }
    }

    @Test func aVersionThatIsListedAgainBeginsItsTimeAnew() throws {
        try withChannel { root in
            _ = try prune(root, at: 0)
            // The same release is published again, and its files are its own ones.
            try factory.publish("1.0.0", in: root)
            #expect(try prune(root, at: 2 * Self.day, keep: 2).deleted.isEmpty)
            #expect(try factory.soundSequence(root) == 4 && isThere(root))
            let again = try prune(root, at: 3 * Self.day)
            #expect(again.dropped.count == 1 && again.waiting.map(\.until) == [time(4 * Self.day)])
            #expect(try prune(root, at: 4 * Self.day).deleted.count == 1)
        }
    }

    @Test func aClockThatWasWrongDeletesNothingEarly() throws {
        try withChannel { root in
            // A year ahead when the version left, right again afterwards.
            _ = try prune(root, at: 365 * Self.day)
            #expect(try prune(root, at: 0).waiting.map(\.until) == [time(Self.day)])
            #expect(try prune(root, at: Self.day - 1).deleted.isEmpty && isThere(root))
            // A record that cannot be read begins the time anew.
            try Data("{".utf8).write(to: root.appending(path: "channel/.snpack/unlisted.json"))
            #expect(try prune(root, at: 2 * Self.day).deleted.isEmpty)
            #expect(try prune(root, at: 3 * Self.day).deleted.count == 1)
        }
    }
}
