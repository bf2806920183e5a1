import Foundation
import SnpackTestSupport
import Testing

/// The main job on real data: keygen, build, sign, publish, verify; pack and unpack; and a look at all of it.
@Suite(.serialized) struct MainJobTests {
    private static let v2 = ProjectFiles.sample.appending(path: "v2").path

    /// The sample territory's two versions, built, signed and published.
    private func sample<Result>(_ body: (Workshop) throws -> Result) throws -> Result {
        try Workshop.open { shop in
            let definition = ProjectFiles.root.appending(path: "manifests/liechtenstein.json").path
            try shop.done("build", definition, "--version", "1.0.0")
            try shop.done(
                "build", definition, "--version", "1.1.0", "--data-timestamp", "2013-09-01T00:00:00Z", "--reuse",
                "build/liechtenstein/1.0.0", "--layer", "valhalla-tiles=\(Self.v2)/valhalla", "--layer",
                "pmtiles=\(Self.v2)/pmtiles/liechtenstein.pmtiles", "--layer",
                "geocode-index=\(Self.v2)/geocode/places.ndjson", "--layer",
                "poi-sidecar=\(Self.v2)/poi-sidecar/poi.sqlite")
            let releases = ["build/liechtenstein/1.0.0", "build/liechtenstein/1.1.0"]
            try shop.done(["sign"] + releases + ["--key", "keys/factory.key"])
            try shop.done(
                ["publish"] + releases + ["--channel", "channel", "--key", "keys/factory.key", "--valid-for", "30d"])
            return try body(shop)
        }
    }

    @Test func theSampleGoesFromLayersToAVerifiedChannelAndBack() throws {
        try sample { shop in
            let verified = try shop.verify("channel")
            #expect(verified.status == 0 && verified.standardError == "", "\(verified)")
            #expect(verified.standardOutput.contains("verified (2 releases, 9 blobs"))
            let listed = try shop.done("list", "channel")
            #expect(listed.standardOutput.contains("liechtenstein") && listed.standardOutput.contains("latest"))
            // The style did not change: one file on disk.
            let links = try SystemTool.run(
                "find", ["channel", "-name", "style.tar.zst", "-printf", "%n "], in: shop.root)
            #expect(links.standardOutput == "2 2 ")

            try shop.done("pack", "build/liechtenstein/1.1.0", "-o", "l.snpkg")
            let tar = try SystemTool.run("tar", ["-tf", "l.snpkg"], in: shop.root)
            #expect(tar.standardOutput.hasPrefix("manifest.json\nmanifest.json.sig\nlayers/"), "\(tar)")
            for (source, out) in [("l.snpkg", "one"), ("channel/territories/liechtenstein/1.1.0", "two")] {
                #expect(try shop.verify(source).status == 0)
                try shop.done("unpack", source, "-o", out, "--factory-key", "keys/factory.pub")
                let directory = try shop.verify(out)
                #expect(directory.status == 0, "\(directory)")
            }
            #expect(try SystemTool.run("diff", ["-r", "one", "two"], in: shop.root).status == 0)
            let tiles = try SystemTool.run("diff", ["-r", "one/valhalla", "\(Self.v2)/valhalla"], in: shop.root)
            #expect(tiles.status == 0, "\(tiles)")
        }
    }

