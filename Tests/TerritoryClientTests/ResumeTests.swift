import Diagnostics
import Foundation
import SnpackTestSupport
import TerritoryClient
import TerritoryModel
import Testing

@Suite struct ResumeTests {
    /// 1.0.0 with one layer of six frames.
    private func publish(_ scene: Scene, seed: UInt64 = 1) throws -> SimulatedRelease {
        let layer = try SimulatedLayer(
            "pmtiles", path: "map.pmtiles", isTree: false,
            files: [("map.pmtiles", SimulatedLayer.noise(6 << 20, seed: seed))])
        let release = try scene.release("1.0.0", layers: [layer])
        try scene.channel.publish([release], scene.facts, signer: scene.secret.factory)
        return release
    }

    @Test func brokenTransfersGoOnWhereTheyStopped() async throws {
        let seed = UInt64.random(in: .min ... .max)
        print("seed \(seed)")
        try await ProjectFiles.inTemporaryDirectory { home in
            var random = SplitMix64(seed: seed)
            let scene = try Scene(home: home)
            let release = try publish(scene)
            let (path, blob) = (release.blobPath("pmtiles"), release.blob("pmtiles"))
            let breaks = 12
            for _ in 0..<breaks {
                let count = Int(random.next() % 900_000)
                scene.channel.lie { request, _ in
                    guard request.path == path, (request.range?.lowerBound ?? 0) < blob.count - 10_000 else {
                        return nil
                    }
                    return .breakOff(after: count)
                }
                _ = try? await scene.store().sync(scene.territory(), from: scene.channel)
            }
            scene.channel.lie(nil)
            guard case .installed = try await scene.store().sync(scene.territory(), from: scene.channel).outcome else {
                Issue.record("not installed")
                return
            }
            let sent = scene.channel.requests.filter { $0.path == path }.reduce(0) { $0 + $1.sentByteCount }
            // Not a byte twice, but for the chunk table.
            #expect(sent <= UInt64(blob.count) + 2_000, "seed \(seed)")
            #expect(try await scene.unsoundness(expecting: "1.0.0") == [])
            #expect(try await scene.store().layerCacheSize() == 0)
        }
    }

    @Test func aDamagedPartIsProvenBeforeItCounts() async throws {
        try await ProjectFiles.inTemporaryDirectory { home in
            let scene = try Scene(home: home)
            let release = try publish(scene)
            let path = release.blobPath("pmtiles")
            scene.channel.lie { request, _ in
                request.path == path && request.range?.lowerBound == 0 ? .breakOff(after: 3_500_000) : nil
            }
            _ = try? await scene.store().sync(scene.territory(), from: scene.channel)
            #expect(try await scene.store().layerCacheSize() >= 3_500_000)
            // A bit of the second frame turns over while nobody looks.
            let part = scene.root.appending(path: "cache/\(Blake3Text.of(release.blob("pmtiles"))).part")
            let file = try FileHandle(forUpdating: part)
            try file.seek(toOffset: 1_500_000)
            try file.write(contentsOf: Data([UInt8](repeating: 0x5A, count: 4)))
            try file.close()
            scene.channel.lie(nil)
            scene.channel.forgetRequests()
            _ = try await scene.store().sync(scene.territory(), from: scene.channel)
            let start = scene.channel.requests.first { $0.path == path }?.range?.lowerBound ?? 0
            #expect((1_000_000...1_200_000).contains(start), "goes on after the first frame, at \(start)")
            #expect(try await scene.unsoundness(expecting: "1.0.0") == [])
        }
    }

    @Test func planReckonsWithWhatIsThere() async throws {
        try await ProjectFiles.inTemporaryDirectory { home in
            let scene = try Scene(home: home)
            let release = try publish(scene)
            let path = release.blobPath("pmtiles")
            scene.channel.lie { request, _ in
                request.path == path && request.range?.lowerBound == 0 ? .breakOff(after: 3_000_000) : nil
            }
            _ = try? await scene.store().sync(scene.territory(), from: scene.channel)
            scene.channel.lie(nil)
            let plan = try await scene.store().check(scene.territory(), from: scene.channel).plan
            #expect(plan?.downloadBytes == UInt64(release.blob("pmtiles").count) - 3_000_000)
            let freed = try await scene.store().clearLayerCache()
            #expect(freed >= 3_000_000)
            #expect(try await scene.store().layerCacheSize() == 0)
        }
    }
}

struct SplitMix64 {
    private var state: UInt64
    init(seed: UInt64) { state = seed }
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
