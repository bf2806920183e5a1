import Diagnostics
import Foundation
import Hashing
import SnpackTestSupport
import Synchronization
import TerritoryClient
import TerritoryModel
import Testing
import Transfer

/// What servers and CDNs do, behind the real HTTP client: the store ends with the signed bytes or with an error.
@Suite struct HTTPCaseTests {
    /// What the tests change about a blob's answers.
    typealias Lie = @Sendable (ScriptedRequest, [UInt8]) -> ScriptedResponse?

    /// A world of 1.0.0 with one layer of `byteCount` random bytes, behind a server that lies about its blob.
    private func withServer(
        _ byteCount: Int = 3 << 20, lie: @escaping Lie,
        _ body: (Scene, ScriptedServer, SimulatedRelease, HTTPTransport) async throws -> Void
    ) async throws {
        try await ProjectFiles.inTemporaryDirectory { home in
            let scene = try Scene(home: home)
            let layer = try SimulatedLayer(
                "pmtiles", path: "map.pmtiles", isTree: false,
                files: [("map.pmtiles", SimulatedLayer.noise(byteCount, seed: 5))])
            let release = try scene.release("1.0.0", layers: [layer])
            let channel = scene.channel
            try channel.publish([release], scene.facts, signer: scene.secret.factory)
            let path = "/maps/\(release.blobPath("pmtiles"))"
            let server = try ScriptedServer { request in
                guard let file = channel[String(request.path.dropFirst("/maps/".count))] else { return .notFound }
                if request.path == path, let answer = lie(request, file) { return answer }
                return .file(file, for: request, entityTag: "\"b3-\(Blake3Digest.of(file).shortHex)\"")
            }
            defer { server.stop() }
            var retry = RetryPolicy()
            retry.retries = 2
            retry.sleep = { (_, cancel) throws(SnpackError) in try cancel.check() }
            let client = HTTPClient(version: "0-test", retry: retry)
            let transport = HTTPTransport(try ChannelURL(parsing: server.url("/maps/")), client: client)
            try await body(scene, server, release, transport)
        }
    }

    /// Syncs, and expects the signed bytes afterwards.
    private func installs(
        _ byteCount: Int = 3 << 20, lie: @escaping Lie, sending limit: Double = 2.2
    ) async throws {
        try await withServer(byteCount, lie: lie) { scene, server, release, transport in
            guard case .installed = try await scene.store().sync(scene.territory(), from: transport).outcome else {
                Issue.record("not installed")
                return
            }
            #expect(try await scene.unsoundness(expecting: "1.0.0") == [])
            #expect(Double(server.sentByteCount) <= limit * Double(release.blob("pmtiles").count) + 50_000)
        }
    }

    /// Syncs, and expects this error and nothing installed.
    private func refuses(_ codes: [String], byteCount: Int = 3 << 20, lie: @escaping Lie) async throws {
        try await withServer(byteCount, lie: lie) { scene, _, _, transport in
            let (store, id) = (try scene.store(), try scene.territory())
            let error = await #expect(throws: SnpackError.self) { try await store.sync(id, from: transport) }
            #expect(codes.contains(error?.code.name ?? "none"), "\(String(describing: error))")
            #expect(try await scene.unsoundness(expecting: nil) == [])
        }
    }

    @Test func anHonestServerSendsEveryByteOnce() async throws { try await installs(lie: { _, _ in nil }, sending: 1) }

    @Test func case069_rangeAnsweredWithTheWhole() async throws {
        // What the server's socket took before it was hung up on counts too.
        try await installs(lie: { _, file in .ok(file) }, sending: 2.2)
        try await installs(lie: { _, file in .parts([.bytes(file)], framing: .chunked) }, sending: 2.2)
    }

    @Test func case069_partOnDiskAndAServerWithoutRanges() async throws {
        let isHonest = Mutex(true)
        try await withServer(lie: { _, file in isHonest.withLock { $0 } ? nil : .ok(file) }) {
            scene, server, release, transport in
            let cache = scene.root.appending(path: "cache")
            try FileManager.default.createDirectory(at: cache, withIntermediateDirectories: true)
            let blob = release.blob("pmtiles")
            try scene.overwrite("cache/\(Blake3Text.of(blob)).part", with: Array(blob.prefix(1_000)))
            isHonest.withLock { $0 = false }
            _ = try await scene.store().sync(scene.territory(), from: transport)
            #expect(try await scene.unsoundness(expecting: "1.0.0") == [])
        }
    }

