import Diagnostics
import Foundation
import Signing
import SnpackTestSupport
import TerritoryClient
import TerritoryModel
import TerritoryPackage
import Testing

@Suite struct VectorTests {
    private static let liechtenstein = "liechtenstein"

    private func store(_ home: URL) throws -> TerritoryStore {
        var options = StoreOptions()
        let now = try Timestamp(parsing: "2026-12-01T00:00:00Z")
        options.now = { now }
        return TerritoryStore(root: home.appending(path: "store"), keys: try keys(), options: options)
    }

    private func keys() throws -> PinnedKeys {
        try PinnedKeys(
            factory: [FactoryKey(parsing: VectorChannel.key("factory_public"))],
            region: [RegionKey(parsing: VectorChannel.key("region_public"))])
    }

    private func channel(_ url: URL) throws -> ChannelDirectoryTransport {
        try ChannelDirectoryTransport(path: url.path)
    }

    /// A store that has 1.0.0 of the good channel, by name, so that no update is held.
    private func storeWith100(_ home: URL) async throws -> TerritoryStore {
        let store = try store(home)
        let request = InstallRequest(version: .exactly(try TerritoryVersion(parsing: "1.0.0")))
        _ = try await store.install(
            TerritoryID(parsing: Self.liechtenstein), from: channel(VectorChannel.ok), request)
        return store
    }

    private func files(_ home: URL) -> [String] {
        let found = FileManager.default.enumerator(atPath: home.path)?.compactMap { $0 as? String } ?? []
        return found.filter { !$0.hasPrefix("store/cache") && !$0.hasPrefix("channel") }.sorted()
    }

    @Test(arguments: VectorChannel.bad)
    func badChannelLeavesTheStoreAsItWas(_ bad: VectorChannel) async throws {
        try await ProjectFiles.inTemporaryDirectory { home in
            let id = try TerritoryID(parsing: Self.liechtenstein)
            let store = try await storeWith100(home)
            let before = files(home)
            try bad.lay(out: home.appending(path: "channel"))
            let channel = try channel(home.appending(path: "channel"))
            let error = await #expect(throws: SnpackError.self) { try await store.sync(id, from: channel) }
            #expect(error?.code.exitStatus.rawValue == bad.exit)
            #expect(files(home) == before)
            let report = try await store.verify(id)
            #expect(report.faults == [])
            #expect(report.territory.version == "1.0.0")
        }
    }

    @Test func goodChannelUpdates() async throws {
        try await ProjectFiles.inTemporaryDirectory { home in
            let id = try TerritoryID(parsing: Self.liechtenstein)
            let store = try await storeWith100(home)
            guard case .updated(let result) = try await store.sync(id, from: channel(VectorChannel.ok)).outcome else {
                Issue.record("not updated")
                return
            }
            #expect(result.territory.version == "1.1.0")
            #expect(result.layersReused == 1)
            #expect(result.bytesDownloaded == 518_329 - 85_934)
            #expect(try await store.verify(id).faults == [])
        }
    }

    @Test func regionChannelInstalls() async throws {
        try await ProjectFiles.inTemporaryDirectory { home in
            let store = try store(home)
            let id = try TerritoryID(parsing: "region-0bdce04100525163")
            guard case .installed(let result) = try await store.sync(id, from: channel(VectorChannel.region)).outcome
            else {
                Issue.record("not installed")
                return
            }
            #expect(result.territory.regionSource?.territoryId == Self.liechtenstein)
            #expect(result.territory.regionSource?.isOutdated == false)
        }
    }

    @Test func packageInstallsAndNeverGoesBack() async throws {
        try await ProjectFiles.inTemporaryDirectory { home in
            let id = try TerritoryID(parsing: Self.liechtenstein)
            let store = try store(home)
            let package = ProjectFiles.vectors.appending(path: "liechtenstein-1.1.0.snpkg")
            guard case .installed(let result) = try await store.install(package: package).outcome else {
                Issue.record("not installed")
                return
            }
            #expect(result.territory.version == "1.1.0")
            #expect(result.layersFetched == 4)
            guard case .upToDate = try await store.install(package: package).outcome else {
                Issue.record("not up to date")
                return
            }
            // Case 55: an older signed package needs to be asked for.
            let release = VectorChannel.ok.appending(path: "territories/liechtenstein/1.0.0")
            await #expect(throws: SnpackError.self) { try await store.install(package: release) }
            guard
                case .updated(let back) = try await store.install(
                    package: release, InstallRequest(allowances: .downgrade)
                ).outcome
            else {
                Issue.record("not gone back")
                return
            }
            #expect(back.territory.version == "1.0.0")
            // The installed package directory is a package too.
            let other = try self.store(home.appending(path: "other"))
            _ = try await other.install(package: URL(filePath: back.territory.path))
            #expect(try await other.verify(id).faults == [])
        }
    }
}
