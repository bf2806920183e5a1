import Diagnostics
import DurableFiles
import Foundation
import Signing
import SnpackTestSupport
import TerritoryClient
import TerritoryFactory
import TerritoryModel
import TerritoryPackage
import Testing

/// A channel on disk in the hands of an operator who does anything that there is to do, in any order.
struct ChannelHistory {
    enum Step: String, CaseIterable {
        case publish, hotfix, yank, unyank, latest, prune, republish, refresh, stage, mirror, mirrorPart, rotate
    }

    static let id = "demo"
    let home: URL
    private var random: SplitMix
    private(set) var key: SecretKey
    private(set) var retired: [PublicKey] = []
    /// What was done, for messages.
    private(set) var log: [String] = []
    private(set) var now = Timestamp(secondsSince1970: 1_796_083_200)
    /// The newest version that was ever published.
    private var newest = (major: 1, minor: 0, patch: 0)
    private var contents: [TerritoryVersion: [SimulatedLayer]] = [:]
    private var generation = 0
    private var mirrors: Set<String> = []

    init(seed: UInt64, home: URL) throws {
        self.home = home
        random = SplitMix(seed: seed)
        key = try SecretKey.generate(role: .factory)
        try publish("1.0.0")
    }

    var channel: String { path("channel") }
    /// Where a client may read: the channel itself and every mirror that is in step with it.
    private(set) var places: [String] = []
    var keys: PinnedKeys { get throws { try PinnedKeys(factory: [FactoryKey(key.publicKey)], retired: retired) } }

    var index: ChannelIndex {
        get throws {
            let file = try #require(try ChannelDirectory(Directory.open(channel)).signedIndex())
            return try keys.verifyIndex(file.index, signature: file.signature).document
        }
    }

