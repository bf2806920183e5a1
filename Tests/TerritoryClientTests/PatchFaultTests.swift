import Blobs
import Diagnostics
import Foundation
import SnpackTestSupport
import TerritoryClient
import TerritoryModel
import Testing

/// Whatever is wrong with a patch, the blob is taken, and that is no fault.
@Suite struct PatchFaultTests {
    private typealias Change = @Sendable (PatchScene, _ path: String) throws -> Void

    /// What happens to the patch of `pmtiles` on the way, or to the file that it starts from.
    private static let faults: [(name: String, change: Change)] = [
        ("missing", { $0.scene.channel[$1] = nil }),
        ("another byte", { $0.scene.channel[$1]?[20] ^= 1 }),
        ("shorter", { $0.scene.channel[$1]?.removeLast(9) }),
        ("longer", { $0.scene.channel[$1]?.append(0) }),
        (
            "a server that fails",
            { world, path in
                let failure = SnpackError(ErrorCode("transfer.server-failed", .network), "status 500")
                world.scene.channel.lie { request, _ in request.path == path ? .fail(failure) : nil }
            }
        ),
        (
            "forbidden",
            { world, path in
                let failure = SnpackError(ErrorCode("transfer.forbidden", .network), "status 403")
                world.scene.channel.lie { request, _ in request.path == path ? .fail(failure) : nil }
            }
        ),
        ("old file changed", { world, _ in try old(world).overwrite(with: SimulatedLayer.noise(300_000, seed: 12)) }),
        ("old file of another size", { world, _ in try old(world).overwrite(with: [1, 2, 3]) }),
        ("old file gone", { world, _ in try FileManager.default.removeItem(at: old(world)) }),
        (
            "a directory in place of the old file",
            { world, _ in
                try FileManager.default.removeItem(at: old(world))
                try FileManager.default.createDirectory(at: old(world), withIntermediateDirectories: false)
            }
        ),
    ]

    private static func old(_ world: PatchScene) -> URL {
        world.scene.root.appending(path: "territories/uk/1.0.0/package/map.pmtiles")
    }

    @Test(arguments: faults.indices)
    func theBlobIsTaken(_ index: Int) async throws {
        let fault = Self.faults[index]
        try await ProjectFiles.inTemporaryDirectory { home in
            let world = try await PatchScene(home: home)
            try fault.change(world, world.patchPath(1, "pmtiles"))
            let result = try await world.update()
            #expect(result.layersPatched == 1 && result.layersFetched == 1, "\(fault.name)")
            let blobs = world.layerRequests.filter { $0.hasSuffix(".tar.zst") }
            #expect(Set(blobs) == [world.releases[1].blobPath("pmtiles")], "\(fault.name)")
            #expect(try await world.unsoundness() == [], "\(fault.name)")
        }
    }

    /// Patches that are signed and wrong.
    private static let lies = ["a copy past the end", "old bytes as new ones", "steps that make too little"]

    @Test(arguments: lies)
    func aSignedPatchThatLiesIsNoUse(_ lie: String) async throws {
        try await ProjectFiles.inTemporaryDirectory { home in
            let world = try await PatchScene(home: home) { _, kind, old, new in
                guard kind == "pmtiles" else { return nil }
                let count = UInt32(new.layer.blob.tarByteCount)
                let step: PatchTable.Step =
                    switch lie {
                    case Self.lies[0]: .copy(oldOffset: 512, byteCount: count)
                    case Self.lies[1]: .copy(oldOffset: 0, byteCount: count)
                    default: .copy(oldOffset: 0, byteCount: count - 512)
                    }
                return try new.with([SimulatedPatch(from: old, bytes: PatchTable([step]).encoded)])
            }
            let result = try await world.update()
            #expect(result.layersPatched == 1 && result.layersFetched == 1)
            let requests = world.layerRequests.filter { $0 == world.patchPath(1, "pmtiles") }
            #expect(requests.count == 1, "a patch that is no use is not tried again")
            #expect(try await world.unsoundness() == [])
        }
    }

    @Test(arguments: [true, false])
    func aBrokenManifestInTheMiddleIsNoWay(isMissing: Bool) async throws {
        try await ProjectFiles.inTemporaryDirectory { home in
            let world = try await PatchScene(home: home, versionCount: 4)
            let path = world.releases[1].name.manifestPath
            if isMissing { world.scene.channel[path] = nil } else { world.scene.channel[path]?[9] ^= 1 }
            let plan = try #require(try await world.check())
            #expect(plan.changed.allSatisfy { $0.way == .whole })
            let result = try await world.update()
            #expect(result.layersFetched == 2 && result.layersPatched == 0)
            #expect(result.bytesDownloaded == plan.downloadBytes)
            #expect(!world.layerRequests.contains { $0.hasSuffix(".patch") })
            #expect(try await world.unsoundness() == [])
        }
    }

    @Test(arguments: 1...3)
    func aBrokenPatchInAChainLeavesNothingBehind(version: Int) async throws {
        try await ProjectFiles.inTemporaryDirectory { home in
            let world = try await PatchScene(home: home, versionCount: 4)
            world.scene.channel[world.patchPath(version, "valhalla-tiles")]?[30] ^= 1
            let result = try await world.update()
            #expect(result.layersPatched == 1 && result.layersFetched == 1)
            #expect(try await world.unsoundness() == [])
            #expect(try await world.scene.store().rollback(world.scene.territory()).version == "1.0.0")
        }
    }

    @Test func aPatchThatLiesInAChainLeavesNothingBehind() async throws {
        try await ProjectFiles.inTemporaryDirectory { home in
            // It makes the layer that it starts from: that is noticed when all of it is written.
            let world = try await PatchScene(home: home, versionCount: 4) { version, kind, old, new in
                guard version == 2, kind == "valhalla-tiles" else { return nil }
                let step = PatchTable.Step.copy(oldOffset: 0, byteCount: UInt32(new.layer.blob.tarByteCount))
                return try new.with([SimulatedPatch(from: old, bytes: PatchTable([step]).encoded)])
            }
            let result = try await world.update()
            #expect(result.layersPatched == 1 && result.layersFetched == 1)
            #expect(try await world.unsoundness() == [])
        }
    }
}

extension URL {
    fileprivate func overwrite(with bytes: [UInt8]) throws {
        try FileManager.default.removeItem(at: self)
        try Data(bytes).write(to: self)
    }
}