    @Test(.enabled(if: ["openssl", "b3sum", "zstd", "tar", "jq"].allSatisfy(Programs.has), "needs the stock tools"))
    func stockToolsAgree() throws {
        let script = ProjectFiles.root.appending(path: "scripts/verify-by-hand").path
        try sample { shop in
            let result = try SystemTool.run(script, ["channel", "keys/factory.pub"], in: shop.root, seconds: 120)
            #expect(result.status == 0, "\(result)")
            // And disagree when there is reason to.
            let blob = try #require(shop.files(below: "channel").keys.first { $0.hasSuffix("style.tar.zst") })
            var bytes = try shop.read("channel/\(blob)")
            bytes[bytes.count / 2] ^= 1
            try shop.write("channel/\(blob)", bytes)
            #expect(
                try SystemTool.run(script, ["channel", "keys/factory.pub"], in: shop.root, seconds: 120).status != 0)
        }
        let key = try VectorChannel.key("factory_public")
        let other = try SystemTool.run(script, [VectorChannel.ok.path, key], seconds: 120)
        #expect(other.status == 0, "\(other)")
    }

    @Test func everyFormAndLayerCanBeLookedInto() throws {
        try sample { shop in
            try shop.done("pack", "build/liechtenstein/1.0.0", "-o", "l.snpkg")
            try shop.done("unpack", "l.snpkg", "-o", "out", "--no-verify")
            let blob = try #require(shop.files(below: "channel").keys.first { $0.hasSuffix("style.tar.zst") })
            for (target, kind) in [
                ("channel", "channel"), ("channel/index.json", "channel index"),
                ("build/liechtenstein/1.0.0", "release"),
                ("l.snpkg", "snpkg"), ("out", "package directory"), ("out/manifest.json", "manifest"),
                ("channel/\(blob)", "blob"), ("out/valhalla", "Valhalla tile tree"),
                ("out/map.pmtiles", "PMTiles archive"),
                ("out/geocode", "search index"), ("out/style/", "map style"),
                ("out/poi.sqlite", "POI database"),
                ("keys/factory.key", "key"), ("keys/factory.pub", "key"),
            ] {
                let result = try shop.run("inspect", target)
                #expect(
                    result.status == 0 && result.standardOutput.hasPrefix("\(target): \(kind)"), "\(target): \(result)")
                #expect(try shop.object("inspect", target)["kind"] as? String == kind, "\(target)")
            }
        }
    }

    @Test func everyCommandAnswersInOneJSONObject() throws {
        try Workshop.open { shop in
            let commands: [(words: [String], key: String)] = [
                (["keygen", "--role", "region", "--out", "keys/region", "--no-passphrase"], "key_id"),
                (["build", "demo.json", "--version", "1.0.0"], "release"),
                (["sign", "build/demo/1.0.0", "--key", "keys/factory.key"], "signed"),
                (["publish", "build/demo/1.0.0", "--channel", "channel", "--key", "keys/factory.key"], "sequence"),
                (["verify", "channel", "--factory-key", "keys/factory.pub"], "ok"),
                (["verify", "build/demo/1.0.0", "--factory-key", "keys/factory.pub"], "ok"),
                (["list", "channel"], "territories"), (["inspect", "channel"], "kind"),
                (["pack", "build/demo/1.0.0", "-o", "demo.snpkg"], "bytes"),
                (["unpack", "demo.snpkg", "-o", "out", "--factory-key", "keys/factory.pub"], "verified"),
            ]
            for (words, key) in commands {
                let result = try shop.run(words + ["--json"])
                let object = try JSONSerialization.jsonObject(with: Data(result.output)) as? [String: Any]
                #expect(result.status == 0 && result.standardError == "" && object?[key] != nil, "\(words): \(result)")
            }
            // And fails in one.
            try FileManager.default.removeItem(at: shop.url("out/tree/b"))
            for (words, status) in [
                (["build", "none.json", "--version", "1.0.0"], Int32(4)),
                (["sign", "none", "--key", "keys/factory.key"], 4),
                (["publish", "none", "--channel", "channel", "--key", "keys/factory.key"], 4),
                (["verify", "none", "--factory-key", "keys/factory.pub"], 4), (["list", "none"], 4),
                (["inspect", "none"], 4),
                (["pack", "none", "-o", "x.snpkg"], 4), (["unpack", "none", "-o", "x", "--no-verify"], 4),
                (["pack", "build/demo/1.0.0", "-o", "no/dir/x.snpkg"], 4),
                (["unpack", "demo.snpkg", "-o", "out", "--no-verify"], 5),
            ] {
                let result = try shop.run(words + ["--json"])
                let object = try JSONSerialization.jsonObject(with: Data(result.output)) as? [String: Any]
                let error = object?["error"] as? [String: Any]
                #expect(
                    result.status == status && error?["code"] is String && error?["message"] is String,
                    "\(words): \(result)")
            }
            let faults = try shop.object("verify", "out", "--factory-key", "keys/factory.pub")
            #expect(faults["ok"] as? Bool == false && (faults["faults"] as? [Any])?.isEmpty == false)
        }
    }

    @Test func aJUnitReportTellsTheFaults() throws {
        try Workshop.open { shop in
            try shop.release("1.0.0")
            _ = try shop.verify("build/demo/1.0.0", "--junit", "good.xml")
            let blob = try #require(shop.files(below: "build/demo/1.0.0").keys.first { $0.hasSuffix(".zst") })
            try shop.remove("build/demo/1.0.0/\(blob)")
            #expect(try shop.verify("build/demo/1.0.0", "--junit", "bad.xml").status == 3)
            let script =
                "import sys, xml.etree.ElementTree as e; print(*[e.parse(n).getroot().get('failures') for n in sys.argv[1:]])"
            let read = try SystemTool.run("python3", ["-c", script, "good.xml", "bad.xml"], in: shop.root)
            #expect(read.standardOutput == "0 1\n", "\(read)")
        }
    }

    @Test func theVersionIsThereAtOnce() throws {
        // 20 ms on an idle machine; the fastest of several on one that is not.
        let fastest = try (0..<15).map { _ in try MeasuredRun(["--version"]).seconds }.min() ?? 1
        #expect(fastest < 0.1, "\(fastest) s")
    }
}