    @Test func case071_twoHundredWithAPart() async throws {
        try await refuses(["transfer.range-contradicted", "transfer.length-differs"]) { _, file in
            .ok(Array(file[1_000..<2_000])).header("Content-Range", "bytes 1000-1999/\(file.count)")
        }
    }

    @Test func case073_contentChangesInTheMiddle() async throws {
        for tag in ["\"new\"", "W/\"new\"", nil] {
            try await refuses(["blob.frame-invalid", "transfer.content-changed", "transfer.connection-lost"]) {
                request, file in
                guard let range = request.range, range.count > 1_000_000 else { return nil }
                if range.lowerBound == 0 {
                    return .file(file, for: request, entityTag: "\"old\"").breakingOff(after: 1_500_000)
                }
                return .file([UInt8](repeating: 7, count: file.count), for: request, entityTag: tag)
            }
        }
    }

    @Test func case075_hostsThatGzipEverythingOrRefuseHead() async throws {
        try await installs(lie: { request, _ in request.method == "HEAD" ? .status(405) : nil })
    }

    @Test func case077_neverAsksForSeveralRanges() async throws {
        try await withServer(lie: { _, _ in nil }) { scene, server, _, transport in
            _ = try await scene.store().sync(scene.territory(), from: transport)
            #expect(server.requests.allSatisfy { !($0["Range"] ?? "").contains(",") })
            #expect(server.requests.allSatisfy { $0["Accept-Encoding"] == "identity" })
            #expect(server.connectionCount == 1)
        }
    }

    @Test(arguments: [["9000000000000"], ["-1"], ["abc"], ["10", "20"]])
    func case079_contentLengthLies(_ lengths: [String]) async throws {
        try await refuses(
            [
                "transfer.length-differs", "transfer.answer-malformed", "transfer.connection-lost",
                "transfer.body-short",
                "transfer.failed",
            ]
        ) { _, file in .parts([.bytes(Array(file.prefix(10))), .hangUp], framing: .declared(lengths)) }
    }

    @Test func case061_endlessBlob() async throws {
        try await refuses(["blob.longer", "transfer.too-large"], byteCount: 200_000) { _, _ in
            .parts([.endless([UInt8](repeating: 0, count: 65_536))], framing: .chunked)
        }
    }

    @Test func htmlPagesWithTwoHundred() async throws {
        try await refuses(
            ["transfer.length-differs", "blob.short", "blob.mismatch", "transfer.body-short"], byteCount: 200_000
        ) {
            _, _ in
            .ok("<html><body>Please log in</body></html>").header("Content-Type", "text/html")
        }
    }

    @Test(arguments: [
        (401, "transfer.unauthorized"), (402, "transfer.allowance-used-up"), (403, "transfer.forbidden"),
        (404, "package.file-missing"), (410, "package.file-missing"), (429, "transfer.too-many-requests"),
        (500, "transfer.server-failed"), (503, "transfer.server-failed"), (416, "transfer.range-unsatisfiable"),
    ])
    func statusesHaveCodesOfTheirOwn(_ status: Int, _ code: String) async throws {
        try await refuses([code], byteCount: 200_000) { _, _ in .status(status) }
    }

    @Test func aConnectionThatBreaksIsResumedInTheSameRun() async throws {
        try await installs(
            lie: { request, file in
                request.range?.lowerBound == 0
                    ? .file(file, for: request, entityTag: "\"one of two caches\"").breakingOff(after: 1_700_000) : nil
            }, sending: 2.2)
    }

    @Test func case113_bytesReachTheDiskWhileTheyCome() async throws {
        try await withServer(
            lie: { request, file in
                guard let range = request.range, range.lowerBound == 0 else { return nil }
                // Then the line goes dead.
                var answer = ScriptedResponse.file(file, for: request)
                answer.framing = .declared(["\(range.count)"])
                answer.parts = [.bytes(Array(file.prefix(1_200_000))), .pause(.seconds(60)), .hangUp]
                return answer
            }
        ) { scene, _, _, transport in
            let store = try scene.store()
            let uk = try scene.territory()
            let task = Task { try await store.sync(uk, from: transport) }
            while try await store.layerCacheSize() < 1_200_000 { try await Task.sleep(for: .milliseconds(20)) }
            task.cancel()
            #expect(try await task.value.outcome == .cancelled)
            #expect(try await store.layerCacheSize() >= 1_200_000)
        }
    }
}
