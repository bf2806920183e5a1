import Diagnostics
import DurableFiles
import Foundation
import SnpackTestSupport
import TerritoryClient
import TerritoryFactory
import TerritoryModel
import TerritoryPackage
import Testing

/// Whatever an operator does to a channel, a store at every older version still reaches the newest.
@Suite struct RandomHistoryTests {
    /// `SNPACK_HISTORIES` asks for more, `SNPACK_SEED` for one again.
    private static let seeds: [UInt64] = {
        let environment = ProcessInfo.processInfo.environment
        if let seed = environment["SNPACK_SEED"].flatMap(UInt64.init) { return [seed] }
        let count = environment["SNPACK_HISTORIES"].flatMap(Int.init) ?? 20
        let first = UInt64.random(in: 0...UInt64(UInt32.max))
        return (0..<UInt64(count)).map { first + $0 }
    }()
    private static let stepCount = 30

    /// Runs `body` in a directory of its own, in memory where there is some: what a power cut leaves is not the question.
    private static func inMemory(_ body: (URL) async throws -> Void) async throws {
        guard FileManager.default.isWritableFile(atPath: "/dev/shm") else {
            return try await ProjectFiles.inTemporaryDirectory(body)
        }
        let home = URL(filePath: "/dev/shm/snpack-history-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: home) }
        try await body(home)
    }

    private func store(_ root: URL, _ history: ChannelHistory) throws -> TerritoryStore {
        var options = StoreOptions()
        let now = history.now
        options.now = { now }
        return TerritoryStore(root: root, keys: try history.keys, options: options)
    }

    /// Syncs a store and says what is wrong afterwards.
    private func follow(_ root: URL, _ history: ChannelHistory, from place: String) async throws -> [String] {
        let store = try store(root, history)
        let id = try TerritoryID(parsing: ChannelHistory.id)
        let before = try await store.list().first.map { try TerritoryVersion(parsing: $0.version) }
        let offered = try history.offered
        var failure: SnpackError?
        do throws(SnpackError) { _ = try await store.sync(id, from: ChannelDirectoryTransport(path: place)) } catch {
            failure = error
        }
        let after = try await store.list().first.map { try TerritoryVersion(parsing: $0.version) }
        var reasons: [String] = []
        if let before, let offered, offered < before {
            if after != before || failure?.code.name != "version.older" { reasons.append("went back") }
        } else if let offered {
            if after != offered || failure != nil { reasons.append("did not reach \(offered)") }
        } else if after != before || before == nil && failure?.code.name != "version.yanked" {
            reasons.append("took what is withdrawn")
        }
        if after != nil { reasons += try await store.verify(id).faults.map(\.description) }
        return reasons.map {
            "\(before?.rawValue ?? "nothing") to \(after?.rawValue ?? "nothing"): \($0), \(failure?.description ?? "no error")"
        }
    }

    @Test("a store at every older version reaches the newest", arguments: seeds)
    func everyStoreReachesTheNewest(seed: UInt64) async throws {
        try await Self.inMemory { home in
            var history = try ChannelHistory(seed: seed, home: home)
            let follower = home.appending(path: "store")
            var keptStores: [URL] = []
            var versions: Set<String> = []
            func told(_ reasons: [String]) { #expect(reasons == [], "SNPACK_SEED=\(seed): \(history.log)") }
            for _ in 0...Self.stepCount {
                told(try await follow(follower, history, from: history.anyPlace()))
                let version = try await store(follower, history).list().first?.version
                if let version, versions.insert(version).inserted {
                    let kept = home.appending(path: "store at \(version)")
                    try FileManager.default.copyItem(at: follower, to: kept)
                    keptStores.append(kept)
                }
                // Versions that were never offered have their stores, too: somebody asked for them.
                for release in try history.territory.versions
                where release.yanked == nil && versions.insert(release.version.rawValue).inserted {
                    let asked = home.appending(path: "store at \(release.version)")
                    let request = InstallRequest(version: .exactly(release.version))
                    _ = try await store(asked, history).install(
                        TerritoryID(parsing: ChannelHistory.id),
                        from: ChannelDirectoryTransport(path: history.channel), request)
                    keptStores.append(asked)
                }
                guard history.log.count < Self.stepCount else { break }
                let sequence = try history.index.sequence
                do { try history.step() } catch {
                    Issue.record(error, "SNPACK_SEED=\(seed): \(history.log)")
                    return
                }
                told(try history.faults(of: history.channel).map(\.description))
                if try history.index.sequence < sequence { told(["the sequence fell"]) }
            }
            for kept in keptStores { told(try await follow(kept, history, from: history.anyPlace())) }
            told(try await follow(home.appending(path: "new store"), history, from: history.anyPlace()))
            let left = FileManager.default.enumerator(atPath: home.path)?.compactMap { $0 as? String } ?? []
            told(left.filter { $0.contains(TemporaryName.prefix) || $0.hasSuffix(".part") })
        }
    }
}
