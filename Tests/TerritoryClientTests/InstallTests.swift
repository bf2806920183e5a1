import Diagnostics
import Foundation
import SnpackTestSupport
import TerritoryClient
import TerritoryModel
import Testing

@Suite struct InstallTests {
    @Test func installsUpdatesAndRollsBack() async throws {
        try await ProjectFiles.inTemporaryDirectory { home in
            var scene = try Scene(home: home)
            try await scene.install100()
            #expect(try await scene.unsoundness(expecting: "1.0.0") == [])
            let store = try scene.store()
            let uk = try scene.territory()

            try scene.publish([scene.release("1.1.0")])
            let check = try await store.check(uk, from: scene.channel)
            #expect(check.availableVersion == "1.1.0")
            let plan = try #require(check.plan)
            #expect(plan.changed.map(\.kind.rawValue) == ["pmtiles", "valhalla-tiles"])
            scene.channel.forgetRequests()
            guard case .updated(let result) = try await store.sync(uk, from: scene.channel).outcome else {
                Issue.record("not updated")
                return
            }
            #expect(result.layersFetched == 2)
            #expect(result.layersReused == 1)
            #expect(result.bytesDownloaded == plan.downloadBytes)
            #expect(result.previousVersion == "1.0.0")
            #expect(!scene.channel.requests.contains { $0.path.contains("poi.sqlite") })
            #expect(try await scene.unsoundness(expecting: "1.1.0") == [])

            #expect(try await store.rollback(uk).version == "1.0.0")
            guard case .held(_, "1.1.0") = try await store.sync(uk, from: scene.channel).outcome else {
                Issue.record("not held")
                return
            }
            #expect(try await scene.unsoundness(expecting: "1.0.0") == [])
            let again = try await store.install(
                uk, from: scene.channel, InstallRequest(version: .exactly(TerritoryVersion(parsing: "1.1.0"))))
            guard case .updated = again.outcome else {
                Issue.record("not updated: \(again)")
                return
            }
            try await store.remove(uk)
            #expect(try await store.list().isEmpty)
            #expect(try scene.files().filter { $0.hasPrefix("territories/") } == [])
        }
    }

    @Test("layers of the same bytes have one blob, which is fetched once and stands in no layer's way")
    func layersOfTheSameBytes() async throws {
        try await ProjectFiles.inTemporaryDirectory { home in
            let scene = try Scene(home: home)
            let files = [("0/0.bin", SimulatedLayer.noise(900_000, seed: 3))]
            let layers = try ["glyphs", "sprites"].map { try SimulatedLayer($0, path: $0, files: files) }
            try scene.channel.publish(
                [scene.release("1.0.0", layers: layers)], scene.facts, signer: scene.secret.factory)
            let report = try await scene.store().install(scene.territory(), from: scene.channel)
            guard case .installed(let result) = report.outcome else {
                Issue.record("not installed: \(report)")
                return
            }
            #expect(result.layersFetched == 2)
            let blob = layers[0].layer.blob
            #expect(result.bytesDownloaded <= blob.byteCount + blob.tableByteCount)
            #expect(try await scene.unsoundness(expecting: "1.0.0") == [])
        }
    }
}
