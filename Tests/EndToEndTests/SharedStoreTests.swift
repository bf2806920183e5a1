import Foundation
import SnpackTestSupport
import Synchronization
import Testing

/// One store and more than one user of it: processes side by side, readers, and disks that cannot be written.
@Suite struct SharedStoreTests {
    @Test func processesThatShareAStoreEndWellOrBusy() throws {
        try PublishedSample.inCopy { journey in
            try journey.store("install", "channel", "\(Journey.id)@1.0.0")
            let writers = [
                ["sync", "channel", Journey.id], ["sync", "channel", Journey.id, "--keep", "0"],
                ["install", "channel", "\(Journey.id)@1.0.0", "--allow-downgrade"],
            ]
            let readers = [["list"], ["search", Journey.id, "Malbun"], ["path", Journey.id, "pmtiles"]]
            let results = Mutex<[(words: [String], result: ToolResult?)]>([])
            for round in 0..<6 {
                let all = (writers + readers).shuffled()
                DispatchQueue.concurrentPerform(iterations: all.count) { index in
                    let words = journey.storeWords(all[index])
                    let result = try? SnpackProcess.run(words, in: journey.directory)
                    results.withLock { $0.append((all[index], result)) }
                }
                if round.isMultiple(of: 2) { try journey.store("verify", Journey.id) }
            }
            for (words, result) in results.withLock({ $0 }) {
                let isReader = readers.contains(words)
                let allowed: [Int32] = isReader ? [0] : [0, 5]
                #expect(allowed.contains(result?.status ?? -1), "\(words): \(result?.description ?? "not run")")
            }
            // At least one of each round's changes went through.
            #expect(results.withLock { $0.count { !readers.contains($0.words) && $0.result?.status == 0 } } >= 6)
            try journey.store("sync", "channel", Journey.id)
            try journey.store("verify", Journey.id)
            let left = try FileManager.default.subpathsOfDirectory(atPath: journey.place("store").path)
            #expect(left.filter { $0.contains(".snpack-tmp") || $0.hasSuffix(".part") } == [])
            let slots = try FileManager.default.contentsOfDirectory(
                atPath: journey.place("store/territories/\(Journey.id)").path)
            #expect(slots.count <= 3, "\(slots)")
        }
    }

    @Test func lookingNeverMakesAWriterBusy() throws {
        try ProjectFiles.inTemporaryDirectory { directory in
            let journey = try Journey(in: directory)
            try journey.buildSmall("1.0.0")
            try journey.store("install", "build/test/1.0.0")
            let isDone = Mutex(false)
            Thread.detachNewThread {
                while !isDone.withLock({ $0 }) {
                    _ = try? SnpackProcess.run(journey.storeWords(["list"]), in: directory)
                }
            }
            defer { isDone.withLock { $0 = true } }
            for _ in 0..<20 { try journey.store("install", "build/test/1.0.0") }
        }
    }

    @Test func anOpenLayerFileKeepsItsBytesThroughUpdates() throws {
        try PublishedSample.inCopy { journey in
            try journey.store("install", "channel", "\(Journey.id)@1.0.0")
            let archive = try journey.path("pmtiles")
            let original = try Data(contentsOf: archive)
            let reader = try FileHandle(forReadingFrom: archive)
            let start = try reader.read(upToCount: 5_000)
            try journey.store("sync", "channel", Journey.id, "--keep", "0")
            try journey.store("list")
            #expect(!FileManager.default.fileExists(atPath: archive.path), "nobody claims the old version any more")
            #expect(try Data(contentsOf: journey.path("pmtiles")) != original)
            let rest = try reader.readToEnd()
            #expect((start ?? Data()) + (rest ?? Data()) == original)
        }
    }

    // MARK: - Disks

    @Test(.enabled(if: MountNamespace.isPermitted, "the kernel does not let this user mount"))
    func aReadOnlyStoreCanBeUsedAndNotChanged() throws {
        try PublishedSample.inCopy { journey in
            try journey.store("install", "channel", "\(Journey.id)@1.0.0")
            try journey.store("activate", Journey.id)
            func mounted(_ words: [String]) throws -> ToolResult {
                let script = #"mount --bind store store; mount -o remount,bind,ro store; exec "$0" "$@""#
                return try MountNamespace.run(
                    script, [SnpackProcess.path] + journey.storeWords(words), in: journey.directory)
            }
            let usable = [
                ["list"], ["active"], ["path", Journey.id, "valhalla-tiles"], ["search", Journey.id, "Malbun"],
                ["reverse", Journey.id, "47.1,9.6"], ["style", Journey.id], ["verify", Journey.id], ["cache"],
                ["check", "channel", Journey.id],
            ]
            for words in usable {
                let result = try mounted(words)
                #expect(result.status == 0 && !result.output.isEmpty, "\(words): \(result)")
            }
            let refused = [
                ["sync", "channel", Journey.id], ["install", "build/liechtenstein/1.1.0"], ["activate", Journey.id],
                ["remove", Journey.id],
            ]
            for words in refused {
                let result = try mounted(words)
                #expect(result.status == 6 && result.standardError.contains("ead-only"), "\(result)")
            }
            #expect(try journey.version() == "1.0.0")
            try journey.store("verify", Journey.id)
        }
    }

