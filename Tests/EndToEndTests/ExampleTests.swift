import Foundation
import SnpackTestSupport
import Testing

/// Every example of every command's help, run as it stands in a directory with the sample territory.
@Suite struct ExampleTests {
    /// What an example needs beyond keys, releases and a channel, and what it leaves behind.
    private struct Expectation: Sendable {
        /// Shell commands before it.
        var setup = ":"
        /// What stdout must contain: patterns, in this order.
        var says: [String]
        /// Files that must be there afterwards.
        var makes: [String] = []
    }

    private static let key = "--key keys/factory.key"
    private static let store = "--root store --factory-key keys/factory.pub"
    private static let installed = "snpack store install channel liechtenstein@1.0.0 \(store)"
    private static let sample = "Tests/Fixtures/liechtenstein"

    private static let expectations: [String: Expectation] = [
        "snpack keygen --role factory --out keys/factory": .init(
            setup: "rm -r keys; install -m 600 /dev/null word; echo secret > word; export SNPACK_PASSPHRASE_FILE=word",
            says: ["secret, encrypted", "factory key [0-9a-f]{16}, public key [0-9a-f]{64}"],
            makes: ["keys/factory.key", "keys/factory.pub"]),
        "snpack keygen --role region --out keys/region --no-passphrase": .init(
            says: ["not encrypted", "region key [0-9a-f]{16}"], makes: ["keys/region.key", "keys/region.pub"]),
        "snpack key show keys/factory.pub": .init(says: ["key id +[0-9a-f]{16}", "public key +[0-9a-f]{64}"]),
        "snpack key export keys/factory.key --pem --out factory.pem": .init(
            says: ["wrote factory.pem"], makes: ["factory.pem"]),
        "snpack key export keys/factory.pub --pem": .init(says: ["^-----BEGIN PUBLIC KEY-----\n"]),
        "snpack key import factory.pem --role factory --out keys/imported": .init(
            setup: """
                openssl genpkey -algorithm ed25519 -out factory.pem
                install -m 600 /dev/null word; echo secret > word; export SNPACK_PASSPHRASE_FILE=word
                """, says: ["secret, encrypted"], makes: ["keys/imported.key", "keys/imported.pub"]),

        "snpack build manifests/liechtenstein.json --version 1.0.0": .init(
            setup: "rm -r build",
            says: ["^Liechtenstein \\(liechtenstein@1.0.0\\)", "wrote build/liechtenstein/1.0.0"],
            makes: ["build/liechtenstein/1.0.0/manifest.json"]),
        "snpack build manifests/liechtenstein.json --version 1.1.0 --reuse build/liechtenstein/1.0.0": .init(
            setup: "rm -r build/liechtenstein/1.1.0", says: ["liechtenstein@1.1.0", "wrote build/liechtenstein/1.1.0"],
            makes: ["build/liechtenstein/1.1.0/manifest.json"]),
        "snpack sign build/liechtenstein/1.0.0 \(key)": .init(
            setup: "rm build/liechtenstein/1.0.0/manifest.json.sig",
            says: ["^signed build/liechtenstein/1.0.0/manifest.json with factory key"],
            makes: ["build/liechtenstein/1.0.0/manifest.json.sig"]),
        "snpack sign channel/.snpack/staged/index.json \(key)": .init(
            setup: staged, says: ["liechtenstein", "signed channel/.snpack/staged/index.json with factory key"],
            makes: ["channel/.snpack/staged/index.json.sig"]),
        "snpack publish build/liechtenstein/1.0.0 --channel channel \(key) --valid-for 30d": .init(
            setup: "rm -r channel keys/*.json",
            says: ["^published liechtenstein@1.0.0\n", "sequence [0-9]+, good until 20"],
            makes: ["channel/index.signed"]),
        "snpack publish build/liechtenstein/1.0.0 --channel channel --stage --factory-key keys/factory.pub": .init(
            setup: "rm -r channel", says: ["^staged liechtenstein@1.0.0"],
            makes: ["channel/.snpack/staged/index.json"]),
        "snpack publish --commit --channel channel --factory-key keys/factory.pub": .init(
            setup: "\(staged); snpack sign channel/.snpack/staged/index.json \(key)",
            says: ["channel main, sequence 1"],
            makes: ["channel/index.signed"]),
        "snpack verify channel --factory-key keys/factory.pub": .init(
            says: ["^channel: verified \\(2 releases, 10 blobs of"]),
        "snpack verify https://maps.example.org --factory-key keys/factory.pub --sample 2 --expires-within 3d": .init(
            setup: "snpack refresh --valid-for 30d --channel channel \(key)", says: ["2 releases", "10 blobs"]),
        "snpack cut channel#liechtenstein --factory-key keys/factory.pub --bbox 9.48,47.1,9.56,47.2 --name Vaduz --out regions":
            .init(says: ["Vaduz \\(region-[0-9a-f]{16}@1.1.0\\)", "wrote regions/region-"]),
        "snpack cut build/liechtenstein/1.0.0 --factory-key keys/factory.pub --corridor trail.geojson --buffer 2000 --name Trail --out regions":
            .init(
                setup: #"echo '{"type": "LineString", "coordinates": [[9.5, 47.1], [9.55, 47.2]]}' > trail.geojson"#,
                says: ["Trail \\(region-[0-9a-f]{16}@1.0.0\\)", "wrote regions/region-"]),
        "snpack pack build/liechtenstein/1.0.0 -o liechtenstein.snpkg": .init(
            says: ["^wrote liechtenstein.snpkg: liechtenstein@1.0.0"], makes: ["liechtenstein.snpkg"]),
        "snpack unpack liechtenstein.snpkg -o liechtenstein --factory-key keys/factory.pub": .init(
            setup: packed, says: ["liechtenstein"], makes: ["liechtenstein/manifest.json", "liechtenstein/map.pmtiles"]),

        "snpack inspect build/liechtenstein/1.0.0": .init(
            says: ["^build/liechtenstein/1.0.0: release", "layer +address", "valhalla-tiles +[0-9a-f]{16}"]),
        "snpack list channel": .init(says: ["^channel main, sequence [0-9]+", "1.1.0 .* latest", "1.0.0"]),
        "snpack diff channel#liechtenstein@1.0.0 channel#liechtenstein": .init(
            says: ["^liechtenstein@1.0.0 → liechtenstein@1.1.0: .* on the wire", "style +unchanged"]),

        "snpack yank liechtenstein@1.1.0 --reason \"a bridge is missing\" --channel channel \(key)": .init(
            says: ["^liechtenstein@1.1.0 is withdrawn"]),
        "snpack unyank liechtenstein@1.1.0 --channel channel \(key)": .init(
            setup: "snpack yank liechtenstein@1.1.0 --reason x --channel channel \(key)",
            says: ["^liechtenstein@1.1.0 ", "sequence"]),
        "snpack latest liechtenstein@1.1.0 --channel channel \(key)": .init(
            setup: "snpack latest liechtenstein@1.0.0 --channel channel \(key)",
            says: ["liechtenstein@1.1.0", "sequence"]),
        "snpack refresh --valid-for 30d --channel channel \(key)": .init(
            says: ["^the index is signed again", "good until 20"]),
        "snpack republish liechtenstein@1.0.0 --as 1.2.0 --channel channel \(key)": .init(
            says: ["^liechtenstein@1.0.0 is published as 1.2.0"],
            makes: ["channel/territories/liechtenstein/1.2.0/manifest.json"]),
        "snpack prune --keep 3 --channel channel \(key) --dry-run": .init(says: ["would be won"]),
        "snpack resign --channel channel --factory-key keys/factory.pub --key new/factory.key --out channel-2": .init(
            setup: "mkdir new; snpack keygen --role factory --out new/factory --no-passphrase",
            says: ["sequence"], makes: ["channel-2/index.signed"]),
        "snpack mirror channel mirror --factory-key keys/factory.pub": .init(
            says: ["^2 releases are here", "channel main, sequence"], makes: ["mirror/index.signed"]),

        "snpack store install channel liechtenstein \(store)": .init(
            says: ["^installed liechtenstein 1.1.0", "5 layers fetched"]),
        "snpack store install liechtenstein.snpkg --omit pmtiles \(store)": .init(
            setup: packed, says: ["^installed liechtenstein 1.0.0", "4 layers fetched"]),
        "snpack store sync https://maps.example.org liechtenstein \(store)": .init(
            setup: "\(installed); snpack refresh --valid-for 30d --channel channel \(key)",
            says: ["^updated to liechtenstein 1.1.0", "1 reused", "index: sequence 3 of .* fresh"]),
        "snpack store check channel liechtenstein \(store) --json": .init(
            setup: installed, says: ["^\\{\n", "\"download_bytes\": [0-9]+", "\"update_available\": true"]),
        "snpack store list \(store)": .init(setup: installed, says: ["^liechtenstein 1.0.0, "]),
        "snpack store activate liechtenstein \(store)": .init(setup: installed, says: ["^liechtenstein is active\n"]),
        "snpack store active \(store)": .init(
            setup: "\(installed); snpack store activate liechtenstein \(store)", says: ["^liechtenstein"]),
        "snpack store path liechtenstein valhalla-tiles \(store)": .init(setup: installed, says: ["^/.*/valhalla\n$"]),
        "snpack store style liechtenstein --theme dark \(store)": .init(
            setup: installed, says: ["\"glyphs\": \"file:///", "\"background-color\": \"#16191d\""]),
        "snpack store search liechtenstein malbun \(store)": .init(
            setup: installed, says: ["^locality 47.102793,9.608395 Malbun, Triesenberg"]),
        "snpack store reverse liechtenstein 47.141,9.5215 \(store)": .init(setup: installed, says: ["^street 47.14"]),
        "snpack store verify liechtenstein \(store)": .init(setup: installed, says: ["^verified: liechtenstein 1.0.0"]),
        "snpack store repair liechtenstein channel \(store)": .init(
            setup: """
                \(installed)
                map=$(snpack store path liechtenstein pmtiles \(store))
                chmod u+w "$map"; printf x | dd of="$map" bs=1 seek=1000 conv=notrunc status=none
                """, says: ["^repaired"]),
        "snpack store rollback liechtenstein \(store)": .init(
            setup: "\(installed); snpack store sync channel liechtenstein \(store)", says: ["liechtenstein .*1.0.0"]),
        "snpack store remove liechtenstein \(store)": .init(setup: installed, says: ["^removed liechtenstein"]),
        "snpack store cache --clear \(store)": .init(setup: installed, says: ["^cleared"]),

        "snpack geocode build places.ndjson -o geocode": .init(
            setup: "cp \(sample)/v1/geocode/places.ndjson .", says: ["geocode"], makes: ["geocode/places.sqlite"]),
        "snpack pmtiles convert map.mbtiles map.pmtiles": .init(
            setup: "cp \(sample)/v1/mbtiles/*.mbtiles map.mbtiles", says: ["map.pmtiles"], makes: ["map.pmtiles"]),
        "snpack valhalla unpack tiles.tar valhalla": .init(
            setup: "cp \(sample)/v1/valhalla-tar/*.tar tiles.tar", says: ["valhalla"], makes: ["valhalla/2"]),

        "source <(snpack completions bash)": .init(says: ["^$"]),
        "snpack manual key show | man -l -": .init(says: ["snpack-key-show - show"]),
        "snpack manual --out man1": .init(says: ["manual pages to man1"], makes: ["man1/snpack-key-show.1"]),
        "snpack help key show": .init(says: ["Usage: snpack key show FILE"]),
    ]

