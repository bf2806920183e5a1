import Foundation
import SnpackTestSupport
import Testing

/// Releases with patches, made, tried and published by the real program.
@Suite struct PatchTests {
    private static let key = ProjectFiles.root.appending(path: "keys-example/factory").path

    /// Runs snpack and decodes what it prints with `--json`.
    private func json(_ words: [String], in directory: URL) throws -> [String: Any] {
        let result = try SnpackProcess.run(words + ["--json"], in: directory)
        #expect(result.status == 0, "\(words): \(result)")
        return try #require(JSONSerialization.jsonObject(with: Data(result.output)) as? [String: Any])
    }

    /// Builds a version of the sample's routing tiles and places.
    private func build(_ version: String, _ sample: String, _ options: [String], in directory: URL) throws -> [String:
        Any]
    {
        let layers = ProjectFiles.sample.appending(path: sample).path
        return try json(
            [
                "build", ProjectFiles.root.appending(path: "manifests/liechtenstein.json").path, "--version", version,
                "--layer", "valhalla-tiles=\(layers)/valhalla", "--layer",
                "geocode-index=\(layers)/geocode/places.ndjson",
                "--layer", "pmtiles=\(layers)/pmtiles/liechtenstein.pmtiles",
            ] + options, in: directory)
    }

    private func patches(of kind: String, in build: [String: Any]) -> [[String: Any]] {
        let layer = (build["layers"] as? [[String: Any]])?.first { $0["kind"] as? String == kind }
        return layer?["patches"] as? [[String: Any]] ?? []
    }

    private func publish(_ version: String, in directory: URL, _ options: [String] = []) throws -> ToolResult {
        let release = "build/liechtenstein/\(version)"
        let signed = try SnpackProcess.run(["sign", release, "--key", Self.key + ".key"], in: directory)
        #expect(signed.status == 0, "\(signed)")
        return try SnpackProcess.run(
            ["publish", release, "--channel", "channel", "--key", Self.key + ".key", "--state", "state.json"]
                + ["--allow-example-keys"] + options, in: directory)
    }

    @Test func reusedChannelGivesPatchesThatArePublishedWithTheirBlobs() throws {
        try ProjectFiles.inTemporaryDirectory { directory in
            _ = try build("1.0.0", "v1", [], in: directory)
            #expect(try publish("1.0.0", in: directory).status == 0)
            let second = try build("1.1.0", "v2", ["--reuse", "channel"], in: directory)
            let tiles = try #require(patches(of: "valhalla-tiles", in: second).first)
            // A rebuilt tree differs in every file and hardly in any byte: 408 kB as a blob.
            #expect(try #require(tiles["bytes"] as? Int) < 60_000)
            #expect(patches(of: "style", in: second).isEmpty, "the same layer needs none")
            #expect(try publish("1.1.0", in: directory).status == 0)
            let verified = try SnpackProcess.run(
                ["verify", "channel", "--factory-key", Self.key + ".pub"], in: directory)
            #expect(verified.status == 0, "\(verified)")

            let diff = try json(["diff", "channel#liechtenstein@1.0.0", "channel#liechtenstein"], in: directory)
            let cost = try #require(diff["download_bytes"] as? Int)
            #expect(cost * 3 / 2 < (diff["download_bytes_without_patches"] as? Int) ?? 0)
            let changes = (diff["layers"] as? [[String: Any]])?.compactMap { $0["change"] as? String }
            #expect(changes == ["changed", "changed", "unchanged", "unchanged", "changed"])

            // A layer that stays as it is keeps the patches that lead to it, linked.
            let third = try build("1.2.0", "v2", ["--reuse", "channel"], in: directory)
            #expect(patches(of: "valhalla-tiles", in: third).first?["from"] as? String == tiles["from"] as? String)
            #expect(try publish("1.2.0", in: directory).status == 0)
            let links = try SystemTool.run(
                "bash", ["-c", "find channel -name 'from-*.patch' -links +1 | wc -l"], in: directory)
            #expect(links.standardOutput == "6\n", "three patches, each in two versions")
        }
    }

