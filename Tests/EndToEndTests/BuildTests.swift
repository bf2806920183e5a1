import Foundation
import SnpackTestSupport
import Testing

/// `build`: the same bytes everywhere, and every fault told.
@Suite struct BuildTests {
    // MARK: - The same bytes

    /// Runs the build in a way of its own and gives the release's files.
    private func release(
        _ shop: Workshop, out: String, _ options: [String] = [], environment: [String: String?] = [:]
    ) throws -> [String: [UInt8]] {
        let words = ["build", "demo.json", "--version", "1.0.0", "--out", out] + options
        let result = try shop.run(words, environment: environment)
        try #require(result.status == 0, "\(result)")
        return try shop.files(below: "\(out)/demo/1.0.0")
    }

    @Test func buildingTwiceGivesTheSameBytes() throws {
        try Workshop.open { shop in
            try shop.write("tree/big", SplitMix.sample(3_000_000))
            let first = try release(shop, out: "one")
            #expect(first.count == 3 && first["manifest.json"] != nil)
            #expect(try release(shop, out: "two") == first)
            #expect(try release(shop, out: "three", ["--jobs", "1"]) == first)
            #expect(try release(shop, out: "four", ["--jobs", "8"]) == first)
            // Over a release that is there and not signed.
            #expect(try release(shop, out: "one") == first)
            #expect(shop.leftovers() == [])
        }
    }

    @Test("Case 31: neither directory order, times, modes, umask, locale nor time zone has a say")
    func case031_surroundings() throws {
        try Workshop.open { shop in
            let names = ["a", "a.b", "a1/b", "B", "é", "I"]
            for name in names { try shop.write("one/\(name)", "content of \(name)") }
            for name in names.reversed() { try shop.write("two/\(name)", "content of \(name)") }
            let first = try release(shop, out: "first", ["--layer", "extra=one"])
            let script = """
                touch -d '2001-02-03' two/B two/é two/a1 note.txt && chmod 0400 two/B && chmod 0777 two/a && umask 077 \
                && exec "$0" build demo.json --version 1.0.0 --layer extra=two --out "$1"
                """
            for (number, environment) in [
                ["LC_ALL": "C"], ["LC_ALL": "tr_TR.UTF-8", "LANG": "tr_TR.UTF-8"], ["TZ": "Pacific/Kiritimati"],
                ["TZ": "America/Los_Angeles", "LC_ALL": "C.UTF-8"],
            ].enumerated() {
                let out = "out\(number)"
                let result = try SystemTool.run(
                    "bash", ["-c", script, SnpackProcess.path, out], in: shop.root, environment: environment)
                #expect(result.status == 0, "\(result)")
                #expect(try shop.files(below: "\(out)/demo/1.0.0") == first, "\(environment)")
            }
        }
    }

    @Test(.enabled(if: getuid() == 0 && Programs.has("setpriv"), "needs root, to become somebody who is not"))
    func whoBuildsItHasNoSay() throws {
        try Workshop.open { shop in
            let first = try release(shop, out: "first")
            #expect(chmod(shop.root.path, 0o777) == 0)
            let words = ["build", "demo.json", "--version", "1.0.0", "--out", "second"]
            let result = try Programs.asNobody(SnpackProcess.path, words, in: shop.root)
            #expect(result.status == 0, "\(result)")
            #expect(try shop.files(below: "second/demo/1.0.0") == first)
        }
    }

    @Test func theDirectoryItIsBuiltInHasNoSay() throws {
        let (here, there) = try (
            Workshop.open { try release($0, out: "build") },
            Workshop.open { shop in
                let elsewhere = try shop.run([
                    "build", shop.url("demo.json").path, "--version", "1.0.0", "--out", shop.url("x y/é🙂").path,
                ])
                #expect(elsewhere.status == 0, "\(elsewhere)")
                return try shop.files(below: "x y/é🙂/demo/1.0.0")
            }
        )
        #expect(here == there)
    }

