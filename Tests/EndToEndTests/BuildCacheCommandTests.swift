import Foundation
import SnpackTestSupport
import Testing

/// `build` with a cache: an unchanged layer is not packed again, and a wrong cache is found out.
@Suite struct BuildCacheCommandTests {
    /// A workshop whose files are old enough to be trusted.
    private func open(_ body: (Workshop) throws -> Void) throws {
        try Workshop.open { shop in
            Thread.sleep(forTimeInterval: 2.1)
            try body(shop)
        }
    }

    @discardableResult
    private func build(_ shop: Workshop, _ version: String, _ more: String...) throws -> ToolResult {
        let result = try shop.run(
            ["build", "demo.json", "--version", version, "--verbose"] + more,
            environment: ["XDG_CACHE_HOME": shop.url("cache").path])
        try #require(result.status == 0, "\(result)")
        return result
    }

    /// The inodes of a version's blobs, by their names.
    private func inodes(_ shop: Workshop, _ version: String) throws -> [String: Int] {
        var inodes: [String: Int] = [:]
        for name in try shop.files(below: "build/demo/\(version)").keys where name.hasSuffix(".tar.zst") {
            let attributes = try FileManager.default.attributesOfItem(
                atPath: shop.url("build/demo/\(version)/\(name)").path)
            inodes[String(name.split(separator: "/").last ?? "")] = attributes[.systemFileNumber] as? Int
        }
        #expect(inodes.count == 2)
        return inodes
    }

    @Test func anUnchangedLayerIsLinked() throws {
        try open { shop in
            try build(shop, "1.0.0")
            let first = try inodes(shop, "1.0.0")
            let bytes = try shop.files(below: "build/demo/1.0.0")
            // Over itself, and as the next version.
            try build(shop, "1.0.0")
            #expect(try inodes(shop, "1.0.0") == first && shop.files(below: "build/demo/1.0.0") == bytes)
            try build(shop, "1.1.0")
            #expect(try inodes(shop, "1.1.0") == first)
            // Written anew with the same content.
            try shop.write("note.txt", "a note")
            try build(shop, "1.2.0")
            #expect(try inodes(shop, "1.2.0") == first)
            try shop.write("note.txt", "A NOTE")
            try build(shop, "1.3.0")
            let changed = try inodes(shop, "1.3.0")
            #expect(changed["tree.tar.zst"] == first["tree.tar.zst"])
            #expect(changed["note.txt.tar.zst"] != first["note.txt.tar.zst"])
            try shop.done("unpack", "build/demo/1.3.0", "-o", "out", "--no-verify")
            #expect(try shop.read("out/note.txt") == Array("A NOTE".utf8))
            #expect(shop.leftovers() == [])
        }
    }

    @Test func otherLevelsAndOnesOwnWishAreNotAnsweredFromIt() throws {
        try open { shop in
            try build(shop, "1.0.0")
            let first = try inodes(shop, "1.0.0")
            try build(shop, "1.1.0", "--no-cache")
            #expect(try Set(inodes(shop, "1.1.0").values).isDisjoint(with: first.values))
            try build(shop, "1.2.0", "--level", "1")
            #expect(try Set(inodes(shop, "1.2.0").values).isDisjoint(with: first.values))
        }
    }

    @Test func aBlobThatIsGoneOrAnotherIsMadeAgain() throws {
        try open { shop in
            try build(shop, "1.0.0")
            let bytes = try shop.files(below: "build/demo/1.0.0")
            try shop.remove("build/demo/1.0.0")
            #expect(try build(shop, "1.0.0").standardError.contains("is packed again"))
            #expect(try shop.files(below: "build/demo/1.0.0") == bytes)
            for (name, content) in bytes where name.hasSuffix(".zst") {
                try shop.write("build/demo/1.0.0/\(name)", content + [0])
            }
            try build(shop, "1.1.0")
            try shop.done("sign", "build/demo/1.1.0", "--key", "keys/factory.key")
        }
    }

    /// Changes every answer about a blob, each with the proof that it needs to be believed.
    private func poison(_ shop: Workshop, _ change: String) throws {
        let script = """
            import json, sqlite3, subprocess, sys
            db = sqlite3.connect("cache/snpack/build.sqlite")
            for question, answer in db.execute("SELECT question, answer FROM answers").fetchall():
                row = json.loads(answer)
                if "tar_bytes" not in row: continue
                \(change)
                answer = json.dumps(row).encode()
                sum = subprocess.run(["b3sum", "--raw"], input=question + answer, capture_output=True, check=True).stdout
                db.execute("UPDATE answers SET answer = ?, proof = ? WHERE question = ?", (answer, sum, question))
            db.commit()
            """
        let result = try SystemTool.run("python3", ["-c", script], in: shop.root)
        try #require(result.status == 0, "\(result)")
    }

    @Test(arguments: [
        "row['blake3'] = '0' * 64", "row['table_blake3'] = '0' * 64", "row['tar_bytes'] += 512", "row['bytes'] += 1",
    ])
    func aPoisonedCacheNeverReachesASignature(change: String) throws {
        try open { shop in
            try build(shop, "1.0.0")
            try poison(shop, change)
            try build(shop, "1.1.0")
            let sign = try shop.run("sign", "build/demo/1.1.0", "--key", "keys/factory.key")
            #expect(sign.status == 3 && !shop.exists("build/demo/1.1.0/manifest.json.sig"), "\(sign)")
            // A manifest alone is signed as it is; then nobody publishes it.
            try shop.done("sign", "build/demo/1.1.0/manifest.json", "--key", "keys/factory.key")
            let publish = try shop.run(
                "publish", "build/demo/1.1.0", "--channel", "channel", "--key", "keys/factory.key")
            #expect(publish.status == 3 && !shop.exists("channel/index.signed"), "\(publish)")
        }
    }

    @Test func buildsAtOnceAndOnesWithoutAPlaceGiveTheSame() throws {
        try open { shop in
            let script = """
                for n in 1 2 3 4; do "$0" build demo.json --version 1.0.0 --out out$n & pids="$pids $!"; done
                for pid in $pids; do wait $pid || exit 1; done
                XDG_CACHE_HOME="$PWD/note.txt" "$0" build demo.json --version 1.0.0 --out out5 &&
                env -u XDG_CACHE_HOME HOME="$PWD/home" "$0" build demo.json --version 1.0.0 --out out6 &&
                XDG_CACHE_HOME=relative "$0" build demo.json --version 1.0.0 --out out7
                """
            let result = try SystemTool.run(
                "sh", ["-c", script, SnpackProcess.path], in: shop.root,
                environment: ["XDG_CACHE_HOME": shop.url("cache").path])
            #expect(result.status == 0, "\(result)")
            let first = try shop.files(below: "out1")
            #expect(first.count == 3)
            for number in 2...7 { #expect(try shop.files(below: "out\(number)") == first) }
            #expect(shop.exists("cache/snpack/build.sqlite") && shop.exists("home/.cache/snpack/build.sqlite"))
            #expect(!shop.exists("relative"))
        }
    }
}
