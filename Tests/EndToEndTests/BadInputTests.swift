import Foundation
import SnpackTestSupport
import Testing

/// Bad input gives a clear line and an exit status: never a signal, never a half-written file, never a word on stdout.
@Suite struct BadInputTests {
    private func expectRefusal(
        _ result: ToolResult, _ words: [String], _ note: String, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(
            !result.timedOut && (1...8).contains(result.status), "\(words) \(note): \(result)",
            sourceLocation: sourceLocation)
        #expect(result.output.isEmpty, "\(words) \(note): \(result)", sourceLocation: sourceLocation)
        #expect(
            result.standardError.hasPrefix("snpack: "), "\(words) \(note): \(result)", sourceLocation: sourceLocation)
    }

    /// Command lines that read `input`, each to fail.
    private static let commands: [[String]] = [
        ["build", "input", "--version", "1.0.0"], ["sign", "input", "--key", "keys/factory.key"],
        ["publish", "input", "--channel", "new", "--key", "keys/factory.key"],
        ["publish", "build/demo/1.0.0", "--channel", "new", "--key", "input"],
        ["verify", "input", "--factory-key", "keys/factory.pub"], ["verify", "channel", "--factory-key", "input"],
        ["list", "input"], ["pack", "input", "-o", "x.snpkg"],
        ["unpack", "input", "-o", "x", "--factory-key", "keys/factory.pub"],
        ["unpack", "input", "-o", "x", "--no-verify"],
        ["key", "show", "input"], ["build", "demo.json", "--version", "2.0.0", "--reuse", "input"],
    ]

    @Test("Cases 19 and 117: odd files and directories", arguments: commands)
    func case019_oddInputs(words: [String]) throws {
        try Workshop.open { shop in
            try shop.release("1.0.0")
            try shop.publish("1.0.0")
            let makers: [(name: String, make: () throws -> Void)] = [
                ("nothing", {}), ("an empty file", { try shop.write("input", []) }),
                (
                    "an empty directory",
                    {
                        try FileManager.default.createDirectory(
                            at: shop.url("input"), withIntermediateDirectories: true)
                    }
                ),
                ("a FIFO", { #expect(mkfifo(shop.url("input").path, 0o600) == 0) }),
                ("a dangling link", { #expect(symlink("none", shop.url("input").path) == 0) }),
                ("a link to itself", { #expect(symlink("input", shop.url("input").path) == 0) }),
                ("a device", { #expect(symlink("/dev/zero", shop.url("input").path) == 0) }),
                ("memory", { #expect(symlink("/proc/self/mem", shop.url("input").path) == 0) }),
                ("zeros", { try shop.write("input", [UInt8](repeating: 0, count: 4_096)) }),
                ("braces", { try shop.write("input", String(repeating: "{", count: 20_000)) }),
                ("brackets", { try shop.write("input", String(repeating: "[", count: 200_000)) }),
                ("an empty manifest", { try shop.write("input/manifest.json", []) }),
                ("a manifest that is a directory", { try shop.write("input/manifest.json/x", []) }),
                ("an empty channel", { try shop.write("input/index.json", "{}") }),
                (
                    "a channel whose index is a FIFO",
                    {
                        try FileManager.default.createDirectory(
                            at: shop.url("input"), withIntermediateDirectories: true)
                        #expect(mkfifo(shop.url("input/index.signed").path, 0o600) == 0)
                    }
                ),
                (
                    "a signed index of signatures alone",
                    { try shop.write("input/index.signed", String(repeating: "A\n", count: 9_000)) }
                ),
            ]
            for maker in makers {
                try maker.make()
                expectRefusal(try shop.run(words, seconds: 30), words, maker.name)
                #expect(shop.leftovers() == [] && !shop.exists("x") && !shop.exists("x.snpkg"), "\(maker.name)")
                let json = try shop.run(words + ["--json"], seconds: 30)
                #expect(
                    (try? JSONSerialization.jsonObject(with: Data(json.output)) as? [String: Any]) != nil,
                    "\(words) \(maker.name): \(json)")
                if (try? FileManager.default.attributesOfItem(atPath: shop.url("input").path)) != nil {
                    try shop.remove("input")
                }
            }
        }
    }

    @Test func inspectOfAnythingAtAllIsAnAnswerOrAnError() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SplitMix(seed: seed)
        try Workshop.open { shop in
            try shop.release("1.0.0")
            try shop.done("pack", "build/demo/1.0.0", "-o", "demo.snpkg")
            let blob = try #require(shop.files(below: "build/demo/1.0.0").first { $0.key.hasSuffix("tree.tar.zst") })
                .value
            let samples: [(name: String, bytes: [UInt8])] = [
                ("x.pmtiles", []), ("x.gph", []), ("x.sqlite", []), ("x.mbtiles", []), ("x.ndjson", []), ("x.pub", []),
                ("x.key", []),
                ("x.snpkg", try shop.read("demo.snpkg")), ("blob", blob),
                ("manifest.json", try shop.read("build/demo/1.0.0/manifest.json")),
                (
                    "map.pmtiles",
                    try [UInt8](
                        Data(contentsOf: ProjectFiles.sample.appending(path: "v1/pmtiles/liechtenstein.pmtiles")))
                ),
                ("key", try shop.read("keys/factory.key")), ("frame", [0x28, 0xB5, 0x2F, 0xFD]),
                ("tiles.tar", random.bytes(10_000)),
            ]
            for sample in samples {
                for round in 0..<6 {
                    var bytes = sample.bytes
                    if round == 1 { bytes = Array(bytes.prefix(bytes.count / 2)) }
                    if round == 2 { bytes += [0] }
                    if round > 2, bytes.isEmpty { bytes = random.bytes(Int.random(in: 1...3_000, using: &random)) }
                    if round > 2 {
                        for _ in 0..<8 {
                            bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(
                                in: 0...255, using: &random)
                        }
                    }
                    try shop.write(sample.name, bytes)
                    let result = try shop.run(["inspect", sample.name], seconds: 60)
                    #expect(
                        !result.timedOut && result.status < 128,
                        "seed \(seed), \(sample.name), round \(round): \(result)")
                    #expect(result.status == 0 || !result.standardError.isEmpty, "\(result)")
                }
            }
            // A zstd file of somebody else's, too large to be walked through a table's entry at a time.
            try shop.write("other.zst", [0x28, 0xB5, 0x2F, 0xFD])
            #expect(truncate(shop.url("other.zst").path, 3 << 30) == 0)
            let other = try shop.run(["inspect", "other.zst"], seconds: 60)
            #expect(!other.timedOut && other.status == 3, "\(other)")
        }
    }

    @Test("Case 91: a signed document that is not strict JSON, or a manifest too large, is refused")
    func case091_documents() throws {
        try Workshop.open { shop in
            try shop.release("1.0.0")
            let good = String(decoding: try shop.read("build/demo/1.0.0/manifest.json"), as: UTF8.self)
            let bad: [(String, [UInt8])] = [
                ("trailing comma", Array(good.replacing("\n}\n", with: ",\n}\n").utf8)),
                ("BOM", [0xEF, 0xBB, 0xBF] + Array(good.utf8)),
                ("UTF-16", Array(good.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] })),
                ("exponent", Array(good.replacing(/"files": 2/, with: "\"files\": 2e0").utf8)),
                ("fraction", Array(good.replacing(/"files": 2/, with: "\"files\": 2.0").utf8)),
                (
                    "nesting",
                    Array(
                        good.replacing(
                            "{\n  \"attribution\"",
                            with:
                                "{ \"x\": \(String(repeating: "[", count: 600))\(String(repeating: "]", count: 600)), \"attribution\""
                        ).utf8)
                ),
                (
                    "twice",
                    Array(
                        good.replacing("{\n  \"attribution\"", with: "{ \"version\": \"1.0.0\", \"attribution\"").utf8)
                ),
                ("NUL", Array(good.replacing("\"Demo\"", with: "\"De\\u0000mo\"").utf8)),
                ("direction", Array(good.replacing("\"Demo\"", with: "\"De\u{202E}mo\"").utf8)),
                ("size", Array(good.utf8) + [UInt8](repeating: 0x20, count: 4 << 20)),
            ]
            for (name, bytes) in bad {
                #expect(bytes != Array(good.utf8), "\(name)")
                try shop.write("build/demo/1.0.0/manifest.json", bytes)
                let sign = try shop.run("sign", "build/demo/1.0.0", "--key", "keys/factory.key")
                #expect(sign.status != 0 && sign.status < 9 && sign.output.isEmpty, "\(name): \(sign)")
                #expect(try shop.verify("build/demo/1.0.0").status == 3, "\(name)")
            }
        }
    }

    @Test("Case 117: a reader that goes away is no trouble, and a full stdout is")
    func case117_stdout() throws {
        try Workshop.open { shop in
            try shop.release("1.0.0")
            try shop.publish("1.0.0")
            let script = """
                "$0" list channel | true; echo ${PIPESTATUS[0]}
                "$0" verify channel --factory-key keys/factory.pub >&-; echo $?
                "$0" build demo.json --version 3.0.0 --json | head -c 1 >/dev/null; echo ${PIPESTATUS[0]}
                "$0" list channel >/dev/full; echo $?
                "$0" list channel <&- 2>&- | wc -l
                """
            let result = try SystemTool.run("bash", ["-c", script, SnpackProcess.path], in: shop.root)
            let lines = result.standardOutput.split(separator: "\n")
            #expect(
                lines.count == 5 && lines[..<3] == ["0", "0", "0"] && lines[3] == "6" && Int(lines[4]) ?? 0 > 1,
                "\(result)")
            #expect(try shop.run("inspect", "build/demo/3.0.0").status == 0, "the work was done all the same")
        }
    }

    @Test(
        "Case 67: what verifies does not depend on the clock", .enabled(if: Programs.has("faketime"), "needs faketime"))
    func case067_clock() throws {
        try Workshop.open { shop in
            try shop.release("1.0.0")
            try shop.publish("1.0.0", "--valid-for", "30d")
            for (clock, status) in [("1970-01-02", Int32(0)), ("2099-01-01", 3)] {
                let release = try SystemTool.run(
                    "faketime",
                    [clock, SnpackProcess.path, "verify", "build/demo/1.0.0", "--factory-key", "keys/factory.pub"],
                    in: shop.root)
                #expect(release.status == 0, "\(release)")
                let channel = try SystemTool.run(
                    "faketime", [clock, SnpackProcess.path, "verify", "channel", "--factory-key", "keys/factory.pub"],
                    in: shop.root)
                #expect(channel.status == status, "\(channel)")
                if status != 0 { #expect(channel.standardError.contains("clock")) }
            }
        }
    }
}
