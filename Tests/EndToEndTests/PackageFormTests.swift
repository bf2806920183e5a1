import Foundation
import SnpackTestSupport
import Testing

/// `verify`, `pack` and `unpack` of the package forms, and what is wrong with them.
@Suite struct PackageFormTests {
    private func unpacked<Result>(_ body: (Workshop) throws -> Result) throws -> Result {
        try Workshop.open { shop in
            try shop.release("1.0.0")
            try shop.done("unpack", "build/demo/1.0.0", "-o", "out", "--factory-key", "keys/factory.pub")
            return try body(shop)
        }
    }

    private func expectFault(
        _ shop: Workshop, _ code: String, _ texts: String..., target: String = "out",
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let result = try shop.verify(target)
        #expect(result.status == 3 && result.output.isEmpty, "\(result)", sourceLocation: sourceLocation)
        #expect(result.standardError.contains("[\(code)]"), "\(result)", sourceLocation: sourceLocation)
        for text in texts {
            #expect(result.standardError.contains(text), "\(text): \(result)", sourceLocation: sourceLocation)
        }
    }

    @Test func unpackedFilesHaveTheirModesAndNothingElse() throws {
        try unpacked { shop in
            let modes = try SystemTool.run("find", ["out", "-printf", "%y%m %p\n"], in: shop.root).standardOutput
            #expect(
                modes.split(separator: "\n").sorted() == [
                    "d755 out", "d755 out/tree", "d755 out/tree/a", "f644 out/manifest.json",
                    "f644 out/manifest.json.sig",
                    "f644 out/note.txt", "f644 out/tree/a/one", "f644 out/tree/b",
                ])
            #expect(try shop.verify("out").status == 0)
        }
    }

    @Test func extraFilesAreNamedWhereverTheyAre() throws {
        try unpacked { shop in
            try shop.write("out/beside", "x")
            try shop.write("out/tree/a/within", "x")
            try shop.write("out/.DS_Store", "x")
            try shop.write("out/tree/.nomedia", "")
            try expectFault(shop, "package.extra-file", "out/beside:", "out/tree/a/within:")
            let result = try shop.verify("out")
            #expect(!result.standardError.contains("DS_Store") && !result.standardError.contains("nomedia"))
            // More than one in a tree are found by their age, one by trying even where a copy has lost the times.
            try shop.write("out/tree/more", "xy")
            try expectFault(shop, "package.extra-file", "out/beside:", "out/tree/a/within:", "out/tree/more:")
            try shop.remove("out/tree/more")
            #expect(try SystemTool.run("cp", ["-r", "out", "copy"], in: shop.root).status == 0)
            try shop.write("copy/tree/b", shop.read("tree/b"))
            try expectFault(shop, "package.extra-file", "copy/tree/a/within:", target: "copy")
            try shop.remove("out/beside")
            try shop.remove("out/tree/a/within")
            #expect(try shop.verify("out").status == 0, "what file managers leave is no fault")
        }
    }

    @Test("extra files without end, all holes, are named and never read", .timeLimit(.minutes(1)))
    func extraFilesOfHoles() throws {
        try unpacked { shop in
            for path in ["out/tree/hole", "out/hole"] {
                #expect(try SystemTool.run("truncate", ["-s", "15T", path], in: shop.root).status == 0)
            }
            try expectFault(shop, "package.extra-file", "out/tree/hole:", "out/hole:")
            #expect(try SystemTool.run("truncate", ["-s", "15T", "out/tree/more"], in: shop.root).status == 0)
            try expectFault(shop, "package.extra-file", "out/tree/hole:", "out/tree/more:")
        }
    }

    @Test("a blob without end, all holes, is refused by its size and never copied", .timeLimit(.minutes(1)))
    func blobsOfHoles() throws {
        try unpacked { shop in
            try shop.publish("1.0.0")
            // Their one name apart, so that nothing whole is left to link.
            let blobs = try shop.files(below: "channel").keys.filter { $0.hasSuffix("note.txt.tar.zst") }
            let blob = "channel/\(try #require(blobs.first))"
            try shop.remove(blob)
            #expect(try SystemTool.run("truncate", ["-s", "15T", blob], in: shop.root).status == 0)
            try expectFault(shop, "blob.mismatch", "note.txt.tar.zst:", target: "channel")
            try shop.fails(
                3, "blob.mismatch", "republish", "demo@1.0.0", "--as", "2.0.0", "--channel", "channel", "--key",
                "keys/factory.key")
        }
    }

    @Test("Case 89: a name in the other normal form, or one that is no UTF-8, is another file")
    func case089_normalForms() throws {
        try Workshop.open { shop in
            try shop.write("é.txt", "a note")
            try shop.define(layers: #"{"kind": "notes", "source": "é.txt"}"#)
            try shop.release("1.0.0")
            try shop.done("unpack", "build/demo/1.0.0", "-o", "out", "--factory-key", "keys/factory.pub")
            #expect(try shop.verify("out").status == 0)
            try shop.write("out/e\u{301}.txt", "another")
            try expectFault(shop, "package.extra-file", "out/e\u{301}.txt:")
            try shop.remove("out/e\u{301}.txt")
            let made = try SystemTool.run("python3", ["-c", "open(b'out/\\xff', 'w').close()"], in: shop.root)
            #expect(made.status == 0)
            try expectFault(shop, "package.extra-file", "out/")
        }
    }

    @Test("Case 45: damage after a good signature is found, whatever it is")
    func case045_damage() throws {
        try unpacked { shop in
            let good = try shop.files(below: "out")
            func restore() throws {
                try shop.remove("out")
                for (path, bytes) in good { try shop.write("out/\(path)", bytes) }
            }
            var bytes = try #require(good["tree/b"])
            bytes[100] ^= 1
            try shop.write("out/tree/b", bytes)
            try expectFault(shop, "layer.mismatch", "out/tree:", "layer extra")
            try restore()
            try shop.write("out/note.txt", "b note")
            try expectFault(shop, "layer.mismatch", "out/note.txt:")
            try restore()
            try shop.remove("out/tree/b")
            try shop.remove("out/note.txt")
            try expectFault(shop, "layer.mismatch", "1 files, not the 2 signed", "layer notes is not there")
            try restore()
            // The same files under other names.
            try FileManager.default.moveItem(at: shop.url("out/tree/b"), to: shop.url("out/tree/c"))
            try expectFault(shop, "layer.mismatch", "out/tree:")
            try restore()
            try shop.remove("out/tree/b")
            #expect(symlink("../../tree/b", shop.url("out/tree/b").path) == 0)
            try expectFault(shop, "file.not-regular", "out/tree/b: a symbolic link")
            try restore()
            try shop.remove("out/tree/b")
            #expect(mkfifo(shop.url("out/tree/b").path, 0o644) == 0)
            try expectFault(shop, "file.not-regular", "out/tree/b: a device, socket or FIFO")
            try restore()
            try shop.remove("out/tree")
            #expect(symlink("../tree", shop.url("out/tree").path) == 0)
            try expectFault(shop, "package.file-missing", "out/tree")
            try restore()
            try shop.remove("out/tree")
            try shop.write("out/tree", "a file now")
            try expectFault(shop, "package.file-missing", "out/tree")
            try restore()
            for damaged in ["manifest.json", "manifest.json.sig"] {
                try shop.write("out/\(damaged)", "{}")
                #expect(try shop.verify("out").status == 3)
                try shop.remove("out/\(damaged)")
                #expect(try shop.verify("out").status == 3)
                try restore()
            }
            #expect(try shop.verify("out").status == 0)
        }
    }

    @Test(.enabled(if: getuid() == 0 && Programs.has("setpriv"), "needs root, to become somebody who is not"))
    func whatCannotBeReadIsAFault() throws {
        try unpacked { shop in
            #expect(chmod(shop.root.path, 0o755) == 0 && chmod(shop.url("out/tree/b").path, 0) == 0)
            #expect(chmod(shop.url("out/note.txt").path, 0) == 0)
            let result = try Programs.asNobody(
                SnpackProcess.path, ["verify", "out", "--factory-key", "keys/factory.pub"], in: shop.root)
            #expect(result.status == 3, "\(result)")
            #expect(
                result.standardError.contains("out/tree/b: cannot")
                    && result.standardError.contains("out/note.txt: cannot"))
        }
    }

    @Test func everythingThatIsNoPackageEndsWithThreeAndWhatIsNotThereWithFour() throws {
        try Workshop.open { shop in
            #expect(mkfifo(shop.url("fifo").path, 0o600) == 0)
            try shop.write("random", SplitMix.sample(5_000))
            try shop.write("empty", [])
            try FileManager.default.createDirectory(at: shop.url("nothing"), withIntermediateDirectories: true)
            for target in ["fifo", "random", "empty", "nothing", "tree", "demo.json", "keys/factory.key", "/dev/null"] {
                let result = try shop.run(["verify", target, "--factory-key", "keys/factory.pub"], seconds: 30)
                #expect(result.status == 3 && result.output.isEmpty && !result.timedOut, "\(target): \(result)")
            }
            #expect(try shop.verify("none").status == 4)
        }
    }

    // MARK: - .snpkg

    @Test func aPackageArchiveIsExactlyItsEntries() throws {
        try Workshop.open { shop in
            try shop.release("1.0.0")
            try shop.done("pack", "build/demo/1.0.0", "-o", "demo.snpkg")
            let good = try shop.read("demo.snpkg")
            try shop.done("pack", "build/demo/1.0.0", "-o", "again.snpkg")
            #expect(try shop.read("again.snpkg") == good)
            let seed = UInt64.random(in: 0...UInt64.max)
            var random = SplitMix(seed: seed)
            var damaged = [
                Array(good.dropLast()), good + [0], good + [UInt8](repeating: 0, count: 512), Array(good[..<600]), [],
            ]
            for _ in 0..<40 {
                var bytes = good
                bytes[Int.random(in: 0..<bytes.count, using: &random)] ^= UInt8.random(in: 1...255, using: &random)
                damaged.append(bytes)
            }
            for (number, bytes) in damaged.enumerated() {
                try shop.write("demo.snpkg", bytes)
                let result = try shop.verify("demo.snpkg")
                #expect(result.status == 3, "seed \(seed), \(number): \(result)")
                let unpack = try shop.run("unpack", "demo.snpkg", "-o", "out", "--factory-key", "keys/factory.pub")
                #expect(
                    unpack.status == 3 && !shop.exists("out") && shop.leftovers() == [],
                    "seed \(seed), \(number): \(unpack)")
            }
        }
    }

    @Test func tarMadeByOthersIsNoPackage() throws {
        try Workshop.open { shop in
            try shop.release("1.0.0")
            for format in ["gnu", "ustar", "pax"] {
                let made = try SystemTool.run(
                    "sh",
                    [
                        "-c",
                        "cd build/demo/1.0.0 && tar --format=\(format) -cf ../../../x.snpkg manifest.json manifest.json.sig layers",
                    ], in: shop.root)
                #expect(made.status == 0)
                let result = try shop.verify("x.snpkg")
                #expect(result.status == 3 && result.standardError.contains("[snpkg.invalid]"), "\(format): \(result)")
            }
        }
    }

    @Test func packRefusesWhatIsNotSignedOrDamaged() throws {
        try Workshop.open { shop in
            try shop.done("build", "demo.json", "--version", "1.0.0")
            #expect(try shop.run("pack", "build/demo/1.0.0", "-o", "x.snpkg").status == 3)
            try shop.done("sign", "build/demo/1.0.0", "--key", "keys/factory.key")
            let blob = try #require(shop.files(below: "build/demo/1.0.0").keys.first { $0.hasSuffix(".zst") })
            var bytes = try shop.read("build/demo/1.0.0/\(blob)")
            bytes[9] ^= 1
            try shop.write("build/demo/1.0.0/\(blob)", bytes)
            let damaged = try shop.run("pack", "build/demo/1.0.0", "-o", "x.snpkg")
            #expect(damaged.status == 3 && damaged.standardError.contains(blob), "\(damaged)")
            #expect(!shop.exists("x.snpkg") && shop.leftovers() == [])
        }
    }

    // MARK: - unpack

    @Test func unpackMakesADirectoryThatIsNotThereYetOrNone() throws {
        try unpacked { shop in
            let before = try shop.files(below: "out")
            try shop.fails(
                5, "file.exists", "unpack", "build/demo/1.0.0", "-o", "out", "--factory-key", "keys/factory.pub")
            #expect(symlink("nowhere", shop.url("link").path) == 0)
            try shop.fails(
                5, "file.exists", "unpack", "build/demo/1.0.0", "-o", "link", "--factory-key", "keys/factory.pub")
            #expect(try shop.files(below: "out") == before && !shop.exists("nowhere"))
            try shop.done("keygen", "--role", "factory", "--out", "keys/other", "--no-passphrase")
            try shop.fails(
                3, "signature.not-trusted", "unpack", "build/demo/1.0.0", "-o", "new", "--factory-key", "keys/other.pub"
            )
            #expect(!shop.exists("new"))
            let noted = try shop.done("unpack", "build/demo/1.0.0", "-o", "deep/new/", "--no-verify")
            #expect(noted.standardOutput.contains("not checked") && shop.exists("deep/new/note.txt"))
            #expect(
                try shop.run("unpack", "build/demo/1.0.0", "-o", "x").status == 2,
                "a key, or a word that none is wanted")
        }
    }

    @Test("Case 113: memory stays flat, however large a layer is", arguments: ["build", "verify", "unpack"])
    func case113_memory(command: String) throws {
        try Workshop.open { shop in
            // 512 MiB of zeros take no space on disk.
            try shop.write("tree/zeros", [])
            #expect(truncate(shop.url("tree/zeros").path, 512 << 20) == 0)
            let build = try MeasuredRun(
                ["build", "demo.json", "--version", "1.0.0", "--level", "1", "--jobs", "2"], in: shop.root)
            #expect(build.status == 0, "\(build)")
            var run = build
            if command == "verify" {
                try shop.done("sign", "build/demo/1.0.0", "--key", "keys/factory.key")
                run = try MeasuredRun(
                    ["verify", "build/demo/1.0.0", "--factory-key", "keys/factory.pub", "--jobs", "2"], in: shop.root)
            } else if command == "unpack" {
                run = try MeasuredRun(
                    ["unpack", "build/demo/1.0.0", "-o", "out", "--no-verify", "--jobs", "2"], in: shop.root)
            }
            #expect(run.status == 0 && run.peakByteCount < 100_000_000, "\(command): \(run)")
        }
    }

    @Test(
        "Case 45: a disk that is full is an error of its own, and leaves nothing behind",
        .enabled(if: getuid() == 0, "needs root, to mount a small file system"))
    func case045_fullDisk() throws {
        try Workshop.open { shop in
            try shop.write("tree/big", SplitMix.sample(6_000_000))
            try shop.release("1.0.0")
            try FileManager.default.createDirectory(at: shop.url("small"), withIntermediateDirectories: true)
            // In a name space of its own, so that the mount ends with the shell.
            let script = """
                mount -t tmpfs -o size=5m none small || exit 99
                "$0" unpack build/demo/1.0.0 -o small/out --no-verify; echo "unpack $?"
                "$0" build demo.json --version 2.0.0 --out small/build; echo "build $?"
                "$0" publish build/demo/1.0.0 --channel small/channel --key keys/factory.key; echo "publish $?"
                "$0" pack build/demo/1.0.0 -o small/x.snpkg; echo "pack $?"
                find small -name '.snpack-tmp-*' -o -name out -o -name x.snpkg -o -name index.signed
                """
            let result = try SystemTool.run(
                "unshare", ["-m", "bash", "-c", script, SnpackProcess.path], in: shop.root)
            if result.status == 99 || result.standardOutput.isEmpty {
                // No mounts in this container: said in the open, for there is no way to ask beforehand.
                print("case 45 was skipped: this machine does not let a file system be mounted: \(result)")
                return
            }
            #expect(result.standardOutput == "unpack 6\nbuild 6\npublish 6\npack 6\n", "\(result)")
            #expect(result.standardError.components(separatedBy: "[disk.full]").count == 5, "\(result)")
        }
    }
}
