import Diagnostics
import Foundation
import SnpackTestSupport
import TerritoryClient
import TerritoryModel
import Testing

/// Updates by patches move the patches' bytes and nothing else.
@Suite struct PatchInstallTests {
    @Test func anUpdateMovesThePatchesAlone() async throws {
        try await ProjectFiles.inTemporaryDirectory { home in
            let world = try await PatchScene(home: home)
            let byteCount = world.patches(1).reduce(0) { $0 + UInt64($1.bytes.count) }
            let plan = try #require(try await world.check())
            #expect(plan.downloadBytes == byteCount)
            #expect(plan.changed.map(\.kind.rawValue) == PatchScene.kinds)
            #expect(plan.changed.allSatisfy { $0.way == .patched && $0.downloadBytes < $0.wholeBytes / 10 })
            #expect(plan.peakBytes == byteCount + plan.installedBytes)
            #expect(world.layerRequests == [], "looking fetches no layer")

            let result = try await world.update()
            #expect(result.layersPatched == 2 && result.layersReused == 1 && result.layersFetched == 0)
            #expect(result.bytesDownloaded == byteCount)
            #expect(world.layerRequests == PatchScene.kinds.map { world.patchPath(1, $0) }.sorted())
            #expect(try await world.unsoundness() == [])

            let back = try await world.scene.store().rollback(world.scene.territory())
            #expect(back.version == "1.0.0")
            #expect(try await world.scene.unsoundness(expecting: "1.0.0") == [])
        }
    }

    @Test func aChainOfFourVersionsMovesTheSumOfItsPatches() async throws {
        try await ProjectFiles.inTemporaryDirectory { home in
            let world = try await PatchScene(home: home, versionCount: 4)
            let byteCount = (1...3).flatMap { world.patches($0) }.reduce(0) { $0 + UInt64($1.bytes.count) }
            let plan = try #require(try await world.check())
            #expect(plan.downloadBytes == byteCount)
            // What stands between two patches is on disk for a while, beside what is made from it.
            #expect(plan.peakBytes == byteCount + 2 * plan.installedBytes)
            let result = try await world.update()
            #expect(result.layersPatched == 2 && result.layersFetched == 0)
            #expect(result.bytesDownloaded == byteCount)
            let expected = (1...3).flatMap { version in PatchScene.kinds.map { world.patchPath(version, $0) } }
            #expect(world.layerRequests == expected.sorted())
            #expect(try await world.unsoundness() == [])
        }
    }

    @Test func manifestsBetweenAreFetchedOnlyWhereAChainCouldHelp() async throws {
        try await ProjectFiles.inTemporaryDirectory { home in
            let first = try PatchScene.layers(0)
            let world = try await PatchScene(home: home, versionCount: 4) { version, kind, _, new in
                guard version == 3 else { return nil }
                return try new.patched(from: #require(first.first { $0.layer.kind.rawValue == kind }))
            }
            #expect(try await world.update().layersPatched == 2)
            let manifests = world.scene.channel.requests.map(\.path).filter { $0.hasSuffix("manifest.json") }
            #expect(manifests == [world.releases[3].name.manifestPath])
            #expect(try await world.unsoundness() == [])
        }
    }

    @Test func aLayerThatWasLeftOutIsNotPatched() async throws {
        try await ProjectFiles.inTemporaryDirectory { home in
            let world = try await PatchScene(home: home, omitting: [LayerKind(parsing: "pmtiles")])
            let result = try await world.update()
            #expect(result.layersPatched == 1 && result.layersFetched == 0)
            #expect(world.layerRequests == [world.patchPath(1, "valhalla-tiles")])
            #expect(try await world.unsoundness() == [])
        }
    }

    @Test func whoHasTheOldFileOpenKeepsReadingIt() async throws {
        try await ProjectFiles.inTemporaryDirectory { home in
            let world = try await PatchScene(home: home)
            let store = try world.scene.store()
            let url = try await store.layerURL(world.scene.territory(), LayerKind(parsing: "pmtiles"))
            let before = try Data(contentsOf: url)
            let reader = try FileHandle(forReadingFrom: url)
            _ = try await world.update()
            #expect(try reader.readToEnd() == before)
            let after = try await store.layerURL(world.scene.territory(), LayerKind(parsing: "pmtiles"))
            #expect(try Data(contentsOf: after) != before)
        }
    }

    @Test func aPatchThatBrokeOffIsGoneOnWith() async throws {
        try await ProjectFiles.inTemporaryDirectory { home in
            let world = try await PatchScene(home: home)
            let (path, size) = (world.patchPath(1, "pmtiles"), world.patches(1, ["pmtiles"])[0].bytes.count)
            world.scene.channel.lie { request, _ in request.path == path ? .breakOff(after: 100) : nil }
            let error = await #expect(throws: SnpackError.self) { try await world.sync() }
            #expect(error?.code == ChannelSimulator.lost.code)
            #expect(try await world.scene.unsoundness(expecting: "1.0.0") == [])
            #expect(!world.layerRequests.contains { $0.hasSuffix(".tar.zst") }, "the blob would have broken off too")

            world.scene.channel.lie(nil)
            world.scene.channel.forgetRequests()
            _ = try await world.update()
            let request = try #require(world.scene.channel.requests.first { $0.path == path })
            #expect(request.range == 100..<UInt64(size))
            #expect(try await world.unsoundness() == [])
        }
    }

    @Test func aStopDuringAPatchIsNoReasonToTakeTheBlob() async throws {
        try await ProjectFiles.inTemporaryDirectory { home in
            let world = try await PatchScene(home: home)
            let path = world.patchPath(1, "pmtiles")
            world.scene.channel.lie { request, _ in request.path == path ? .cancel(after: 100) : nil }
            #expect(try await world.sync() == .cancelled)
            #expect(!world.layerRequests.contains { $0.hasSuffix(".tar.zst") })
            #expect(try await world.scene.unsoundness(expecting: "1.0.0") == [])
        }
    }

    @Test func aPlanFromAManifestAloneReckonsWithItsPatches() async throws {
        try await ProjectFiles.inTemporaryDirectory { home in
            let world = try await PatchScene(home: home)
            let target = world.releases[1]
            let plan = try await world.scene.store().planUpdate(manifest: target.bytes, signature: target.signature)
            #expect(plan.downloadBytes == world.patches(1).reduce(0) { $0 + UInt64($1.bytes.count) })
            #expect(plan.changed.allSatisfy { $0.way == .patched })
        }
    }
}
