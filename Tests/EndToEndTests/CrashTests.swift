import Foundation
import SnpackTestSupport
import Testing

/// What a crash leaves behind, and in what order things reach the disk.
@Suite struct CrashTests {
    @Test("Case 83: publish may be killed at any moment: the channel verifies, and the next publish finishes")
    func case083_killedPublish() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SplitMix(seed: seed)
        try Workshop.open { shop in
            try shop.write("tree/big", random.bytes(3_000_000))
            try shop.release("1.0.0")
            try shop.publish("1.0.0", "--valid-for", "30d")
            var killed = 0
            var version = 0
            var usual = 0.0
            // 50 kills; each run gets a version that is new, so that there is something to copy every time.
            for round in 0..<50 {
                version += 1
                try shop.write("note.txt", random.bytes(200_000))
                let name = "1.\(version).0"
                try shop.release(name)
                let words = ["publish", "build/demo/\(name)", "--channel", "channel", "--key", "keys/factory.key"]
                let limit = usual == 0 ? 60 : Double.random(in: 0.002...max(0.003, usual), using: &random)
                let began = Date.now
                let result = try shop.run(words, seconds: limit)
                // A run that ends by itself tells how late is too late: machines are noisy, and the first run is slow.
                let took = Date.now.timeIntervalSince(began)
                if result.timedOut { killed += 1 } else { usual = usual == 0 ? took : min(usual, took) }
                let verdict = try shop.verify("channel")
                #expect(verdict.status == 0, "seed \(seed), round \(round): \(verdict)")
                let next = try shop.run(words)
                #expect(next.status == 0, "seed \(seed), round \(round): \(next)")
                let after = try shop.verify("channel")
                #expect(after.status == 0, "seed \(seed), round \(round): \(after)")
                #expect(shop.leftovers() == [], "seed \(seed), round \(round)")
                try shop.remove("build/demo/\(name)")
            }
            #expect(killed >= 5, "only \(killed) of 50 runs were killed: seed \(seed)")
        }
    }

    @Test("Case 83: build and unpack may be killed: nothing half-made stands in their place, and the next run finishes")
    func case083_killedBuildAndUnpack() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SplitMix(seed: seed)
        try Workshop.open { shop in
            for number in 0..<40 { try shop.write("tree/\(number)", random.bytes(100_000)) }
            let build = ["build", "demo.json", "--version", "1.0.0", "--level", "1"]
            let unpack = ["unpack", "build/demo/1.0.0", "-o", "out", "--no-verify"]
            var began = Date.now
            try shop.done(build)
            let buildTime = Date.now.timeIntervalSince(began)
            let whole = try shop.files(below: "build/demo/1.0.0")
            began = Date.now
            try shop.done(unpack)
            let unpackTime = Date.now.timeIntervalSince(began)
            let files = try shop.files(below: "out")
            for round in 0..<10 {
                try shop.remove("build")
                _ = try shop.run(build, seconds: Double.random(in: 0.002...buildTime, using: &random))
                if shop.exists("build/demo/1.0.0") {
                    #expect(try shop.files(below: "build/demo/1.0.0") == whole, "seed \(seed), round \(round)")
                }
                try shop.done(build)
                #expect(
                    try shop.files(below: "build/demo/1.0.0") == whole && shop.leftovers() == [],
                    "seed \(seed), round \(round)")
                try shop.remove("out")
                _ = try shop.run(unpack, seconds: Double.random(in: 0.002...unpackTime, using: &random))
                if shop.exists("out") {
                    #expect(try shop.files(below: "out") == files, "seed \(seed), round \(round)")
                } else {
                    try shop.done(unpack)
                }
                #expect(try shop.files(below: "out") == files && shop.leftovers() == [], "seed \(seed), round \(round)")
            }
        }
    }

    @Test(
        "Case 83: a build that is interrupted, ended or loses its terminal says so and leaves nothing",
        arguments: [("SIGINT", 130), ("SIGTERM", 143), ("SIGHUP", 143)] as [(String, Int32)])
    func case083_interrupted(signal: String, status: Int32) throws {
        try Workshop.open { shop in
            // What compresses well is compressed with all one's might.
            try shop.write("tree/big", SplitMix.sample(30_000_000).map { $0 & 0x0F })
            // A shell would start it with SIGINT ignored.
            let script = """
                import signal, subprocess, sys, time
                run = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL)
                time.sleep(0.5)
                run.send_signal(signal.\(signal))
                sys.exit(run.wait())
                """
            let build = ["build", "demo.json", "--version", "1.0.0", "--level", "22"]
            let result = try SystemTool.run("python3", ["-c", script, SnpackProcess.path] + build, in: shop.root)
            #expect(result.status == status, "\(result)")
            #expect(!shop.exists("build/demo") && shop.leftovers() == [])
        }
    }

    // MARK: - Order

    /// The calls of a traced run that end well, in order, with descriptors turned into paths.
    private func trace(_ shop: Workshop, _ words: [String]) throws -> [String] {
        let calls = "fsync,fdatasync,syncfs,rename,renameat,renameat2,linkat,unlinkat"
        let result = try SystemTool.run(
            "strace", ["-f", "-y", "-qq", "-o", "trace", "-e", "trace=\(calls)", SnpackProcess.path] + words,
            in: shop.root)
        try #require(result.status == 0, "\(result)")
        return try String(decoding: shop.read("trace"), as: UTF8.self).split(separator: "\n").map(String.init)
            .filter { !$0.contains(" = -1 ") }
    }

    @Test(
        "Case 81: publish flushes a file, renames it, flushes its directory, and index.signed comes last but for the pair",
        .enabled(if: Programs.has("strace"), "needs strace"))
    func case081_publishOrder() throws {
        try Workshop.open { shop in
            try shop.release("1.0.0")
            let lines = try trace(
                shop, ["publish", "build/demo/1.0.0", "--channel", "channel", "--key", "keys/factory.key"])
            func index(_ what: String, _ isIt: (String) -> Bool) throws -> Int {
                let found = lines.firstIndex(where: isIt)
                return try #require(found, "\(what) is not in \(lines.joined(separator: "\n"))")
            }
            var committed: [Int] = []
            let files = [
                "tree.tar.zst", "note.txt.tar.zst", "manifest.json", "manifest.json.sig", "index.signed",
                "index.json.sig", "index.json",
            ]
            for name in files {
                let rename = try index("rename of \(name)") { $0.contains("rename") && $0.contains("\"\(name)\"") }
                committed.append(rename)
                let temporary = try #require(lines[rename].firstMatch(of: /"(\.snpack-tmp-[0-9a-f]{16})"/)).output.1
                let flushed = try index("flush of \(name)") { $0.contains("sync(") && $0.contains(temporary) }
                #expect(flushed < rename, "\(name)")
                // The directory it was renamed into is the second descriptor.
                let target = try #require(lines[rename].matches(of: /[0-9]+<([^>]*)>/).last).output.1
                #expect(
                    lines[rename...].contains { $0.contains("fsync(") && $0.contains("<\(target)>") },
                    "directory of \(name)")
            }
            #expect(committed[..<2].max()! < committed[2], "blobs before manifests")
            #expect(committed[2] < committed[4] && committed[3] < committed[4], "manifests before the index")
            #expect(committed[4] < committed[5] && committed[5] < committed[6], "index.signed, then the pair")
            // What leads to the manifest is flushed before the commit point too.
            let commit = committed[4]
            for directory in [
                "channel", "channel/territories", "channel/territories/demo", "channel/territories/demo/1.0.0",
            ] {
                #expect(
                    lines[..<commit].contains { $0.contains("fsync(") && $0.contains("/\(directory)>") }, "\(directory)"
                )
            }
        }
    }

    @Test(
        "Case 81: unpack flushes every file and directory before the one rename that shows them",
        .enabled(if: Programs.has("strace"), "needs strace"))
    func case081_unpackOrder() throws {
        try Workshop.open { shop in
            try shop.done("build", "demo.json", "--version", "1.0.0")
            let lines = try trace(shop, ["unpack", "build/demo/1.0.0", "-o", "out", "--no-verify"])
            let rename = try #require(lines.firstIndex { $0.contains("rename") && $0.contains("\"out\"") })
            for name in ["note.txt", "tree/a/one", "tree/b", "tree/a", "tree"] {
                #expect(lines[..<rename].contains { $0.contains("fsync(") && $0.contains("/\(name)>") }, "\(name)")
            }
            #expect(lines[rename...].contains { $0.contains("fsync(") }, "the parent is flushed")
        }
    }
}