    @Test(
        "Case 115: what is in the making lies on the target's file system",
        .enabled(if: MountNamespace.isPermitted, "the kernel does not let this user mount"))
    func case115_otherFileSystems() throws {
        try PublishedSample.inCopy { journey in
            // The store, its cache and the system's temporary directory are three file systems; there is no home.
            let script = """
                mkdir -p store/cache store/territories scratch
                mount -t tmpfs none store/territories; mount -t tmpfs none store/cache; mount -t tmpfs none scratch
                export TMPDIR=$PWD/scratch HOME=/nonexistent
                run() { "$0" store "$@" --root store --factory-key keys/factory.pub; }
                run install channel liechtenstein@1.0.0
                run sync channel liechtenstein
                run verify liechtenstein
                run rollback liechtenstein
                run verify liechtenstein
                test -z "$(ls -A scratch)"
                test -z "$(find store -name '.snpack-tmp*')"
                """
            let result = try MountNamespace.run(script, [SnpackProcess.path], in: journey.directory)
            #expect(result.status == 0, "\(result)")
        }
    }

    // MARK: - Hosts and regions

    @Test("Case 75: a host that gzips everything, has no ranges and refuses HEAD installs and updates")
    func case075_dumbestHost() throws {
        try PublishedSample.inCopy { journey in
            let zipped = try SystemTool.run(
                "bash", ["-ec", "cp -r channel zipped; find zipped -type f -exec chmod u+w {} + -exec gzip -n {} +"],
                in: journey.directory)
            try #require(zipped.status == 0, "\(zipped)")
            let root = journey.place("zipped")
            let server = try ScriptedServer { request in
                guard request.method != "HEAD" else { return .status(405) }
                guard let data = try? Data(contentsOf: root.appending(path: request.path.dropFirst() + ".gz")) else {
                    return .notFound
                }
                return .ok(Array(data)).header("Content-Encoding", "gzip")
            }
            defer { server.stop() }
            try journey.store("install", server.url(), "\(Journey.id)@1.0.0")
            try journey.store("sync", server.url(), Journey.id)
            try journey.store("verify", Journey.id)
            #expect(try journey.version() == "1.1.0")
            #expect(try journey.names("Kesse").first == "Kesse Süd")
        }
    }

    @Test("Case 85: a region of 1.0.0 beside the country's 1.1.0 is listed as outdated, and its own update mends it")
    func case085_regionGoesStale() throws {
        try PublishedSample.inCopy { journey in
            try journey.run("keygen", "--role", "region", "--out", "keys/region", "--no-passphrase")
            func cut(_ version: String) throws -> String {
                let result = try journey.run(
                    "cut", "build/liechtenstein/\(version)", "--factory-key", "keys/factory.pub", "--bbox",
                    "9.48,47.1,9.56,47.2", "--name", "Vaduz", "--version", version, "--out", "regions", "--json")
                let json = try JSONSerialization.jsonObject(with: Data(result.output)) as? [String: Any]
                let (release, id) = (json?["release"] as? String, json?["territory_id"] as? String)
                try journey.run("sign", #require(release), "--key", "keys/region.key")
                try journey.run(
                    "publish", #require(release), "--channel", "regional", "--key", "keys/region.key")
                return try #require(id)
            }
            func source() throws -> (version: String?, isOutdated: Bool?) {
                let listed = try journey.json("list", "--region-key", "keys/region.pub")["territories"]
                let all = listed as? [[String: Any]] ?? []
                #expect(all.filter { $0["region_source"] != nil }.count == 1)
                let source = all.lazy.compactMap { $0["region_source"] as? [String: Any] }.first
                return (source?["version"] as? String, source?["outdated"] as? Bool)
            }
            let id = try cut("1.0.0")
            let region = ["--region-key", "keys/region.pub"]
            func sync(_ channel: String, _ id: String, _ verb: String = "sync") throws {
                let words = journey.storeWords([verb, channel, id]) + region
                let result = try SnpackProcess.run(words, in: journey.directory)
                #expect(result.status == 0, "\(result)")
            }
            try sync("regional", id)
            #expect(try source() == ("1.0.0", false))
            try sync("channel", "\(Journey.id)@1.0.0", "install")
            // The country's channel offers 1.1.0: that is known, whether or not it is installed.
            #expect(try source() == ("1.0.0", true))
            try sync("channel", Journey.id)
            #expect(try source() == ("1.0.0", true))
            let text = try SnpackProcess.run(journey.storeWords(["list"]) + region, in: journey.directory)
            #expect(text.standardOutput.contains("cut from liechtenstein 1.0.0, outdated"), "\(text)")
            #expect(try cut("1.1.0") == id)
            try sync("regional", id)
            #expect(try source() == ("1.1.0", false))
        }
    }
}
