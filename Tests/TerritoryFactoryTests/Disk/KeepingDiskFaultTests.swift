import Diagnostics
import DurableFiles
import Foundation
import Signing
import SnpackTestSupport
import TerritoryFactory
import TerritoryModel
import TerritoryPackage
import Testing

/// What keeps a channel, with a disk that fails, or dies, or loses power, at every call in turn.
@Suite struct KeepingDiskFaultTests {
    private let factory: SmallFactory

    init() throws { factory = try SmallFactory() }

    /// A channel of 1.0.0 and 1.1.0, sequence 2.
    private func matrix(_ name: String, _ body: (FaultMatrix) async throws -> Void) async throws {
        try await ProjectFiles.inTemporaryDirectory { root in
            let start = root.appending(path: "start")
            try FileManager.default.createDirectory(at: start, withIntermediateDirectories: true)
            for version in ["1.0.0", "1.1.0"] {
                _ = try factory.release(version, in: start)
                try factory.publish(version, in: start)
            }
            try FileManager.default.removeItem(at: start.appending(path: "build"))
            try await body(FaultMatrix(name, from: start))
        }
    }

    private func name(_ version: String) throws -> ReleaseName {
        ReleaseName(try TerritoryID(parsing: "demo"), try TerritoryVersion(parsing: version))
    }

    private func change(
        _ root: URL, _ disk: any Disk, of channel: String = "channel", by key: SecretKey? = nil
    ) throws -> ChannelChange {
        var succession = factory.succession(root, disk)
        if key != nil { succession.statePath = root.appending(path: "second.published.json").path }
        return try ChannelChange(
            of: root.appending(path: channel).path, finish: .sign(key ?? factory.key), succession: succession,
            disk: disk)
    }

    private func keeper(_ root: URL, _ disk: any Disk) throws -> ChannelKeeper {
        ChannelKeeper(try change(root, disk), context: WorkContext())
    }

    @Test("Case 83: yank leaves the old index or the new one, wherever the disk fails")
    func case083_yank() async throws {
        try await matrix("yank") {
            try await $0.run(
                before: "2", after: "3",
                act: { _ = try keeper($0, $1).yank(name("1.1.0"), reason: DisplayText(parsing: "bad")) }
            ) { "\(try factory.soundSequence($0))" }
        }
    }

    @Test("Case 83: republish leaves the old channel or the new one, wherever the disk fails")
    func case083_republish() async throws {
        try await matrix("republish") {
            try await $0.run(
                before: "2", after: "3", leastCallCount: 20,
                act: { _ = try keeper($0, $1).republish(name("1.0.0"), as: TerritoryVersion(parsing: "1.2.0")) }
            ) { "\(try factory.soundSequence($0))" }
        }
    }

    @Test("Case 83: prune deletes nothing that is listed, wherever the disk fails, and the next one finishes")
    func case083_prune() async throws {
        func prune(_ root: URL, _ disk: any Disk) throws {
            _ = try ChannelPruning(keep: 1, grace: 0, now: SmallFactory.now, context: WorkContext())
                .run(change(root, disk))
        }
        try await matrix("prune") {
            try await $0.run(
                before: "2", after: "3", leastCallCount: 20, act: prune,
                again: { root in
                    try prune(root, SystemDisk())
                    let left = FileManager.default.fileExists(
                        atPath: root.appending(path: "channel/territories/demo/1.0.0").path)
                    #expect(!left)
                }
            ) { "\(try factory.soundSequence($0))" }
        }
    }

    @Test("Case 83: resign leaves no tree of the new key or a whole one, wherever the disk fails")
    func case083_resign() async throws {
        let new = try SecretKey.generate(role: .factory)
        try await matrix("resign") {
            try await $0.run(
                before: "0", after: "3", leastCallCount: 30,
                act: { root, disk in
                    _ = try ChannelResigning(
                        ChannelDirectory(Directory.open(root.appending(path: "channel").path)),
                        keys: factory.key.pinned(), context: WorkContext()
                    ).run(change(root, disk, of: "second", by: new))
                }
            ) { root in
                #expect(try factory.soundSequence(root) == 2, "the old key's tree is as it was")
                return "\(try sequence(of: root.appending(path: "second"), new.pinned()))"
            }
        }
    }

    @Test("Case 83: mirror leaves the old channel or the new one, wherever the disk fails")
    func case083_mirror() async throws {
        func mirror(_ root: URL, _ disk: any Disk) throws {
            _ = try ChannelMirror(
                of: ChannelDirectory(Directory.open(root.appending(path: "channel").path)),
                at: root.appending(path: "mirror").path, keys: factory.key.pinned(), scope: ChannelMirror.Scope(),
                context: WorkContext(), disk: disk
            ).run()
        }
        for isFirst in [true, false] {
            try await matrix(isFirst ? "first mirror" : "mirror") { matrix in
                if !isFirst {
                    try mirror(matrix.start, SystemDisk())
                    _ = try keeper(matrix.start, SystemDisk()).republish(
                        name("1.0.0"), as: TerritoryVersion(parsing: "1.2.0"))
                }
                try await matrix.run(
                    before: isFirst ? "0" : "2", after: isFirst ? "2" : "3", leastCallCount: 20, act: mirror
                ) { "\(try sequence(of: $0.appending(path: "mirror"), factory.key.pinned()))" }
            }
        }
    }

    /// The sequence of a channel's `index.signed`, if everything that it lists is whole; 0 where there is none.
    ///
    /// A mirror's pair is written first, so it may be ahead.
    private func sequence(of channel: URL, _ keys: PinnedKeys) throws -> UInt64 {
        guard FileManager.default.fileExists(atPath: channel.appending(path: "index.signed").path) else { return 0 }
        let report = try ChannelProof(
            ChannelDirectory(Directory.open(channel.path)), keys: keys, depth: .deep, isPartial: false,
            now: SmallFactory.now, context: WorkContext()
        ).report()
        let faults = report.faults.faults.filter { $0.code != .indexPairMismatch }
        if let fault = faults.first { throw fault }
        return report.index?.sequence ?? 0
    }
}
