import Foundation
import SnpackTestSupport
import Testing

/// Rows of SECURITY.md's fault table that no other suite has, with the real program.
@Suite struct FaultRowTests {
    // MARK: - Names

    @Test(
        "names of 200 bytes travel, of 201 and 255 do not", arguments: [(200, 0), (201, 2), (255, 2)] as [(Int, Int32)])
    func longNames(count: Int, status: Int32) throws {
        try Workshop.open { shop in
            try shop.write("tree/" + String(repeating: "n", count: count), "x")
            let result = try shop.run(["build", "demo.json", "--version", "1.0.0"])
            #expect(result.status == status, "\(result)")
            #expect(status == 0 || result.standardError.contains("[layer.invalid]"), "\(result)")
            #expect(status == 0 || !shop.exists("build/demo"))
        }
    }

    @Test(
        "paths of 512 bytes travel, of 513, 1,024 and 1,025 do not",
        arguments: [(512, 0), (513, 2), (1_024, 2), (1_025, 2)] as [(Int, Int32)])
    func longPaths(count: Int, status: Int32) throws {
        try Workshop.open { shop in
            var path = ""
            while path.utf8.count < count - 150 { path += String(repeating: "d", count: 120) + "/" }
            path += String(repeating: "f", count: count - path.utf8.count)
            try shop.write("tree/" + path, "x")
            let result = try shop.run(["build", "demo.json", "--version", "1.0.0"])
            #expect(result.status == status, "\(result)")
            #expect(status == 0 || result.standardError.contains("[layer.invalid]"), "\(result)")
            guard status == 0 else { return }
            try shop.done("unpack", "build/demo/1.0.0", "-o", "out", "--no-verify")
            #expect(shop.exists("out/tree/" + path))
        }
    }

    // MARK: - Channels

    @Test("a blob that went bad in the channel is named, and nothing is linked to it")
    func corruptBlob() throws {
        try Workshop.open { shop in
            try shop.release("1.0.0")
            try shop.publish("1.0.0")
            let blobs = try shop.files(below: "channel/territories").keys.filter { $0.hasSuffix("tree.tar.zst") }
            let blob = try #require(blobs.first)
            // By another file: the release's own is linked to this one.
            var bytes = try shop.read("channel/territories/\(blob)")
            bytes[bytes.count / 2] ^= 1
            try shop.remove("channel/territories/\(blob)")
            try shop.write("channel/territories/\(blob)", bytes)
            let verdict = try shop.verify("channel")
            #expect(verdict.status == 3 && verdict.standardError.contains("blob."), "\(verdict)")
            try shop.write("note.txt", "another")
            try shop.release("1.1.0")
            try shop.publish("1.1.0")
            let other = blob.replacing("1.0.0", with: "1.1.0")
            #expect(try shop.read("channel/territories/\(other)") != bytes, "the equal layer comes from the release")
        }
    }

    @Test("the same version with other content is refused, in a release's place as in a channel")
    func sameVersionOtherContent() throws {
        try Workshop.open { shop in
            try shop.release("1.0.0")
            try shop.publish("1.0.0")
            try shop.write("note.txt", "other content")
            try shop.fails(5, "release.exists", "build", "demo.json", "--version", "1.0.0")
            try shop.remove("build")
            try shop.release("1.0.0")
            let result = try shop.run([
                "publish", "build/demo/1.0.0", "--channel", "channel", "--key", "keys/factory.key",
            ])
            #expect(result.status == 5, "\(result)")
            #expect(try shop.sequence() == 1)
        }
    }

    @Test(
        "what stands in the pair's place and cannot be read is a fault, and no unfinished pair",
        arguments: ["index.json", "index.json.sig"],
        ["mkdir X", "mkfifo X", "ln -s nowhere X", "ln -s index.signed X", "truncate -s 20M X"])
    func unreadablePair(name: String, damage: String) throws {
        try Workshop.open { shop in
            try shop.release("1.0.0")
            try shop.publish("1.0.0")
            let script = "rm channel/\(name); " + damage.replacing("X", with: "channel/\(name)")
            #expect(try SystemTool.run("sh", ["-c", script], in: shop.root).status == 0)
            let verdict = try shop.verify("channel")
            #expect(verdict.status == 3 && verdict.standardError.contains("fault: channel/\(name): "), "\(verdict)")
        }
    }

    // MARK: - Stores

    @Test(
        "a store restored with a part missing says so or mends it, and never shows a mix",
        arguments: [
            "state.json", "1.0.0/record.json", "1.0.0/layers", "1.0.0/package/manifest.json",
            "1.0.0/package/manifest.json.sig", "1.0.0/package/tree", "1.0.0/package/note.txt", "1.0.0/package", "1.0.0",
        ])
    func restoredStore(missing: String) throws {
        try Workshop.open { shop in
            try shop.release("1.0.0")
            try shop.publish("1.0.0")
            let store = ["--root", "store", "--factory-key", "keys/factory.pub"]
            try shop.done(["store", "sync", "channel", "demo"] + store)
            #expect(shop.exists("store/territories/demo/\(missing)"), "store/territories/demo/\(missing) is not there")
            _ = try SystemTool.run("rm", ["-r", "store/territories/demo/\(missing)"], in: shop.root)
            let verdict = try shop.run(["store", "verify", "demo"] + store)
            #expect([0, 3, 4].contains(verdict.status), "\(verdict)")
            // The one command that a person would try next.
            let repair = try shop.run(["store", "repair", "demo", "channel"] + store)
            if repair.status != 0 {
                try shop.done(["store", "sync", "channel", "demo"] + store)
            }
            let after = try shop.run(["store", "verify", "demo"] + store)
            #expect(after.status == 0, "\(missing): \(verdict), \(repair), \(after)")
            #expect(shop.leftovers() == [])
        }
    }

    @Test(
        "the clock of 1970 and of 2070 changes no verdict on what is installed",
        .enabled(if: Programs.has("faketime"), "needs faketime"), arguments: ["1970-01-02", "2070-01-01"])
    func oddClocks(_ clock: String) throws {
        try Workshop.open { shop in
            try shop.release("1.0.0")
            try shop.publish("1.0.0", "--valid-for", "30d")
            let store = ["--root", "store", "--factory-key", "keys/factory.pub"]
            try shop.done(["store", "sync", "channel", "demo"] + store)
            func at(_ words: [String]) throws -> ToolResult {
                // The clock alone: times of files that move while one looks are no clock.
                try SystemTool.run(
                    "faketime", [clock, SnpackProcess.path] + words + store, in: shop.root,
                    environment: ["NO_FAKE_STAT": "1"])
            }
            for words in [["verify", "demo"], ["list"], ["repair", "demo"], ["path", "demo", "notes"]] {
                let result = try at(["store"] + words)
                #expect(result.status == 0, "\(words): \(result)")
            }
            let sync = try at(["store", "sync", "channel", "demo"])
            // In 2070 the index has expired; in 1970 nobody can say, and it counts as good.
            #expect(sync.status == (clock.hasPrefix("2070") ? 3 : 0), "\(sync)")
        }
    }
}