    var territory: ChannelIndex.Territory {
        get throws { try #require(try index[TerritoryID(parsing: Self.id)]) }
    }

    /// The version that a client takes: the greatest that is not withdrawn and not above the latest; nil if all are.
    var offered: TerritoryVersion? {
        get throws {
            let territory = try territory
            return territory.versions.first { $0.yanked == nil && $0.version <= territory.latestVersion }?.version
        }
    }

    func faults(of path: String, isPartial: Bool = false) throws -> [SnpackError] {
        try ChannelProof(
            ChannelDirectory(Directory.open(path)), keys: keys, depth: .deep, isPartial: isPartial, now: now,
            context: WorkContext()
        ).report().faults.faults
    }

    // MARK: - Steps

    /// Does one random step, and lets some hours go by.
    mutating func step() throws {
        let hours = Int64.random(in: 0...20, using: &random)
        now = Timestamp(secondsSince1970: now.secondsSince1970 + hours * 3_600)
        let weighted =
            Step.allCases.filter { $0 != .rotate || retired.count < 4 } + [.publish, .publish, .prune, .yank]
        let step = weighted.randomElement(using: &random) ?? .publish
        log.append(step.rawValue)
        let before = places
        places = [channel]
        let territory = try territory
        let listed = territory.versions.map(\.version)
        let some = try ReleaseName(
            TerritoryID(parsing: Self.id), #require(listed.randomElement(using: &random)))
        let keeper = { (history: Self) throws in ChannelKeeper(try history.change(), context: WorkContext()) }
        switch step {
        case .publish: try publish(next())
        case .hotfix: try hotfix(listed)
        case .yank: _ = try keeper(self).yank(some, reason: DisplayText(parsing: "bad \(log.count)"))
        case .unyank: _ = try keeper(self).unyank(some)
        case .latest:
            if territory[some.version]?.yanked == nil { _ = try keeper(self).offer(some) }
        case .republish:
            let version = next()
            log[log.count - 1] += " \(some.version) as \(version)"
            contents[try TerritoryVersion(parsing: version)] = contents[some.version]
            _ = try keeper(self).republish(some, as: TerritoryVersion(parsing: version))
        case .refresh: _ = try keeper(self).refresh()
        case .stage:
            let change = try ChannelChange(
                of: channel, finish: .stage(key.pinned(), .factory), succession: succession())
            let outcome = try ChannelKeeper(change, context: WorkContext()).yank(
                some, reason: DisplayText(parsing: "staged \(log.count)"))
            if outcome.isSigned {
                let staged = try Directory.open(channel + "/.snpack/staged")
                let bytes = try staged.contents(of: "index.json", limit: Limits.indexBytes)
                try staged.write(key.signatureFile(of: bytes), to: "index.json.sig")
                _ = try ChannelEditor(channel, keys: key.pinned()).commitStaged()
            }
        case .prune:
            let keep = Int.random(in: 1...3, using: &random)
            let grace: Int64 = Bool.random(using: &random) ? 0 : 86_400
            log[log.count - 1] += " --keep \(keep) --grace \(grace)"
            _ = try ChannelPruning(keep: keep, grace: grace, now: now, context: WorkContext()).run(change())
        case .mirror, .mirrorPart:
            var scope = ChannelMirror.Scope()
            scope.latestOnly = step == .mirrorPart
            let mirror = path(scope.latestOnly ? "part" : "mirror")
            _ = try ChannelMirror(
                of: ChannelDirectory(Directory.open(channel)), at: mirror, keys: key.pinned(), scope: scope,
                context: WorkContext()
            ).run()
            #expect(try faults(of: mirror, isPartial: scope.latestOnly) == [])
            places.append(mirror)
        case .rotate: try rotate()
        }
        // What nothing changed is still in step.
        places += try before.dropFirst().filter { mirror in
            guard FileManager.default.fileExists(atPath: mirror), !places.contains(mirror) else { return false }
            let here = try ChannelDirectory(Directory.open(mirror)).signedIndex()
            return try here == ChannelDirectory(Directory.open(channel)).signedIndex()
        }
        log[log.count - 1] += " → \(try self.territory.latestVersion)"
    }

    /// A place to read from.
    mutating func anyPlace() -> String { places.randomElement(using: &random) ?? channel }

    private func path(_ name: String) -> String { home.appending(path: "\(name)-\(generation)").path }

    private func succession() -> IndexSuccession {
        var succession = IndexSuccession(now: now)
        succession.statePath = path("state.json")
        return succession
    }

    private func change() throws -> ChannelChange {
        try ChannelChange(of: channel, finish: .sign(key), succession: succession())
    }

    private mutating func next() -> String {
        switch Int.random(in: 0..<8, using: &random) {
        case 0: newest = (newest.major + 1, 0, 0)
        case 1, 2: newest.patch += 1
        default: newest = (newest.major, newest.minor + 1, 0)
        }
        let isPrerelease = Int.random(in: 0..<8, using: &random) == 0
        return "\(newest.major).\(newest.minor).\(newest.patch)" + (isPrerelease ? "-rc.\(log.count)" : "")
    }

    /// A version between those that there are.
    private mutating func hotfix(_ listed: [TerritoryVersion]) throws {
        guard let base = listed.randomElement(using: &random) else { return }
        try publish("\(base.rawValue.prefix { $0 != "-" }).hot\(log.count)".replacing(".hot", with: "-hot."))
    }

    private mutating func rotate() throws {
        let (old, oldChannel) = (key, channel)
        key = try SecretKey.generate(role: .factory)
        retired.append(old.publicKey)
        generation += 1
        _ = try ChannelResigning(
            ChannelDirectory(Directory.open(oldChannel)), keys: old.pinned(), context: WorkContext()
        ).run(change())
        try FileManager.default.removeItem(atPath: oldChannel)
        places = [channel]
    }

    // MARK: - Content

    private mutating func publish(_ text: String) throws {
        if !log.isEmpty { log[log.count - 1] += " \(text)" }
        let version = try TerritoryVersion(parsing: text)
        var layers = try layers()
        // Patches from some of what is listed, as --patch-from would make them.
        let listed = FileManager.default.fileExists(atPath: channel) ? try territory.versions.map(\.version) : []
        let sources = listed.filter { _ in Int.random(in: 0..<3, using: &random) > 0 }.prefix(2)
        for index in layers.indices {
            var patches: [SimulatedPatch] = []
            for old in sources.compactMap({ contents[$0]?[index] })
            where old.layer.blake3 != layers[index].layer.blake3
                && !patches.contains(where: { $0.patch.from == old.layer.blake3 })
            {
                patches.append(try SimulatedPatch(from: old, to: layers[index]))
            }
            layers[index] = try layers[index].with(patches.sorted { $0.patch.from < $1.patch.from })
        }
        contents[version] = layers
        let release = try SimulatedRelease(Self.id, text, layers: layers, signer: key)
        let directory = home.appending(path: "build/\(text)").path
        try release.write(to: directory)
        _ = try ChannelPublisher(change(), context: WorkContext()).publish([directory])
        places = [channel]
    }

    /// A tree of which a version changes some bytes, and a file that changes seldom.
    private mutating func layers() throws -> [SimulatedLayer] {
        func edited(_ count: Int, _ seed: UInt64, _ random: inout SplitMix) -> [UInt8] {
            var bytes = SimulatedLayer.noise(count, seed: seed)
            for _ in 0..<3 {
                bytes[Int.random(in: 0..<count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            return bytes
        }
        return [
            try SimulatedLayer(
                "notes", path: "note.txt", isTree: false,
                files: [("note.txt", SimulatedLayer.noise(300, seed: UInt64.random(in: 1...3, using: &random)))]),
            try SimulatedLayer(
                "tiles", path: "tiles", files: [("0/a", edited(6_000, 1, &random)), ("1/b", edited(4_000, 2, &random))]
            ),
        ]
    }
}

extension SimulatedRelease {
    /// Writes the release as a directory, signed.
    func write(to path: String) throws {
        let root = try Directory.create(path)
        try root.write(bytes, to: "manifest.json")
        try root.write(signature, to: "manifest.json.sig")
        for layer in layers {
            let directory = try root.directory(at: layer.layer.directory, creating: 0o755)
            try directory.write(layer.blob, to: layer.layer.blob.file)
            for patch in layer.patches { try directory.write(patch.bytes, to: patch.patch.file) }
        }
    }
}
