import Foundation
import SnpackTestSupport
import Testing

/// The build cache: it saves work, and neither its absence, its age nor its damage changes what comes out.
@Suite struct BuildCacheTests {
    /// A workshop whose files are old enough for their times to be trusted.
    private func open(_ body: (CachedShop) throws -> Void) throws {
        try Workshop.open { shop in
            Thread.sleep(forTimeInterval: 2.1)
            try body(CachedShop(shop: shop))
        }
    }

    // MARK: - What it saves

    @Test func anUnchangedLayerIsNeitherReadNorPackedAgain() throws {
        try open { cached in
            try cached.build("one", "1.0.0")
            try cached.build("two", "1.1.0")
            #expect(try cached.blob("one", "1.0.0").inode == cached.blob("two", "1.1.0").inode)
            #expect(
                try cached.files("two", "1.1.0").filter { $0.key != "manifest.json" }
                    == cached.files("one", "1.0.0").filter { $0.key != "manifest.json" })
            guard SystemCalls.canTrace else { return }
            let opened = try cached.sourcesOpened(whileBuilding: "three")
            #expect(opened == [])
            #expect(try cached.sourcesOpened(whileBuilding: "four", "--no-cache") != [])
        }
    }

    @Test func withoutTheCacheEverythingIsPackedAnew() throws {
        try open { cached in
            try cached.build("one", "1.0.0")
            try cached.build("two", "1.0.0", "--no-cache")
            #expect(try cached.blob("one", "1.0.0").inode != cached.blob("two", "1.0.0").inode)
            #expect(try cached.files("one", "1.0.0") == cached.files("two", "1.0.0"))
            // Another level is another blob.
            try cached.build("three", "1.0.0", "--level", "1")
            #expect(try cached.blob("one", "1.0.0").inode != cached.blob("three", "1.0.0").inode)
        }
    }

    @Test func filesOfTheSameContentWrittenAnewKeepTheirBlob() throws {
        try open { cached in
            try cached.build("one", "1.0.0")
            try cached.shop.copy("tree", to: "copy")
            try cached.build("two", "1.0.0", "--layer", "extra=copy")
            #expect(try cached.blob("one", "1.0.0").inode == cached.blob("two", "1.0.0").inode)
        }
    }

    // MARK: - What it must not believe

    @Test func aFileYoungerThanTwoSecondsIsNotTrusted() throws {
        try Workshop.open { shop in
            let cached = CachedShop(shop: shop)
            try cached.build("one", "1.0.0")
            guard SystemCalls.canTrace else { return }
            #expect(try cached.sourcesOpened(whileBuilding: "two") != [])
        }
    }

    @Test func aChangeUnderTheSameSizeAndTimeIsSeen() throws {
        try open { cached in
            try cached.build("one", "1.0.0")
            let path = cached.shop.url("tree/b").path
            let before = try #require(FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date)
            try cached.shop.write("tree/b", String(repeating: "c", count: 40_000))
            try FileManager.default.setAttributes([.modificationDate: before], ofItemAtPath: path)
            try cached.build("two", "1.0.0")
            try cached.build("plain", "1.0.0", "--no-cache")
            #expect(try cached.files("two", "1.0.0") == cached.files("plain", "1.0.0"))
            #expect(try cached.files("two", "1.0.0") != cached.files("one", "1.0.0"))
        }
    }

    @Test func aBlobThatIsGoneOrWrittenToIsPackedAgain() throws {
        try open { cached in
            try cached.build("one", "1.0.0")
            let blob = try cached.blob("one", "1.0.0").path
            try cached.shop.remove(blob)
            try cached.build("two", "1.0.0")
            try cached.build("plain", "1.0.0", "--no-cache")
            #expect(try cached.files("two", "1.0.0") == cached.files("plain", "1.0.0"))
            let second = try cached.blob("two", "1.0.0").path
            var bytes = try cached.shop.read(second)
            bytes[bytes.count / 2] ^= 1
            let file = try FileHandle(forWritingTo: cached.shop.url(second))
            try file.write(contentsOf: Data(bytes))
            try file.close()
            try cached.build("three", "1.0.0")
            #expect(try cached.files("three", "1.0.0") == cached.files("plain", "1.0.0"))
        }
    }

    @Test("a lie that somebody put there on purpose does not get a signature")
    func aPoisonedCacheNeverReachesASignature() throws {
        try open { cached in
            let shop = cached.shop
            try cached.build("one", "1.0.0")
            // The blob's bytes change, and its times are what they were: the cache cannot tell.
            let blob = try cached.blob("one", "1.0.0").path
            var bytes = try shop.read(blob)
            bytes[bytes.count / 2] ^= 1
            let date = try FileManager.default.attributesOfItem(atPath: shop.url(blob).path)[.modificationDate]
            _ = try SystemTool.run("cp", ["-p", blob, "times"], in: shop.root)
            let file = try FileHandle(forWritingTo: shop.url(blob))
            try file.write(contentsOf: Data(bytes))
            try file.close()
            _ = try SystemTool.run("touch", ["-r", "times", blob], in: shop.root)
            #expect(date != nil)
            try cached.build("two", "1.0.0")
            #expect(try cached.blob("two", "1.0.0").inode == cached.blob("one", "1.0.0").inode)
            let sign = try shop.run("sign", "two/demo/1.0.0", "--key", "keys/factory.key")
            #expect(sign.status == 3 && !shop.exists("two/demo/1.0.0/manifest.json.sig"), "\(sign)")
        }
    }

    @Test func anotherVersionOfSnpackAsksAnew() throws {
        try open { cached in
            try cached.build("one", "1.0.0")
            // The same program with another time on it stands for another program.
            let copy = cached.shop.url("snpack")
            try FileManager.default.copyItem(at: URL(fileURLWithPath: SnpackProcess.path), to: copy)
            _ = try SystemTool.run("touch", ["-d", "2001-02-03", copy.path], in: cached.shop.root)
            let result = try SystemTool.run(
                copy.path, ["build", "demo.json", "--version", "1.0.0", "--out", "two"], in: cached.shop.root,
                environment: ["XDG_CACHE_HOME": cached.directory])
            #expect(result.status == 0, "\(result)")
            #expect(try cached.blob("one", "1.0.0").inode != cached.blob("two", "1.0.0").inode)
        }
    }

    // MARK: - When it cannot be used

    @Test(arguments: ["not a database", "", "SQLite format 3\0 and then nothing that makes sense"])
    func aDamagedCacheIsMadeAnew(_ content: String) throws {
        try open { cached in
            try cached.build("one", "1.0.0")
            try cached.shop.write("cache/snpack/build.sqlite", content)
            try cached.build("two", "1.0.0")
            #expect(try cached.files("one", "1.0.0") == cached.files("two", "1.0.0"))
            try cached.build("three", "1.0.0")
            try cached.build("four", "1.0.0")
            #expect(try cached.blob("three", "1.0.0").inode == cached.blob("four", "1.0.0").inode)
        }
    }

    @Test func aPoisonedRowIsNoAnswer() throws {
        try open { cached in
            try cached.build("one", "1.0.0")
            let spoil = "UPDATE answers SET answer = replace(answer, '\"bytes\": ', '\"bytes\": 1')"
            let script =
                "import sqlite3; d = sqlite3.connect('cache/snpack/build.sqlite'); d.execute(\"\"\"\(spoil)\"\"\"); d.commit()"
            let result = try SystemTool.run("python3", ["-c", script], in: cached.shop.root)
            #expect(result.status == 0, "\(result)")
            try cached.build("two", "1.0.0")
            #expect(try cached.files("one", "1.0.0") == cached.files("two", "1.0.0"))
        }
    }

    @Test func aPlaceThatCannotBeACacheIsDoneWithout() throws {
        try open { cached in
            try cached.build("one", "1.0.0")
            try cached.shop.write("file", "no directory")
            for place in [cached.shop.url("file").path, "/proc/snpack", "relative"] {
                let out = "out-\(place.hashValue)"
                let result = try cached.shop.run(
                    ["build", "demo.json", "--version", "1.0.0", "--out", out], environment: ["XDG_CACHE_HOME": place])
                #expect(result.status == 0 && !result.standardError.contains("error"), "\(result)")
                #expect(try cached.files(out, "1.0.0") == cached.files("one", "1.0.0"))
            }
            #expect(!cached.shop.exists("relative"))
        }
    }

    @Test(.enabled(if: getuid() == 0 && Programs.has("setpriv"), "needs root, to become somebody who may not write"))
    func aCacheThatMayOnlyBeReadStillAnswers() throws {
        try open { cached in
            try cached.build("one", "1.0.0")
            for path in [cached.shop.root.path, cached.shop.url("cache").path] { #expect(chmod(path, 0o777) == 0) }
            let words = ["build", "demo.json", "--version", "1.0.0", "--out", "two"]
            let result = try SystemTool.run(
                "env",
                [
                    "XDG_CACHE_HOME=\(cached.directory)", "setpriv", "--reuid", "65534", "--clear-groups",
                    "--regid", "65534", SnpackProcess.path,
                ] + words, in: cached.shop.root)
            // Where nobody may run the program at all there is nothing to learn.
            guard result.status != 126, result.status != 127 else { return }
            #expect(result.status == 0, "\(result)")
            #expect(try cached.files("one", "1.0.0") == cached.files("two", "1.0.0"))
        }
    }

    @Test func twoBuildsAtOnceShareIt() throws {
        try open { cached in
            try cached.shop.write("tree/big", SplitMix.sample(2_000_000))
            let script = """
                for n in 1 2 3 4; do "$0" build demo.json --version 1.0.0 --out "out$n" & pids="$pids $!"; done
                for pid in $pids; do wait $pid || exit 1; done
                """
            for _ in 0..<2 {
                let result = try SystemTool.run(
                    "bash", ["-c", script, SnpackProcess.path], in: cached.shop.root,
                    environment: ["XDG_CACHE_HOME": cached.directory])
                #expect(result.status == 0, "\(result)")
            }
            let first = try cached.files("out1", "1.0.0")
            for number in 2...4 { #expect(try cached.files("out\(number)", "1.0.0") == first) }
            #expect(cached.shop.leftovers() == [])
        }
    }

    @Test func layersWithFaultsAreLookedAtAgain() throws {
        try open { cached in
            try cached.shop.write("map.pmtiles", "no archive")
            try cached.shop.define(layers: #"{"kind": "pmtiles", "source": "map.pmtiles"}"#)
            for _ in 0..<2 {
                let result = try cached.run("one", "1.0.0")
                #expect(result.status == 3, "\(result)")
            }
        }
    }
}

/// A workshop whose builds use a cache of its own.
private struct CachedShop {
    let shop: Workshop

    var directory: String { shop.url("cache").path }

    func run(_ out: String, _ version: String, _ more: [String] = []) throws -> ToolResult {
        try shop.run(
            ["build", "demo.json", "--version", version, "--out", out] + more,
            environment: ["XDG_CACHE_HOME": directory])
    }

    func build(
        _ out: String, _ version: String, _ more: String..., sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let result = try run(out, version, more)
        try #require(result.status == 0, "\(result)", sourceLocation: sourceLocation)
    }

    func files(_ out: String, _ version: String) throws -> [String: [UInt8]] {
        let files = try shop.files(below: "\(out)/demo/\(version)")
        try #require(files.count == 3)
        return files
    }

    /// The tree's blob in a release.
    func blob(_ out: String, _ version: String) throws -> (path: String, inode: UInt64) {
        let name = try #require(files(out, version).keys.first { $0.hasSuffix("/tree.tar.zst") })
        let path = "\(out)/demo/\(version)/\(name)"
        let attributes = try FileManager.default.attributesOfItem(atPath: shop.url(path).path)
        return (path, try #require((attributes[.systemFileNumber] as? NSNumber)?.uint64Value))
    }

    /// The layers' files that a build opens.
    func sourcesOpened(whileBuilding out: String, _ more: String...) throws -> [String] {
        let trace = shop.url("trace-\(out)")
        let words = ["build", "demo.json", "--version", "1.0.0", "--out", out] + more
        let result = try SystemTool.run(
            "strace", ["-f", "-e", "trace=openat", "-o", trace.path, SnpackProcess.path] + words, in: shop.root,
            environment: ["XDG_CACHE_HOME": directory])
        try #require(result.status == 0, "\(result)")
        let lines = String(decoding: try Data(contentsOf: trace), as: UTF8.self).split(separator: "\n")
        return lines.map(String.init).filter { $0.contains("tree/b\"") || $0.contains("note.txt\"") }
    }
}
