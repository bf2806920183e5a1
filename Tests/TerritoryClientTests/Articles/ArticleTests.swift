import Diagnostics
import DurableFiles
import Foundation
import Signing
import SnpackTestSupport
import Synchronization
import TerritoryClient
import TerritoryFactory
import TerritoryModel
import Testing
import Transfer

/// The samples of the documentation's articles: compiled here, run on real data, and the same to the letter.
@Suite struct ArticleTests {
    @Test func everySampleOfAnArticleIsCompiled() throws {
        func lines(_ text: Substring) -> String {
            text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
                .joined(separator: "\n")
        }
        let sources = ProjectFiles.root.appending(path: "Sources")
        let names = FileManager.default.enumerator(atPath: sources.path)?.compactMap { $0 as? String } ?? []
        let compiled = lines(
            try String(
                contentsOf: URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Samples.swift"),
                encoding: .utf8)[...])
        var count = 0
        for name in names where name.contains(".docc/") && name.hasSuffix(".md") {
            let article = try String(contentsOf: sources.appending(path: name), encoding: .utf8)
            for block in article.split(separator: "```swift\n").dropFirst() {
                count += 1
                let sample = lines(block[..<(block.firstRange(of: "```")?.lowerBound ?? block.endIndex)])
                #expect(compiled.contains(sample), "\(name) shows what Samples.swift does not have:\n\(sample)")
            }
        }
        #expect(count >= 9)
    }

    /// Publishes versions of the sample territory into `channel` below `home`.
    private func publish(_ versions: [String], by key: SecretKey, in home: URL) throws {
        let file = ProjectFiles.root.appending(path: "manifests/liechtenstein.json")
        let definition = try TerritoryDefinition(
            decoding: Array(Data(contentsOf: file)), directory: file.deletingLastPathComponent().path)
        for version in versions {
            var options = ReleaseBuilder.Options(version: try TerritoryVersion(parsing: version), tool: "test")
            options.output = home.appending(path: "build").path
            options.level = 1
            let release = try ReleaseBuilder(definition, options: options, context: WorkContext(jobs: 2)).build().path
            let directory = try Directory.open(release)
            let manifest = try directory.contents(of: "manifest.json", limit: Limits.manifestBytes)
            #expect(try kinds(verifiedBytes: manifest) == 5)
            try directory.write(key.signatureFile(of: manifest), to: "manifest.json.sig")
            _ = try ChannelPublisher(
                ChannelChange(
                    of: home.appending(path: "channel").path, finish: .sign(key),
                    succession: IndexSuccession(now: Timestamp(secondsSince1970: 1_796_083_200))),
                context: WorkContext()
            ).publish([release])
        }
    }

    @Test func theSamplesOfTheArticleForAppsDoWhatItSays() async throws {
        try await ProjectFiles.inTemporaryDirectory { home in
            let key = try SecretKey.generate(role: .factory)
            try publish(["1.0.0"], by: key, in: home)
            let server = try ScriptedServer { request in
                let file = home.appending(path: "channel/\(request.path)")
                guard let bytes = try? Data(contentsOf: file) else { return .notFound }
                return .file([UInt8](bytes), for: request, entityTag: "\"\(bytes.count)\"")
            }
            defer { server.stop() }
            let (root, id) = (home.appending(path: "store"), try TerritoryID(parsing: "liechtenstein"))
            let store = try openStore(in: root, factoryKey: key.publicKey.hex)
            #expect(try await update(store, channelURL: server.url("")) == "Liechtenstein 1.0.0 is here")
            #expect(try await update(store, channelURL: server.url("")) == "1.0.0 is the newest")
            let places = try await use(store, id)
            #expect(places.contains { $0.hasPrefix("Malbun, ") } && places.count > 1, "\(places)")

            // An update, on the way back from which it is held.
            try publish(["1.1.0"], by: key, in: home)
            #expect(try await update(store, channelURL: server.url("")) == "Liechtenstein 1.1.0 is here")
            _ = try await store.rollback(id)
            #expect(try await update(store, channelURL: server.url("")) == "1.0.0 stays: you went back from 1.1.0")

            // Damage.
            let channel = try HTTPTransport(url: server.url(""))
            #expect(try await heal(store, id, from: channel) == 0)
            let map = try await store.layerURL(id, .pmtiles)
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: map.path)
            let file = try FileHandle(forWritingTo: map)
            try file.seek(toOffset: 300_000)
            try file.write(contentsOf: Data(repeating: 0xAA, count: 10))
            try file.close()
            let fetched = try await heal(store, id, from: channel)
            #expect(fetched > 0 && fetched < 2 << 20)
            #expect(try await heal(store, id, from: channel) == 0)

            // Errors, each to its kind.
            server.stop()
            var errors: [SnpackError] = []
            var retry = RetryPolicy()
            retry.retries = 0
            let gone = HTTPTransport(
                try ChannelURL(parsing: server.url("")), client: HTTPClient(version: "0-test", retry: retry))
            let metered = UnmeteredTransport(inner: channel, isUnmetered: { false })
            let other = try openStore(in: root, factoryKey: SecretKey.generate(role: .factory).publicKey.hex)
            let here = try ChannelDirectoryTransport(path: home.appending(path: "channel").path)
            for (store, transport) in [(store, gone), (store, metered), (other, here)] as [(_, any ChannelTransport)] {
                do throws(SnpackError) { _ = try await store.sync(id, from: transport) } catch { errors.append(error) }
            }
            #expect(errors.prefix(2).map(trouble) == [.tryLater, .tryLater])
            #expect(errors.last?.code.name == "signature.not-trusted")
        }
    }

    @Test func aReporterHearsOfEveryByteAndACancelledTaskEnds() async throws {
        try await ProjectFiles.inTemporaryDirectory { home in
            let key = try SecretKey.generate(role: .factory)
            try publish(["1.0.0"], by: key, in: home)
            let heard = Mutex<UInt64>(0)
            var options = StoreOptions()
            options.reporter = ByteListener { bytes in heard.withLock { $0 += bytes } }
            let store = try TerritoryStore(
                root: home.appending(path: "store"), factoryKey: FactoryKey(key.publicKey), options: options)
            let id = try TerritoryID(parsing: "liechtenstein")
            let channel = try ChannelDirectoryTransport(path: home.appending(path: "channel").path)
            let task = Task { try await store.sync(id, from: channel).outcome }
            task.cancel()
            #expect(try await task.value == .cancelled)
            #expect(try await store.list() == [])
            _ = try await store.sync(id, from: channel)
            #expect(heard.withLock { $0 } > 1 << 20)
        }
    }
}
