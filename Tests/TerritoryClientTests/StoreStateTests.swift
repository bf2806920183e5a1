import Diagnostics
import Foundation
import Signing
import SnpackTestSupport
import Synchronization
import TerritoryClient
import TerritoryModel
import TerritoryPackage
import Testing

@Suite struct StoreStateTests {
    private static let state = "territories/uk/state.json"

    @Test(arguments: [[], [UInt8](repeating: 0, count: 120), Array("{\"type\":".utf8)])
    func case081_damagedStateIsVerifiedAgainAndNotNothing(_ bytes: [UInt8]) async throws {
        try await ProjectFiles.inTemporaryDirectory { home in
            var scene = try Scene(home: home)
            try await scene.install100()
            try scene.overwrite(Self.state, with: bytes)
            #expect(try await scene.store().list().map(\.version) == ["1.0.0"])
            try scene.publish([scene.release("1.1.0")])
            guard case .updated = try await scene.store().sync(scene.territory(), from: scene.channel).outcome else {
                Issue.record("not an update")
                return
            }
            #expect(try await scene.unsoundness(expecting: "1.1.0") == [])
        }
    }

    @Test func case081_zeroFilledFileOfTheRightSizeIsNamed() async throws {
        try await ProjectFiles.inTemporaryDirectory { home in
            var scene = try Scene(home: home)
            try await scene.install100()
            let url = try await scene.store().layerURL(scene.territory(), .poiSidecar)
            let size = try Data(contentsOf: url).count
            try scene.overwrite(
                url.path(percentEncoded: false).replacingOccurrences(of: scene.root.path + "/", with: ""),
                with: [UInt8](repeating: 0, count: size))
            let faults = try await scene.store().verify(scene.territory()).faults
            #expect(faults.count == 1 && faults[0].path?.hasSuffix("poi.sqlite") == true)
        }
    }

    @Test func aMovedStoreWorks() async throws {
        try await ProjectFiles.inTemporaryDirectory { home in
            var scene = try Scene(home: home)
            try await scene.install100()
            try await scene.store().setActive(scene.territory())
            let elsewhere = home.appending(path: "else where")
            try FileManager.default.moveItem(at: scene.root, to: elsewhere)
            let store = TerritoryStore(root: elsewhere, keys: scene.keys)
            #expect(try await store.verify(scene.territory()).faults == [])
            #expect(try await store.active()?.path.hasPrefix(elsewhere.path) == true)
            let text = try FileManager.default.subpathsOfDirectory(atPath: elsewhere.path)
                .filter { $0.hasSuffix(".json") }
                .map { try String(contentsOf: elsewhere.appending(path: $0), encoding: .utf8) }.joined()
            #expect(!text.contains(home.path))
        }
    }

    @Test func case083_leftoversNeitherBlockNorStay() async throws {
        try await ProjectFiles.inTemporaryDirectory { home in
            var scene = try Scene(home: home)
            try await scene.install100()
            let folder = scene.root.appending(path: "territories/uk")
            for name in [".snpack-tmp-0123456789abcdef/package", "1.1.0/package", "7.0.0+2"] {
                try FileManager.default.createDirectory(
                    at: folder.appending(path: name), withIntermediateDirectories: true)
            }
            try Data([1]).write(to: folder.appending(path: ".snpack-tmp-fedcba9876543210"))
            try scene.publish([scene.release("1.1.0")])
            _ = try await scene.store().sync(scene.territory(), from: scene.channel)
            #expect(try await scene.unsoundness(expecting: "1.1.0") == [])
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
            #expect(names == ["1.0.0", "1.1.0", "state.json"])
        }
    }

    @Test func whatIsOpenStaysReadableThroughAnUpdate() async throws {
        try await ProjectFiles.inTemporaryDirectory { home in
            var scene = try Scene(home: home)
            scene.options.keepsPrevious = false
            try await scene.install100()
            let uk = try scene.territory()
            do {
                let store = try scene.store()
                let old = try await store.layerURL(uk, .pmtiles)
                try scene.publish([scene.release("1.1.0")])
                _ = try await scene.store().sync(uk, from: scene.channel)
                #expect(FileManager.default.fileExists(atPath: old.path))
                #expect(try await store.layerURL(uk, .pmtiles) != old)
            }
            // The last user is gone: the next one that opens the store cleans up.
            _ = try await scene.store().list()
            let names = try FileManager.default.contentsOfDirectory(atPath: scene.root.path + "/territories/uk")
            #expect(names.sorted() == ["1.1.0", "state.json"])
        }
    }