    private static let staged =
        "rm -r channel; snpack publish build/liechtenstein/1.0.0 --channel channel --stage --factory-key keys/factory.pub"
    private static let packed = "snpack pack build/liechtenstein/1.0.0 -o liechtenstein.snpkg"

    /// The examples as help prints them.
    static let examples: [String] = CommandLineTests.commands.flatMap { command -> [String] in
        guard let help = try? SnpackProcess.run(command + ["--help"]).standardOutput,
            let begin = help.firstRange(of: "\nExamples:\n")?.upperBound
        else { return [] }
        return help[begin...].split(separator: "\n").prefix { $0.hasPrefix("  ") }.map { String($0.dropFirst(2)) }
            .filter { !$0.hasPrefix("# ") }
    }

    @Test func everyExampleIsTriedAndNoOther() {
        let (printed, tried) = (Set(Self.examples), Set(Self.expectations.keys))
        #expect(printed.count == Self.examples.count)
        #expect(printed.subtracting(tried) == [], "not tried")
        #expect(tried.subtracting(printed) == [], "no longer in any help")
    }

    @Test(arguments: examples)
    func doesWhatItSays(_ example: String) throws {
        let expected = try #require(Self.expectations[example])
        try Self.run(example) { result, journey in
            #expect(result.status == 0 && !result.standardError.contains("error"), "\(result)")
            var rest = result.standardOutput[...]
            for pattern in expected.says {
                let found = try #require(try rest.firstRange(of: Regex(pattern)), "no \(pattern) in \(result)")
                rest = rest[found.upperBound...]
            }
            for path in expected.makes {
                #expect(FileManager.default.fileExists(atPath: journey.place(path).path), "no \(path)")
            }
        }
    }