    @Test func sampleIsUpdatedByItsPatchesAlone() throws {
        try ProjectFiles.inTemporaryDirectory { directory in
            _ = try build("1.0.0", "v1", [], in: directory)
            #expect(try publish("1.0.0", in: directory).status == 0)
            let channel = directory.appending(path: "channel")
            let server = try ScriptedServer { request in
                guard let data = try? Data(contentsOf: channel.appending(path: String(request.path.dropFirst())))
                else { return .notFound }
                return .file(Array(data), for: request)
            }
            defer { server.stop() }
            func store(_ verb: String, _ source: String, root: String = "store") -> [String] {
                ["store", verb, source, "liechtenstein", "--root", root, "--factory-key", Self.key + ".pub"]
            }
            _ = try json(store("sync", server.url()), in: directory)
            let built = try build("1.1.0", "v2", ["--reuse", "channel"], in: directory)
            #expect(try publish("1.1.0", in: directory).status == 0)
            let kinds = ["geocode-index", "pmtiles", "valhalla-tiles"]
            let byteCount = kinds.compactMap { patches(of: $0, in: built).first?["bytes"] as? Int }.reduce(0, +)

            let check = try json(store("check", server.url()), in: directory)
            #expect(check["download_bytes"] as? Int == byteCount)
            let changed = check["changed_layers"] as? [[String: Any]] ?? []
            #expect(changed.compactMap { $0["kind"] as? String } == kinds)
            #expect(changed.allSatisfy { $0["way"] as? String == "patched" })
            let text = try SnpackProcess.run(store("check", server.url()), in: directory).standardOutput
            #expect(text.contains("valhalla-tiles 408 kB → patch "), "\(text)")

            let asked = server.requests.count
            let updated = try json(store("sync", server.url()), in: directory)
            #expect(updated["outcome"] as? String == "updated")
            #expect(updated["layers_patched"] as? Int == 3 && updated["layers_fetched"] as? Int == 0)
            #expect(updated["bytes_downloaded"] as? Int == byteCount)
            let paths = server.requests.dropFirst(asked).map(\.path)
            #expect(paths.count { $0.hasSuffix(".patch") } == 3)
            #expect(!paths.contains { $0.hasSuffix(".tar.zst") })

            _ = try json(store("install", "channel", root: "fresh"), in: directory)
            let difference = try SystemTool.run(
                "diff", ["-r"] + ["store", "fresh"].map { "\($0)/territories/liechtenstein/1.1.0/package" },
                in: directory)
            #expect(difference.status == 0, "\(difference)")
        }
    }

    @Test func noPatchesMeansNone() throws {
        try ProjectFiles.inTemporaryDirectory { directory in
            _ = try build("1.0.0", "v1", [], in: directory)
            #expect(try publish("1.0.0", in: directory).status == 0)
            let second = try build("1.1.0", "v2", ["--reuse", "channel", "--no-patches"], in: directory)
            #expect(patches(of: "valhalla-tiles", in: second).isEmpty)
        }
    }

    @Test func damagedPatchIsNotSigned() throws {
        try ProjectFiles.inTemporaryDirectory { directory in
            _ = try build("1.0.0", "v1", [], in: directory)
            let second = try build(
                "1.1.0", "v2", ["--patch-from", "build/liechtenstein/1.0.0"], in: directory)
            #expect(!patches(of: "geocode-index", in: second).isEmpty)
            let found = try SystemTool.run(
                "bash",
                [
                    "-c",
                    "f=$(find build -name 'from-*.patch' | sort | head -1); printf x | dd of=$f bs=1 seek=100 conv=notrunc; echo $f",
                ],
                in: directory)
            let refused = try SnpackProcess.run(
                ["sign", "build/liechtenstein/1.1.0", "--key", Self.key + ".key"], in: directory)
            #expect(refused.status == 3, "\(refused)")
            #expect(refused.standardError.contains("from-"), "\(found) \(refused)")
        }
    }
}
