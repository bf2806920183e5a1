import Blobs
import Diagnostics
import DurableFiles
import Foundation
import SnpackTestSupport
import TerritoryClient
import TerritoryModel
import Testing

/// Updates by patches: they only save bytes, and whatever is wrong with one, the blob is taken.
@Suite struct PatchInstallTests {
    private static let size = 400_000

    private func layer(_ edit: UInt8) throws -> SimulatedLayer {
        var bytes = SimulatedLayer.noise(Self.size, seed: 11)
        for index in stride(from: 0, to: bytes.count, by: 50_000) { bytes[index] ^= edit }
        return try SimulatedLayer("extra", path: "data.bin", isTree: false, files: [("data.bin", bytes)])
    }

    /// The layer of `new` with a patch from `old`, and the patch.
    private func patched(
        _ old: (SimulatedLayer, UInt8), _ new: (SimulatedLayer, UInt8), in home: URL
    ) throws -> (layer: SimulatedLayer, file: [UInt8], path: String) {
        let scratch = home.appending(path: "scratch")
        try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: scratch) }
        func stream(_ edit: UInt8, _ name: String) throws -> FileTarStream {
            var bytes = SimulatedLayer.noise(Self.size, seed: 11)
            for index in stride(from: 0, to: bytes.count, by: 50_000) { bytes[index] ^= edit }
            let url = scratch.appending(path: name)
            try Data(bytes).write(to: url)
            var faults = FaultList()
            return FileTarStream(try FileTree(listing: url.path, faults: &faults), name: "data.bin")
        }
        let directory = try Directory.open(scratch.path)
        let staged = try StagedFile(in: directory)
        let patch = try #require(
            try PatchWriter().write(
                from: stream(old.1, "old"), to: stream(new.1, "new"), of: new.0.layer, into: staged,
                context: WorkContext()))
        try staged.commit(as: "patch", replacing: true)
        let layer = try Manifest.Layer(
            kind: new.0.layer.kind, path: new.0.layer.path, isTree: false, fileCount: 1,
            byteCount: new.0.layer.byteCount, blake3: new.0.layer.blake3, blob: new.0.layer.blob, patches: [patch])
        return (
            SimulatedLayer(layer, blob: new.0.blob), try Array(Data(contentsOf: scratch.appending(path: "patch"))),
            layer.path(of: patch)
        )
    }

    /// 1.0.0 installed; 1.1.0 published with a patch, whose bytes `change` may alter.
    private func update(
        _ change: (inout Scene, _ patchPath: String) async throws -> Void
    ) async throws -> (ChannelInstallResult, [ChannelSimulator.Request]) {
        let home = try ProjectFiles.temporaryDirectory()
        defer { try? FileManager.default.removeItem(at: home) }
        var scene = try Scene(home: home)
        let old = try layer(0)
        let first = try scene.release("1.0.0", layers: [old])
        scene.facts.sequence = 5
        try scene.channel.publish([first], scene.facts, signer: scene.secret.factory)
        _ = try await scene.store().sync(scene.territory(), from: scene.channel)
        let new = try patched((old, 0), (layer(0xFF), 0xFF), in: home)
        let second = try scene.release("1.1.0", layers: [new.layer])
        scene.facts.sequence = 6
        try scene.channel.publish([first, second], scene.facts, signer: scene.secret.factory)
        let path = "\(second.name.directory)/\(new.path)"
        scene.channel[path] = new.file
        try await change(&scene, path)
        scene.channel.forgetRequests()
        let plan = try await scene.store().check(scene.territory(), from: scene.channel).plan
        #expect(plan?.downloadBytes == UInt64(new.file.count))
        let report = try await scene.store().sync(scene.territory(), from: scene.channel)
        guard case .updated(let result) = report.outcome else { throw ChannelSimulator.lost }
        #expect(try await scene.unsoundness(expecting: "1.1.0") == [])
        #expect(try await scene.store().layerCacheSize() == 0)
        return (result, scene.channel.requests)
    }

    @Test func aPatchIsTakenInPlaceOfTheBlob() async throws {
        let (result, requests) = try await update { _, _ in }
        #expect(result.layersPatched == 1 && result.layersFetched == 0)
        #expect(result.bytesDownloaded < 40_000)
        #expect(!requests.contains { $0.path.hasSuffix(".tar.zst") })
    }

    @Test func aForgedPatchIsNoUse() async throws {
        let (result, _) = try await update { scene, path in scene.channel[path]?[20] ^= 1 }
        #expect(result.layersPatched == 0 && result.layersFetched == 1)
    }

    @Test func aMissingPatchIsNoTrouble() async throws {
        let (result, _) = try await update { scene, path in scene.channel[path] = nil }
        #expect(result.layersPatched == 0 && result.layersFetched == 1)
    }

    @Test func anInstalledLayerThatSomebodyChangedIsNoStart() async throws {
        let (result, _) = try await update { scene, _ in
            try scene.overwrite(
                "territories/uk/1.0.0/package/data.bin", with: SimulatedLayer.noise(Self.size, seed: 12))
        }
        #expect(result.layersPatched == 0 && result.layersFetched == 1)
    }

    @Test func aPatchThatBrokeOffIsFetchedAgain() async throws {
        let (result, requests) = try await update { scene, path in
            scene.channel.lie { request, _ in request.path == path && request.range == nil ? .breakOff(after: 300) : nil
            }
            _ = try? await scene.store().sync(scene.territory(), from: scene.channel)
            scene.channel.lie(nil)
            try await scene.store().clearLayerCache()
        }
        #expect(result.layersPatched == 1)
        #expect(requests.count { $0.path.hasSuffix(".patch") } == 1)
    }
}