    @Test func aTrailingSlashAndADefinitionElsewhereChangeNothing() throws {
        try Workshop.open { shop in
            let first = try release(shop, out: "one")
            try shop.define(
                layers:
                    #"{"kind": "extra", "source": "tree/", "path": "tree"}, {"kind": "notes", "source": "./note.txt"}"#)
            #expect(try release(shop, out: "two") == first)
            try FileManager.default.createDirectory(at: shop.url("sub"), withIntermediateDirectories: true)
            try shop.define(
                layers: #"{"kind": "extra", "source": "../tree"}, {"kind": "notes", "source": "../note.txt"}"#)
            try shop.copy("demo.json", to: "sub/demo.json")
            let result = try shop.run(["build", "sub/demo.json", "--version", "1.0.0", "--out", "three"])
            #expect(result.status == 0, "\(result)")
            #expect(try shop.files(below: "three/demo/1.0.0") == first)
        }
    }

    @Test("Case 33: UTF-8 names under the C locale")
    func case033_cLocale() throws {
        try Workshop.open { shop in
            try shop.write("tree/fonts/Ünïcode/0-255.pbf", "glyphs")
            try shop.write("tree/名.db", "names")
            let usual = try release(shop, out: "usual")
            let bare = try SystemTool.run(
                "env",
                [
                    "-i", "LC_ALL=C", "PATH=/usr/bin:/bin", SnpackProcess.path, "build", "demo.json", "--version",
                    "1.0.0", "--out", "bare",
                ],
                in: shop.root)
            #expect(bare.status == 0, "\(bare)")
            #expect(try shop.files(below: "bare/demo/1.0.0") == usual)
            let unpacked = try SystemTool.run(
                "env", ["-i", "LC_ALL=C", SnpackProcess.path, "unpack", "bare/demo/1.0.0", "-o", "out", "--no-verify"],
                in: shop.root)
            #expect(unpacked.status == 0, "\(unpacked)")
            #expect(try shop.read("out/tree/fonts/Ünïcode/0-255.pbf") == Array("glyphs".utf8))
        }
    }

    @Test("Case 37: two names of one inode are two whole files")
    func case037_hardLinks() throws {
        try Workshop.open { shop in
            #expect(link(shop.url("tree/b").path, shop.url("tree/c").path) == 0)
            _ = try release(shop, out: "build")
            try shop.done("unpack", "build/demo/1.0.0", "-o", "out", "--no-verify")
            #expect(
                try shop.read("out/tree/b") == shop.read("tree/b") && shop.read("out/tree/c") == shop.read("tree/b"))
            let blob = try #require(shop.files(below: "build/demo/1.0.0").first { $0.key.hasSuffix("tree.tar.zst") })
            try shop.write("blob", blob.value)
            for command in [["tar", "-xf"], ["bsdtar", "-xf"]] {
                try FileManager.default.createDirectory(at: shop.url(command[0]), withIntermediateDirectories: true)
                let result = try SystemTool.run(
                    "sh", ["-c", "zstd -qdc blob | \(command[0]) -xf - -C \(command[0])"], in: shop.root)
                #expect(result.status == 0, "\(result)")
                #expect(try shop.read("\(command[0])/c") == shop.read("tree/b"), "\(command[0])")
            }
        }
    }

    @Test("Case 39: a file with holes is packed dense")
    func case039_holes() throws {
        try Workshop.open { shop in
            let file = try FileHandle(forWritingTo: shop.url("tree/b"))
            try file.seek(toOffset: 5 << 20)
            try file.write(contentsOf: Data("end".utf8))
            try file.close()
            _ = try release(shop, out: "build")
            try shop.done("unpack", "build/demo/1.0.0", "-o", "out", "--no-verify")
            #expect(try shop.read("out/tree/b") == shop.read("tree/b"))
        }
    }

    /// As long as the file system lets them be: at 8 EiB each no sum of the sizes is a number.
    @Test func filesWithHolesThatNobodyCanPackAreRefused() throws {
        try Workshop.open { shop in
            for name in ["x", "y", "z"] {
                try shop.write("tree/\(name)", [])
                let path = shop.url("tree/\(name)").path
                try #require(truncate(path, .max) == 0 || truncate(path, 3 << 40) == 0)
            }
            try shop.fails(2, "layer.not-packable", "build", "demo.json", "--version", "1.0.0")
        }
    }

    @Test func aLayerIsTakenFromElsewhereOnRequest() throws {
        try Workshop.open { shop in
            try shop.write("other/deep/file", "other")
            let result = try shop.object("build", "demo.json", "--version", "1.0.0", "--layer", "extra=other")
            let layers = try #require(result["layers"] as? [[String: Any]])
            #expect(layers.first?["files"] as? Int == 1)
            try shop.fails(2, "definition.invalid", "build", "demo.json", "--version", "1.0.0", "--layer", "none=other")
        }
    }

    @Test func anEqualLayerOfAReusedReleaseIsLinked() throws {
        try Workshop.open { shop in
            try shop.release("1.0.0")
            try shop.write("note.txt", "another note")
            let built = try shop.object("build", "demo.json", "--version", "1.1.0", "--reuse", "build/demo/1.0.0")
            #expect(built["reused"] as? [String] == ["extra"])
            func inodes(_ version: String) throws -> [String] {
                try SystemTool.run(
                    "find", ["build/demo/\(version)", "-name", "tree.tar.zst", "-printf", "%i %n"], in: shop.root
                ).standardOutput.split(separator: "\n").map(String.init)
            }
            #expect(try inodes("1.0.0") == inodes("1.1.0"))
            // Another level is asked for, and what was packed before stays as it is.
            let plain = try release(shop, out: "plain", [])
            #expect(plain.keys.contains { $0.hasSuffix("tree.tar.zst") })
            // Whose bytes are damaged is found when it is signed.
            let blob = try #require(shop.files(below: "build/demo/1.1.0").keys.first { $0.hasSuffix("tree.tar.zst") })
            var bytes = try shop.read("build/demo/1.1.0/\(blob)")
            bytes[20] ^= 1
            try shop.write("build/demo/1.1.0/\(blob)", bytes)
            let sign = try shop.run("sign", "build/demo/1.1.0", "--key", "keys/factory.key")
            #expect(sign.status == 3 && !shop.exists("build/demo/1.1.0/manifest.json.sig"), "\(sign)")
        }
    }

    @Test func aSignedReleaseIsNeverReplaced() throws {
        try Workshop.open { shop in
            try shop.release("1.0.0")
            let before = try shop.files(below: "build")
            let same = try shop.object("build", "demo.json", "--version", "1.0.0")
            #expect(same["unchanged"] as? Bool == true)
            try shop.write("note.txt", "another")
            try shop.fails(5, "release.exists", "build", "demo.json", "--version", "1.0.0")
            #expect(try shop.files(below: "build") == before)
        }
    }

    // MARK: - Faults

    @Test("Cases 35, 89, 117: links, special files, odd names and twins are all told, and nothing is written")
    func case117_everyFault() throws {
        try Workshop.open { shop in
            #expect(symlink("b", shop.url("tree/link").path) == 0)
            #expect(mkfifo(shop.url("tree/fifo").path, 0o600) == 0)
            try shop.write("tree/Case", "1")
            try shop.write("tree/case", "2")
            try shop.write("tree/con.txt", "device")
            try shop.write("tree/e\u{301}", "NFD")
            let script = """
                import os, socket
                open(b"tree/latin-\\xe9", "w").close()
                server = socket.socket(socket.AF_UNIX); server.bind("tree/socket")
                """
            #expect(try SystemTool.run("python3", ["-c", script], in: shop.root).status == 0)
            let result = try shop.run("build", "demo.json", "--version", "1.0.0")
            #expect(result.status != 0 && result.output.isEmpty, "\(result)")
            for text in [
                "tree/link: a symbolic link", "tree/fifo: a device, socket or FIFO",
                "tree/socket: a device, socket or FIFO",
                "latin-\\xe9", "\"case\" and \"Case\"", "tree/con.txt:", "(NFC)", "7 faults",
            ] { #expect(result.standardError.contains(text), "\(text) is missing: \(result.standardError)") }
            #expect(!shop.exists("build/demo") && shop.leftovers() == [])
        }
    }

    @Test func devicesAreRefused() throws {
        try Workshop.open { shop in
            let made = try SystemTool.run("mknod", ["tree/zero", "c", "1", "5"], in: shop.root)
            try #require(made.status == 0, "making a device needs root")
            let result = try shop.run("build", "demo.json", "--version", "1.0.0")
            #expect(result.status == 6 && result.standardError.contains("tree/zero: a device"), "\(result)")
        }
    }

    @Test(.enabled(if: getuid() == 0 && Programs.has("setpriv"), "needs root, to become somebody who is not"))
    func everyUnreadableFileIsNamed() throws {
        try Workshop.open { shop in
            for name in ["x", "y"] {
                try shop.write("tree/\(name)", "secret")
                #expect(chmod(shop.url("tree/\(name)").path, 0) == 0)
            }
            #expect(chmod(shop.url("tree/a").path, 0o700) == 0)
            #expect(chmod(shop.url("note.txt").path, 0) == 0)
            #expect(chmod(shop.root.path, 0o777) == 0)
            let words = ["build", "demo.json", "--version", "1.0.0"]
            let result = try Programs.asNobody(SnpackProcess.path, words, in: shop.root)
            #expect(result.status == 6 && result.output.isEmpty, "\(result)")
            for name in ["tree/x", "tree/y", "tree/a", "note.txt"] {
                #expect(result.standardError.contains("\(name): cannot"), "\(name): \(result.standardError)")
            }
            #expect(!shop.exists("build/demo") && shop.leftovers() == [])
        }
    }

    @Test func anEmptyLayerIsRefused() throws {
        try Workshop.open { shop in
            try shop.remove("tree")
            try FileManager.default.createDirectory(
                at: shop.url("tree/only/directories"), withIntermediateDirectories: true)
            let result = try shop.fails(2, "layer.invalid", "build", "demo.json", "--version", "1.0.0")
            #expect(result.standardError.contains("layer extra has no file"))
            try shop.write("tree/only/.DS_Store", "x")
            try shop.fails(2, "layer.invalid", "build", "demo.json", "--version", "1.0.0")
            try shop.write("tree/zero", [])
            try shop.done("build", "demo.json", "--version", "1.0.0")
        }
    }

    @Test func aFileThatChangesWhileItIsReadIsRefused() throws {
        try Workshop.open { shop in
            // Written to while it is packed, again and again, until the build has ended.
            #expect(
                try SystemTool.run("sh", ["-c", "head -c 20000000 /dev/urandom > tree/big"], in: shop.root).status == 0)
            let writer = Process()
            writer.executableURL = URL(filePath: "/bin/sh")
            writer.arguments = [
                "-c", "for i in $(seq 3000); do echo x >> tree/big; sleep 0.01; done",
            ]
            writer.currentDirectoryURL = shop.root
            try writer.run()
            // SIGKILL: Foundation starts children with SIGTERM blocked.
            defer {
                kill(writer.processIdentifier, SIGKILL)
                writer.waitUntilExit()
            }
            let result = try shop.run("build", "demo.json", "--version", "1.0.0", "--level", "9")
            #expect(result.status == 6 && result.standardError.contains("[file.changed]"), "\(result)")
            #expect(result.standardError.contains("tree/big"))
            #expect(!shop.exists("build/demo") && shop.leftovers() == [])
        }
    }

    @Test func anOutputInALayerIsRefused() throws {
        try Workshop.open { shop in
            for out in ["tree", "tree/build", "tree/x/../y", "./tree/z/"] {
                try shop.fails(2, "build.output-in-layer", "build", "demo.json", "--version", "1.0.0", "--out", out)
            }
            #expect(symlink("tree", shop.url("link").path) == 0)
            try shop.fails(2, "build.output-in-layer", "build", "demo.json", "--version", "1.0.0", "--out", "link/deep")
            #expect(try FileManager.default.contentsOfDirectory(atPath: shop.url("tree").path).sorted() == ["a", "b"])
            // A name that only begins like the layer's is elsewhere.
            try shop.done("build", "demo.json", "--version", "1.0.0", "--out", "tree-build")
        }
    }

    @Test(
        "Cases 97 and 99: versions that may not be are refused with a hint",
        arguments: ["2026.01.05", "1.0.0+a", "1.0", "v1.0.0", ""])
    func case099_versions(version: String) throws {
        try Workshop.open { shop in
            let result = try shop.run("build", "demo.json", "--version", version)
            #expect(result.status == 2 && result.output.isEmpty, "\(result)")
            #expect(!shop.exists("build"))
            if version == "2026.01.05" { #expect(result.standardError.contains("2026.1.5"), "\(result)") }
        }
    }

    @Test("Case 99: a date with a pre-release is a version")
    func case099_dates() throws {
        try Workshop.open { shop in _ = try shop.done("build", "demo.json", "--version", "2026.1.5-15.43") }
    }

    @Test(arguments: [
        ("", "{"), ("", "[]"), ("", ""), ("display_name", ""), ("key that means nothing", #""colour": "red","#),
        ("bbox", #""bbox": [1, 2, 3],"#), ("bbox", #""bbox": [9, 48, 10, 47],"#),
        ("provenance", #""provenance": {"a": 1},"#),
        ("data_timestamp", #""data_timestamp": "2026-02-30T00:00:00Z","#), ("layers", #""layers": [],"#),
        ("stands there twice", #""layers": [{"kind": "a", "source": "tree"}, {"kind": "a", "source": "tree"}],"#),
        (
            "place of two",
            #""layers": [{"kind": "a", "source": "x", "path": "P"}, {"kind": "b", "source": "x", "path": "p"}],"#
        ),
        ("level", #""layers": [{"kind": "a", "source": "tree", "level": 23}],"#),
        ("level", #""layers": [{"kind": "a", "source": "tree", "level": "9"}],"#),
        ("requires", #""layers": [{"kind": "a", "source": "tree", "requires": {"valhalla": "new"}}],"#),
        ("kind", #""layers": [{"kind": "A", "source": "tree"}],"#), ("source", #""layers": [{"kind": "a"}],"#),
        ("path", #""layers": [{"kind": "a", "source": "tree", "path": "manifest.json"}],"#),
        ("display_name", "\"display_name\": \"\(String(repeating: "x", count: 201))\","),
        ("attribution", #""attribution": [],"#), ("attribution", #""attribution": ["\u202e"],"#),
        ("id", #""id": "Demo","#), ("id", #""id": "region-x","#),
        ("id: regions are cut", #""id": "region-0123456789abcdef","#),
        ("source", #""layers": [{"kind": "a", "source": "a\u0000b"}],"#),
    ])
    func aDefinitionWithAMistakeIsUsageAndNamesTheKey(_ row: (key: String, text: String)) throws {
        try Workshop.open { shop in
            let base: [(String, String)] = [
                ("id", #""demo""#), ("display_name", #""Demo""#), ("attribution", #""x""#), ("bbox", "[9, 47, 10, 48]"),
                ("data_timestamp", #""2026-01-01T00:00:00Z""#), ("layers", #"[{"kind": "extra", "source": "tree"}]"#),
            ]
            let isMember = row.text.hasPrefix("\"")
            let members = base.filter { isMember ? !row.text.hasPrefix("\"\($0.0)\"") : $0.0 != row.key }
            let text =
                isMember || !row.key.isEmpty
                ? "{ \(row.text) " + members.map { "\"\($0.0)\": \($0.1)" }.joined(separator: ", ") + " }" : row.text
            try shop.write("demo.json", text)
            let result = try shop.fails(2, "definition.invalid", "build", "demo.json", "--version", "1.0.0")
            #expect(row.key.isEmpty || result.standardError.contains(row.key))
            #expect(result.standardError.contains("demo.json"), "\(result)")
            #expect(!shop.exists("build"))
        }
    }

    @Test func whatIsMissingIsNamed() throws {
        try Workshop.open { shop in
            try shop.fails(4, "file.not-found", "build", "none.json", "--version", "1.0.0")
            try shop.fails(6, "file.not-regular", "build", "tree", "--version", "1.0.0")
            try shop.define(layers: #"{"kind": "extra", "source": "no-tree"}, {"kind": "notes", "source": "no-note"}"#)
            let result = try shop.run("build", "demo.json", "--version", "1.0.0")
            #expect(
                result.status == 4 && result.standardError.contains("no-tree")
                    && result.standardError.contains("no-note"))
            #expect(!shop.exists("build/demo"))
        }
    }
}
