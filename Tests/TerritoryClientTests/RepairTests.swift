import Diagnostics
import Foundation
import SnpackTestSupport
import TerritoryClient
import TerritoryModel
import Testing

@Suite struct RepairTests {
    /// Flips one bit of an installed file, whatever its mode.
    private func flipBit(_ url: URL, at offset: Int) throws {
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: url.path)
        let file = try FileHandle(forUpdating: url)
        try file.seek(toOffset: UInt64(offset))
        let byte = try #require(try file.read(upToCount: 1)?.first)
        try file.seek(toOffset: UInt64(offset))
        try file.write(contentsOf: Data([byte ^ 1]))
        try file.close()
        try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: url.path)
    }

    /// Gives `body` a store in which 1.0.0 is installed.
    private func withInstalled(_ body: (Scene, TerritoryStore, TerritoryID) async throws -> Void) async throws {
        try await ProjectFiles.inTemporaryDirectory { home in
            var scene = try Scene(home: home)
            try await scene.install100()
            try await body(scene, scene.store(), scene.territory())
        }
    }

    private func large(_ byteCount: Int) throws -> SimulatedLayer {
        try SimulatedLayer(
            "pmtiles", path: "map.pmtiles", isTree: false,
            files: [("map.pmtiles", SimulatedLayer.noise(byteCount, seed: 3))])
    }

    @Test func oneFlippedBitCostsOneFrame() async throws {
        try await ProjectFiles.inTemporaryDirectory { home in
            let scene = try Scene(home: home)
            let release = try scene.release("1.0.0", layers: [large(12 << 20)])
            try scene.channel.publish([release], scene.facts, signer: scene.secret.factory)
            let (store, uk) = (try scene.store(), try scene.territory())
            _ = try await store.sync(uk, from: scene.channel)
            try flipBit(try await store.layerURL(uk, .pmtiles), at: 7_654_321)
            #expect(try await store.verify(uk).faults.map(\.code.name) == ["installed.file-damaged"])
            scene.channel.forgetRequests()
            let result = try await store.repair(uk, from: .channel(scene.channel))
            #expect(result.repairedKinds == [.pmtiles])
            #expect(scene.channel.sentByteCount == result.bytesDownloaded)
            #expect(result.bytesDownloaded <= 2 << 20)
            #expect(scene.channel.requests.count == 1)
            #expect(try await store.verify(uk).faults == [])
            #expect(try await scene.unsoundness(expecting: "1.0.0") == [])
        }
    }

    @Test func everyKindOfDamageIsNamedAndPutRight() async throws {
        try await withInstalled { scene, store, uk in
            let tiles = try await store.layerURL(uk, .valhallaTiles)
            try flipBit(tiles.appending(path: "0/003/107.gph"), at: 3)
            try FileManager.default.removeItem(at: tiles.appending(path: "1/a b/é.gph"))
            try Data([1]).write(to: tiles.appending(path: "stranger"))
            try Data([1]).write(to: tiles.deletingLastPathComponent().appending(path: "beside"))
            try Data().write(to: tiles.appending(path: ".DS_Store"))
            let faults = try await store.verify(uk).faults
            #expect(
                Set(faults.map { "\($0.code) \(URL(filePath: $0.path ?? "").lastPathComponent)" }) == [
                    "installed.file-damaged 107.gph", "package.file-missing é.gph", "package.extra-file stranger",
                    "package.extra-file beside",
                ])
            // Without a source nothing can be fetched, and nothing changes.
            await #expect(throws: SnpackError.self) { try await store.repair(uk) }
            let result = try await store.repair(uk, from: .channel(scene.channel))
            #expect(result.repairedKinds == [.valhallaTiles])
            #expect(try await scene.unsoundness(expecting: "1.0.0") == [])
        }
    }

    /// Nobody signs the sizes that the store noted: whatever they are, the blob is the way.
    @Test(arguments: ["18446744073709551615", "18446744073709550592", "9223372036854775808", "0"])
    func forgedSizesCostTheWholeBlob(size: String) async throws {
        try await withInstalled { scene, store, uk in
            let tiles = try await store.layerURL(uk, .valhallaTiles)
            try flipBit(tiles.appending(path: "0/003/107.gph"), at: 3)
            let slot = tiles.deletingLastPathComponent().deletingLastPathComponent()
            let sizes = slot.appending(path: "layers/valhalla-tiles.sizes")
            let count = try Data(contentsOf: sizes).count { $0 == 0x0A }
            #expect(count > 1)
            try FileManager.default.removeItem(at: sizes)
            try Data(String(repeating: size + "\n", count: count).utf8).write(to: sizes)
            #expect(try await store.repair(uk, from: .channel(scene.channel)).repairedKinds == [.valhallaTiles])
            #expect(try await scene.unsoundness(expecting: "1.0.0") == [])
        }
    }

    @Test(
        "files that are nearly without end, and all holes, are named by their size and never read",
        .timeLimit(.minutes(1)))
    func filesOfHolesAreNotRead() async throws {
        try await withInstalled { scene, store, uk in
            let tiles = try await store.layerURL(uk, .valhallaTiles)
            func stretch(_ url: URL) throws {
                if !FileManager.default.fileExists(atPath: url.path) { try Data().write(to: url) }
                try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: url.path)
                let file = try FileHandle(forUpdating: url)
                try file.truncate(atOffset: 15 << 40)
                try file.close()
            }
            try stretch(tiles.appending(path: "0/003/107.gph"))
            try stretch(tiles.appending(path: "stranger"))
            try stretch(try await store.layerURL(uk, .pmtiles))
            let faults = try await store.verify(uk).faults
            #expect(
                Set(faults.map { "\($0.code) \(URL(filePath: $0.path ?? "").lastPathComponent)" }) == [
                    "installed.file-damaged 107.gph", "package.extra-file stranger",
                    "installed.file-damaged map.pmtiles",
                ])
            _ = try await store.repair(uk, from: .channel(scene.channel))
            #expect(try await scene.unsoundness(expecting: "1.0.0") == [])
        }
    }

    @Test func strangersGoWithoutASource() async throws {
        try await withInstalled { scene, store, uk in
            let package = try await store.layerURL(uk, .pmtiles).deletingLastPathComponent()
            try Data([1]).write(to: package.appending(path: "beside"))
            #expect(try await store.repair(uk).removedFiles == 1)
            #expect(try await scene.unsoundness(expecting: "1.0.0") == [])
        }
    }

    @Test func repairsFromAServerWithoutRanges() async throws {
        try await withInstalled { scene, store, uk in
            try flipBit(try await store.layerURL(uk, .poiSidecar), at: 100)
            scene.channel.lie { request, _ in request.path.contains("layers/") ? .refuseRange : nil }
            #expect(try await store.repair(uk, from: .channel(scene.channel)).repairedKinds == [.poiSidecar])
            #expect(try await scene.unsoundness(expecting: "1.0.0") == [])
        }
    }

    @Test func anOmittedLayerThatAppearsIsAFault() async throws {
        try await withInstalled { scene, store, uk in
            _ = try await store.sync(uk, from: scene.channel, omit: [.pmtiles])
            await #expect { try await store.layerURL(uk, .pmtiles) } throws: {
                ($0 as? SnpackError)?.code.name == "layer.not-installed"
            }
            let package = try await store.layerURL(uk, .poiSidecar).deletingLastPathComponent()
            try Data([1]).write(to: package.appending(path: "map.pmtiles"))
            #expect(try await store.verify(uk).faults.map(\.code.name) == ["installed.omitted-layer-present"])
            _ = try await store.repair(uk)
            #expect(try await store.verify(uk).faults == [])
            // A record that is forged to admit everything makes the layer missing, not admitted.
            #expect(try await store.list().first?.omittedKinds == [.pmtiles])
        }
    }
}
