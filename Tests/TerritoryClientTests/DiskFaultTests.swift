import Diagnostics
import DurableFiles
import Foundation
import SnpackTestSupport
import TerritoryClient
import TerritoryModel
import Testing

/// What a store does, with a disk that fails, or dies, or loses power, at every call in turn.
@Suite struct StoreDiskFaultTests {
    private static let none = "nothing"

    /// What a reader finds: the version, if every byte of it is right.
    private func state(_ scene: Scene) async throws -> String {
        let store = try scene.store()
        guard let territory = try await store.list().first(where: { $0.territoryId == scene.id }) else {
            return Self.none
        }
        let faults = try await store.verify(scene.territory()).faults
        return faults.isEmpty ? territory.version : "damaged: \(faults[0].code)"
    }

    private struct World {
        var scene: Scene
        /// A scene like the first, on a copy of its store and on another disk.
        func at(_ home: URL, _ disk: any Disk = SystemDisk()) throws -> Scene {
            var copy = try Scene(home: home, channel: scene.channel)
            copy.options.disk = disk
            // One thread, so that a call's number means the same in every run.
            copy.options.jobs = 1
            return copy
        }
    }

    private func matrix(
        _ name: String, in world: World, before: String, after: String,
        act: @escaping (Scene) async throws -> Void, again: ((Scene) async throws -> Void)? = nil
    ) async throws {
        try await FaultMatrix(name, from: world.scene.home).run(
            before: before, after: after, act: { try await act(world.at($0, $1)) },
            again: { try await (again ?? act)(world.at($0)) }, state: { try await state(world.at($0)) })
    }

    private func inScene(_ body: (inout Scene) async throws -> Void) async throws {
        try await ProjectFiles.inTemporaryDirectory { root in
            let home = root.appending(path: "home")
            try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
            var scene = try Scene(home: home)
            try await body(&scene)
        }
    }

    private func sync(_ scene: Scene) async throws {
        _ = try await scene.store().sync(scene.territory(), from: scene.channel)
    }

    /// As few calls as will do: a tree of two files, a file, and a file that no version changes.
    private func release(_ version: String, of scene: Scene) throws -> SimulatedRelease {
        let seed = UInt64(version.utf8.reduce(0) { $0 &* 31 &+ Int($1) })
        return try scene.release(
            version,
            layers: [
                SimulatedLayer(
                    "pmtiles", path: "map.pmtiles", isTree: false,
                    files: [("map.pmtiles", SimulatedLayer.noise(3_000, seed: seed))]),
                SimulatedLayer(
                    "poi-sidecar", path: "poi.sqlite", isTree: false,
                    files: [("poi.sqlite", SimulatedLayer.noise(2_000, seed: 7))]),
                SimulatedLayer(
                    "valhalla-tiles", path: "valhalla",
                    files: [
                        ("0/003/107.gph", SimulatedLayer.noise(2_500, seed: seed &+ 1)),
                        ("2/000.gph", SimulatedLayer.noise(500, seed: seed &+ 2)),
                    ]),
            ])
    }

    /// Offers these versions under a new sequence.
    private func offer(_ versions: [String], in scene: inout Scene) throws {
        scene.facts.sequence += 1
        try scene.channel.publish(
            versions.map { try release($0, of: scene) }, scene.facts, signer: scene.secret.factory)
    }

    @Test("Case 83: install leaves the whole version or none, wherever the disk fails")
    func case083_install() async throws {
        try await inScene { scene in
            try offer(["1.0.0"], in: &scene)
            try await matrix(
                "store install", in: World(scene: scene), before: Self.none, after: "1.0.0", act: sync)
        }
    }

    @Test("Case 83: an update leaves the old version or the new one, wherever the disk fails")
    func case083_update() async throws {
        try await inScene { scene in
            try offer(["1.0.0"], in: &scene)
            try await sync(scene)
            try offer(["1.0.0", "1.1.0"], in: &scene)
            try await matrix("store update", in: World(scene: scene), before: "1.0.0", after: "1.1.0", act: sync)
        }
    }

    @Test("Case 83: an update by patches leaves the old version or the new one, wherever the disk fails")
    func case083_updateByPatch() async throws {
        try await ProjectFiles.inTemporaryDirectory { root in
            let home = root.appending(path: "home")
            try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
            let patched = try await PatchScene(home: home)
            try await matrix(
                "store update by patches", in: World(scene: patched.scene), before: "1.0.0", after: "1.1.0", act: sync)
            #expect(patched.layerRequests.contains { $0.hasSuffix(".patch") })
        }
    }

    @Test("Case 83: repair never loses what is installed, wherever the disk fails")
    func case083_repair() async throws {
        try await inScene { scene in
            try offer(["1.0.0"], in: &scene)
            try await sync(scene)
            let tiles = try await scene.store().layerURL(scene.territory(), .valhallaTiles)
            let file = tiles.appending(path: "0/003/107.gph")
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file.path)
            var bytes = try Data(contentsOf: file)
            bytes[5] ^= 1
            try bytes.write(to: file)
            let damaged = try await state(scene)
            try await matrix(
                "store repair", in: World(scene: scene), before: damaged, after: "1.0.0",
                act: { _ = try await $0.store().repair($0.territory(), from: .channel($0.channel)) })
        }
    }

    @Test("Case 83: rollback leaves one version or the other, wherever the disk fails")
    func case083_rollback() async throws {
        try await inScene { scene in
            try offer(["1.0.0"], in: &scene)
            try await sync(scene)
            try offer(["1.0.0", "1.1.0"], in: &scene)
            try await sync(scene)
            try await matrix(
                "store rollback", in: World(scene: scene), before: "1.1.0", after: "1.0.0",
                act: { _ = try await $0.store().rollback($0.territory()) },
                again: { scene in
                    guard try await state(scene) == "1.1.0" else {
                        // Whatever comes next clears up.
                        return try await sync(scene)
                    }
                    _ = try await scene.store().rollback(scene.territory())
                })
        }
    }

    @Test("Case 83: remove takes all or nothing, wherever the disk fails")
    func case083_remove() async throws {
        try await inScene { scene in
            try offer(["1.0.0"], in: &scene)
            try await sync(scene)
            try await matrix(
                "store remove", in: World(scene: scene), before: "1.0.0", after: Self.none,
                act: { scene in
                    // What was removed before the disk failed is not there to be removed again.
                    let (store, id) = (try scene.store(), try scene.territory())
                    do throws(SnpackError) { try await store.remove(id) } catch {
                        if error.code.exitStatus != .notFound { throw error }
                    }
                })
        }
    }
}
