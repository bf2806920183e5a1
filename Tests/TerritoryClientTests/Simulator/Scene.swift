import Diagnostics
import Foundation
import Signing
import SnpackTestSupport
import TerritoryClient
import TerritoryModel
import TerritoryPackage

/// One store and one channel, and what a test changes about them.
struct Scene {
    static let clock = "2026-11-25T12:00:00Z"
    static let uk = "uk"

    let home: URL
    let channel: ChannelSimulator
    let secret = SimulatedKeys.all
    var keys: PinnedKeys
    var options = StoreOptions()
    var request = InstallRequest()
    var id = Scene.uk
    var now = Scene.clock
    var facts = ChannelSimulator.IndexFacts()

    init(home: URL, channel: ChannelSimulator = ChannelSimulator()) throws {
        self.home = home
        self.channel = channel
        keys = try SimulatedKeys.all.pinned
    }

    var root: URL { home.appending(path: "store") }

    func store() throws -> TerritoryStore {
        var options = options
        let now = try Timestamp(parsing: now)
        options.now = { now }
        return TerritoryStore(root: root, keys: keys, options: options)
    }

    func territory() throws -> TerritoryID { try TerritoryID(parsing: id) }

    // MARK: - Content

    /// Three layers: a tree that changes with the version, a file that changes, and one that never does.
    static func layers(_ version: String, requires: [String: String] = [:]) throws -> [SimulatedLayer] {
        let seed = UInt64(version.utf8.reduce(0) { $0 &* 31 &+ Int($1) })
        return [
            try SimulatedLayer(
                "valhalla-tiles", path: "valhalla",
                files: [
                    ("0/003/107.gph", SimulatedLayer.noise(40_000, seed: seed)),
                    ("1/a b/é.gph", SimulatedLayer.noise(9_000, seed: seed &+ 1)), ("2/empty", []),
                ], requires: requires),
            try SimulatedLayer(
                "pmtiles", path: "map.pmtiles", isTree: false,
                files: [("map.pmtiles", SimulatedLayer.noise(60_000, seed: seed &+ 2))]),
            try SimulatedLayer(
                "poi-sidecar", path: "poi.sqlite", isTree: false,
                files: [("poi.sqlite", SimulatedLayer.noise(30_000, seed: 7))]),
        ]
    }

    func release(_ version: String, requires: [String: String] = [:]) throws -> SimulatedRelease {
        try SimulatedRelease(
            id, version, layers: Self.layers(version, requires: requires), signer: secret.factory)
    }

    func release(_ version: String, layers: [SimulatedLayer], signer: SecretKey? = nil) throws -> SimulatedRelease {
        try SimulatedRelease(id, version, layers: layers, signer: signer ?? secret.factory)
    }

    /// Publishes 1.0.0 and installs it, then forgets what was asked for.
    mutating func install100() async throws {
        facts.sequence = 5
        try channel.publish([release("1.0.0")], facts, signer: secret.factory)
        _ = try await store().install(territory(), from: channel)
        channel.forgetRequests()
        facts.sequence = 6
    }

    /// Publishes 1.0.0 and these versions under the next sequence.
    func publish(_ releases: [SimulatedRelease], signer: SecretKey? = nil) throws {
        try channel.publish([release("1.0.0")] + releases, facts, signer: signer ?? secret.factory)
    }

    // MARK: - What must hold afterwards

    /// Everything below the store but the cache, as paths.
    func files() throws -> [String] {
        let found = FileManager.default.enumerator(atPath: root.path)?.compactMap { $0 as? String } ?? []
        return found.filter { !$0.hasPrefix("cache") }.sorted()
    }

    /// Why the store is not sound: staging, strangers beside it, files that are not the signed ones.
    func unsoundness(expecting version: String?) async throws -> [String] {
        var reasons: [String] = []
        let beside = try FileManager.default.contentsOfDirectory(atPath: home.path).filter { $0 != "store" }
        if !beside.isEmpty { reasons.append("outside the store: \(beside)") }
        reasons += try files().filter { $0.contains(".snpack-tmp") }.map { "left behind: \($0)" }
        let store = try store()
        let territory = try await store.list().first { $0.territoryId == id }
        if territory?.version != version { reasons.append("installed: \(territory?.version ?? "nothing")") }
        if territory != nil {
            reasons += try await store.verify(self.territory()).faults.map(\.description)
        } else if try files().contains("territories/\(id)") {
            reasons.append("a directory for a territory that isn't installed")
        }
        return reasons
    }
}