    @Test func aBusyTerritoryIsSaidToBeBusy() async throws {
        try await ProjectFiles.inTemporaryDirectory { home in
            var scene = try Scene(home: home)
            try await scene.install100()
            try scene.publish([scene.release("1.1.0")])
            let (uk, channel, other) = (try scene.territory(), scene.channel, try scene.store())
            let store = try scene.store()
            let gate = GatedTransport(channel)
            async let first = store.sync(uk, from: gate)
            try await gate.waitUntilReached()
            await #expect { try await other.sync(uk, from: channel) } throws: {
                ($0 as? SnpackError)?.code.name == "lock.busy"
            }
            #expect(try await other.list().map(\.version) == ["1.0.0"])
            gate.open()
            _ = try await first
            #expect(try await scene.unsoundness(expecting: "1.1.0") == [])
        }
    }

    @Test func retiredKeysKeepInstalledMapsUsable() async throws {
        try await ProjectFiles.inTemporaryDirectory { home in
            var scene = try Scene(home: home)
            try await scene.install100()
            scene.keys = try PinnedKeys(
                factory: [FactoryKey(scene.secret.otherFactory.publicKey)], retired: [scene.secret.factory.publicKey])
            #expect(try await scene.unsoundness(expecting: "1.0.0") == [])
            scene.keys = try PinnedKeys(factory: [FactoryKey(scene.secret.otherFactory.publicKey)])
            await #expect { try await scene.store().verify(scene.territory()) } throws: {
                ($0 as? SnpackError)?.code.name == "signature.not-trusted"
            }
        }
    }

    @Test func case087_installedBytesAreNobodyElses() async throws {
        try await ProjectFiles.inTemporaryDirectory { home in
            var scene = try Scene(home: home)
            try await scene.install100()
            let uk = try scene.territory()
            let old = try await scene.store().layerURL(uk, .poiSidecar)
            // Somebody makes the old database writable; from then on it is copied, not linked.
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: old.path)
            try scene.publish([scene.release("1.1.0")])
            _ = try await scene.store().sync(uk, from: scene.channel)
            let handle = try FileHandle(forUpdating: old)
            try handle.write(contentsOf: Data("overwritten".utf8))
            try handle.close()
            #expect(try await scene.unsoundness(expecting: "1.1.0") == [])
            // What was damaged meanwhile is no version to go back to.
            await #expect(throws: SnpackError.self) { try await scene.store().rollback(uk) }
        }
    }

    @Test func case053_installedMapsDoNotExpire() async throws {
        try await ProjectFiles.inTemporaryDirectory { home in
            var scene = try Scene(home: home)
            scene.facts.expiresAt = "2026-12-24T00:00:00Z"
            try await scene.install100()
            scene.now = "2028-01-01T00:00:00Z"
            #expect(try await scene.unsoundness(expecting: "1.0.0") == [])
            let check = try await scene.store().check(scene.territory(), from: scene.channel)
            #expect(check.index.freshness == .expired)
        }
    }

    @Test func updatesStreamTellsOfEveryChange() async throws {
        try await ProjectFiles.inTemporaryDirectory { home in
            let scene = try Scene(home: home)
            try scene.publish([])
            let (store, uk) = (try scene.store(), try scene.territory())
            var updates = await store.updates().makeAsyncIterator()
            #expect(await updates.next() == [])
            _ = try await store.sync(uk, from: scene.channel)
            #expect(await updates.next()?.map(\.version) == ["1.0.0"])
            try await store.setActive(uk)
            #expect(await updates.next()?.first?.active == true)
            try await store.remove(uk)
            #expect(await updates.next() == [])
        }
    }

    @Test func aCancelledTaskIsAnOutcome() async throws {
        try await ProjectFiles.inTemporaryDirectory { home in
            var scene = try Scene(home: home)
            try await scene.install100()
            try scene.publish([scene.release("1.1.0")])
            let (store, uk, channel) = (try scene.store(), try scene.territory(), scene.channel)
            let gate = GatedTransport(channel)
            let task = Task { try await store.sync(uk, from: gate) }
            try await gate.waitUntilReached()
            task.cancel()
            #expect(try await task.value.outcome == .cancelled)
            #expect(try await scene.unsoundness(expecting: "1.0.0") == [])
        }
    }
}

/// A channel that answers nothing until its gate is opened.
final class GatedTransport: ChannelTransport {
    private let inner: ChannelSimulator
    private let isReached = Atomic<Bool>(false)
    private let isOpen = Atomic<Bool>(false)

    init(_ inner: ChannelSimulator) { self.inner = inner }
    var location: String { inner.location }
    func open() { isOpen.store(true, ordering: .relaxed) }

    func waitUntilReached() async throws {
        while !isReached.load(ordering: .relaxed) { try await Task.sleep(for: .milliseconds(5)) }
    }

    func fetch(
        _ request: ChannelRequest, cancel: CancelToken,
        consume: (UnsafeRawBufferPointer) throws(SnpackError) -> Void
    ) throws(SnpackError) -> ChannelAnswer {
        isReached.store(true, ordering: .relaxed)
        while !isOpen.load(ordering: .relaxed) {
            try cancel.check()
            Thread.sleep(forTimeInterval: 0.005)
        }
        return try inner.fetch(request, cancel: cancel, consume: consume)
    }
}
