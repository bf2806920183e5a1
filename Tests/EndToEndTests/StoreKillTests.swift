import Foundation
import SnpackTestSupport
import Synchronization
import Testing

/// The built program, killed again and again while it installs from a throttled server.
@Suite struct StoreKillTests {
    private static let blobByteCount = 24 << 20

    /// A signed channel whose one layer does not compress.
    private func makeChannel(in home: URL, seed: UInt64) throws -> URL {
        var state = seed | 1
        var words = [UInt64](repeating: 0, count: Self.blobByteCount / 8)
        for index in words.indices {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            words[index] = state
        }
        try words.withUnsafeBytes { try Data($0).write(to: home.appending(path: "noise.bin")) }
        let definition = """
            {id: "test", display_name: "Test", attribution: "nobody", bbox: [9, 47, 10, 48],
             data_timestamp: "2026-11-01T00:00:00Z", layers: [{kind: "noise", source: "noise.bin"}]}
            """
        try Data(definition.utf8).write(to: home.appending(path: "test.json"))
        for words in [
            ["keygen", "--role", "factory", "--out", "keys/factory", "--no-passphrase"],
            ["build", "test.json", "--version", "1.0.0", "--level", "1"],
            ["sign", "build/test/1.0.0", "--key", "keys/factory.key"],
            ["publish", "build/test/1.0.0", "--channel", "channel", "--key", "keys/factory.key", "--valid-for", "30d"],
        ] {
            let result = try SnpackProcess.run(words, in: home)
            try #require(result.status == 0, "\(words): \(result)")
        }
        return home.appending(path: "channel")
    }

    @Test func case083_killedAtRandomMomentsItLosesNextToNothing() throws {
        let seed = UInt64.random(in: 1 ... .max)
        print("seed \(seed)")
        try ProjectFiles.inTemporaryDirectory { home in
            let channel = try makeChannel(in: home, seed: seed)
            let isThrottled = Mutex(true)
            let server = try ScriptedServer { request in
                guard let data = try? Data(contentsOf: channel.appending(path: String(request.path.dropFirst())))
                else { return .notFound }
                let answer = ScriptedResponse.file(Array(data), for: request)
                return isThrottled.withLock { $0 } && data.count > 1 << 20
                    ? answer.paced(bytesPerSecond: 12 << 20) : answer
            }
            defer { server.stop() }
            let words = [
                "store", "sync", server.url(), "test", "--root", "store", "--factory-key", "keys/factory.pub", "--json",
            ]
            var generator = seed
            var kills = 0
            for _ in 0..<100 {
                generator = generator &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                let process = Process()
                process.executableURL = URL(filePath: SnpackProcess.path)
                process.arguments = words
                process.currentDirectoryURL = home
                process.standardOutput = FileHandle.nullDevice
                process.standardError = FileHandle.nullDevice
                try process.run()
                Thread.sleep(forTimeInterval: 0.01 + Double(generator >> 40) / Double(1 << 24) * 0.12)
                guard process.isRunning else { break }
                kill(process.processIdentifier, SIGKILL)
                process.waitUntilExit()
                kills += 1
                let store = home.appending(path: "store").path
                let installed = ((try? FileManager.default.subpathsOfDirectory(atPath: store)) ?? [])
                    .filter { $0.hasPrefix("territories/test/1.0.0/package/") }
                // Old or new, never a mix: nothing is there before all is.
                #expect(installed.isEmpty || installed.count == 3, "\(installed)")
            }
            isThrottled.withLock { $0 = false }
            let result = try SnpackProcess.run(words, in: home)
            #expect(result.status == 0, "seed \(seed): \(result)")
            let verified = try SnpackProcess.run(
                ["store", "verify", "test", "--root", "store", "--factory-key", "keys/factory.pub"], in: home)
            #expect(verified.status == 0, "seed \(seed): \(verified)")
            #expect(server.sentByteCount <= Self.blobByteCount + (kills + 1) << 20, "seed \(seed), \(kills) kills")
            print("\(kills) kills, \(server.sentByteCount) bytes sent for \(Self.blobByteCount)")
            let left = try FileManager.default.subpathsOfDirectory(atPath: home.appending(path: "store").path)
            #expect(left.filter { $0.contains(".snpack-tmp") || $0.hasSuffix(".part") } == [])
        }
    }
}
