import Foundation
import SnpackTestSupport
import TerritoryClient
import TerritoryModel
import TerritoryPackage

/// A channel of versions that differ by a few bytes, each with patches from the one before; 1.0.0 is installed.
struct PatchScene {
    static let kinds = ["pmtiles", "valhalla-tiles"]

    var scene: Scene
    let releases: [SimulatedRelease]

    /// - Parameters:
    ///   - versionCount: how many versions there are, from 1.0.0 on.
    ///   - change: gives a changed layer of a version its patches; by nil the one from the version before.
    init(
        home: URL, versionCount: Int = 2, omitting omitted: Set<LayerKind>? = nil,
        _ change: (
            _ version: Int, _ kind: String, _ old: SimulatedLayer, _ new: SimulatedLayer
        ) throws -> SimulatedLayer? = { _, _, _, _ in nil }
    ) async throws {
        scene = try Scene(home: home)
        var releases: [SimulatedRelease] = []
        var before: [SimulatedLayer] = []
        for number in 0..<versionCount {
            var layers = try Self.layers(number)
            for (index, old) in before.enumerated() where Self.kinds.contains(old.layer.kind.rawValue) {
                layers[index] =
                    try change(number, old.layer.kind.rawValue, old, layers[index]) ?? layers[index].patched(from: old)
            }
            before = layers
            releases.append(try scene.release("1.\(number).0", layers: layers))
        }
        self.releases = releases
        try publish(1)
        let request = InstallRequest(omit: omitted)
        _ = try await scene.store().install(scene.territory(), from: scene.channel, request)
        try publish(versionCount)
        scene.channel.forgetRequests()
    }

    /// Publishes the first so many versions.
    private func publish(_ count: Int) throws {
        var facts = scene.facts
        facts.sequence = UInt64(count)
        try scene.channel.publish(Array(releases.prefix(count)), facts, signer: scene.secret.factory)
    }

    /// A tree and a file that change with each version by a few bytes, and a file that never changes.
    static func layers(_ number: Int) throws -> [SimulatedLayer] {
        func edited(_ count: Int, seed: UInt64) -> [UInt8] {
            var bytes = SimulatedLayer.noise(count, seed: seed)
            for index in stride(from: 0, to: bytes.count, by: 50_000) { bytes[index] ^= UInt8(number) }
            return bytes
        }
        return [
            try SimulatedLayer(
                "pmtiles", path: "map.pmtiles", isTree: false, files: [("map.pmtiles", edited(300_000, seed: 1))]),
            try SimulatedLayer(
                "poi-sidecar", path: "poi.sqlite", isTree: false,
                files: [("poi.sqlite", SimulatedLayer.noise(30_000, seed: 7))]),
            try SimulatedLayer(
                "valhalla-tiles", path: "valhalla",
                files: [
                    ("0/003/107.gph", edited(120_000, seed: 2)), ("1/é.gph", edited(90_000, seed: 3)), ("2/empty", []),
                ]),
        ]
    }

    // MARK: - What there is

    func patches(_ version: Int, _ kinds: [String] = kinds) -> [SimulatedPatch] {
        releases[version].layers.filter { kinds.contains($0.layer.kind.rawValue) }.flatMap(\.patches)
    }

    /// Where the channel has a version's patch to a layer.
    func patchPath(_ version: Int, _ kind: String) -> String {
        let layer = releases[version].layers.first { $0.layer.kind.rawValue == kind }
        guard let layer, let patch = layer.patches.first else { return "?" }
        return "\(releases[version].name.directory)/\(layer.layer.path(of: patch.patch))"
    }

    // MARK: - What is done

    func check() async throws -> UpdatePlan? {
        try await scene.store().check(scene.territory(), from: scene.channel).plan
    }

    func sync() async throws -> InstallOutcome {
        try await scene.store().sync(scene.territory(), from: scene.channel).outcome
    }

    /// Updates to the last version, which must come whole.
    func update() async throws -> ChannelInstallResult {
        guard case .updated(let result) = try await sync() else { throw ChannelSimulator.lost }
        return result
    }

    /// Paths of the layer files that were asked for, sorted.
    var layerRequests: [String] {
        scene.channel.requests.map(\.path).filter { $0.hasSuffix(".patch") || $0.hasSuffix(".tar.zst") }.sorted()
    }

    /// Why the last version isn't installed as if it had been fetched whole.
    func unsoundness() async throws -> [String] {
        let version = releases[releases.count - 1].name.version.rawValue
        var reasons = try await scene.unsoundness(expecting: version)
        let slot = scene.root.appending(path: "territories/uk/\(version)")
        let names = try FileManager.default.contentsOfDirectory(atPath: slot.path).sorted()
        if names != ["layers", "package", "record.json"] { reasons.append("in the version's directory: \(names)") }
        if try await scene.store().layerCacheSize() != 0 { reasons.append("the cache isn't empty") }
        return reasons
    }
}