    /// Runs an example with what it needs in a directory of its own; a web address' host alone is put in place.
    static func run(_ example: String, adding more: String = "", _ body: (ToolResult, Journey) throws -> Void) throws {
        let setup = expectations[example]?.setup ?? ":"
        try PublishedSample.inCopy { journey in
            let bin = journey.place("bin")
            try FileManager.default.createDirectory(at: bin, withIntermediateDirectories: false)
            try FileManager.default.createSymbolicLink(
                at: bin.appending(path: "snpack"), withDestinationURL: URL(filePath: SnpackProcess.path))
            for name in ["manifests", "Tests"] {
                try FileManager.default.createSymbolicLink(
                    at: journey.place(name), withDestinationURL: ProjectFiles.root.appending(path: name))
            }
            var (line, server) = (example + more, nil as ConfiguredServer?)
            defer { server?.stop() }
            if example.contains("https://maps.example.org") {
                let nginx = try ConfiguredServer.nginx(root: journey.place("channel"))
                line.replace("https://maps.example.org", with: "http://127.0.0.1:\(nginx.ports[0])")
                server = nginx
            }
            let script = "PATH=$PWD/bin:$PATH\n{ \(setup)\n} >/dev/null\n\(line)"
            try body(
                SystemTool.run(
                    "bash", ["--norc", "-euo", "pipefail", "-c", script], in: journey.directory,
                    environment: [
                        "HOME": nil, "XDG_CACHE_HOME": nil, "MANPAGER": "cat", "LC_ALL": "C.UTF-8", "MANWIDTH": "100",
                        "GITHUB_ACTIONS": nil,
                    ]), journey)
        }
    }
}
