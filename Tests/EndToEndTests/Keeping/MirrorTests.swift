import Foundation
import SnpackTestSupport
import Testing

/// `mirror`, and the recipe with rsync.
@Suite struct MirrorTests {
    private func mirror(_ shop: Workshop, _ source: String = "channel", _ more: String...) throws -> [String: Any] {
        let words = ["mirror", source, "mirror", "--factory-key", "keys/factory.pub", "--json"] + more
        let result = try shop.run(words)
        #expect(result.status == 0, "\(result)")
        return try #require(JSONSerialization.jsonObject(with: Data(result.output)) as? [String: Any])
    }

    @Test func carriesEverythingOnceAndKeepsTheSignatures() throws {
        try Workshop.withChannel(["1.0.0", "1.1.0"]) { shop in
            let first = try mirror(shop)
            #expect(first["files_copied"] as? Int == 3, "the tree of both versions is one file")
            let (here, there) = try (shop.files(below: "channel"), shop.files(below: "mirror"))
            #expect(here.filter { !$0.key.hasPrefix(".snpack") } == there.filter { !$0.key.hasPrefix(".snpack") })
            #expect(try shop.isSound("mirror"))
            let again = try mirror(shop)
            #expect(again["files_copied"] as? Int == 0 && again["changed"] as? Bool == false)
            try shop.publishNote("1.2.0")
            let next = try mirror(shop)
            #expect(next["changed"] as? Bool == true && next["files_copied"] as? Int == 1)
            #expect(try shop.isSound("mirror") && shop.leftovers() == [])
        }
    }

    @Test func theCatalogueIsOfWhatIsCarriedAndNeverTheSources() throws {
        try Workshop.withChannel(["1.0.0", "1.1.0"]) { shop in
            let page = String(decoding: try shop.read("channel/index.html"), as: UTF8.self)
            try shop.write("channel/index.html", page.replacing("<main>", with: "<main>Not the publisher's"))
            _ = try mirror(shop, "channel", "--latest-only")
            let text = String(decoding: try shop.read("mirror/index.html"), as: UTF8.self)
            #expect(!text.contains("Not the publisher's") && text.contains(#""demo@1.0.0""#))
            _ = try mirror(shop)
            #expect(String(decoding: try shop.read("mirror/index.html"), as: UTF8.self) == page)
        }
    }

    @Test func olderAndForkedSourcesAreRefused() throws {
        try Workshop.withChannel(["1.0.0"]) { shop in
            try shop.copy("channel", to: "old")
            try shop.publishNote("1.1.0")
            _ = try mirror(shop)
            let before = try shop.files(below: "mirror")
            let key = ["--factory-key", "keys/factory.pub"]
            let older = try shop.run(["mirror", "old", "mirror"] + key)
            #expect(older.status == 3 && older.standardError.contains("[index.rolled-back]"), "\(older)")
            try shop.done("refresh", "--channel", "old", "--key", "keys/factory.key", "--state", "second")
            let forked = try shop.run(["mirror", "old", "mirror"] + key)
            #expect(forked.status == 3 && forked.standardError.contains("[index.forked]"), "\(forked)")
            #expect(try shop.files(below: "mirror") == before)
        }
    }

    @Test func aPartIsPartialAndGrows() throws {
        try Workshop.withChannel(["1.0.0", "1.1.0"]) { shop in
            let part = try mirror(shop, "channel", "--latest-only")
            #expect(part["absent"] as? Int == 1 && part["releases"] as? Int == 1)
            let key = ["--factory-key", "keys/factory.pub"]
            #expect(try shop.run(["verify", "mirror"] + key).status == 3)
            #expect(try shop.run(["verify", "mirror", "--partial"] + key).status == 0)
            #expect(try shop.store("sync", "mirror", "demo").status == 0)
            #expect(try mirror(shop, "channel", "--territory", "demo")["absent"] as? Int == 0)
            #expect(try shop.isSound("mirror"))
            let unknown = try shop.run(["mirror", "channel", "mirror", "--territory", "elsewhere"] + key)
            #expect(unknown.status == 4, "\(unknown)")
        }
    }

    @Test func onlyTheTerritoriesThatWereAskedForAreCarried() throws {
        try Workshop.withChannel(["1.0.0"]) { shop in
            for id in ["east", "west"] {
                try shop.define(id)
                try shop.release("1.0.0", of: id)
                try shop.done(
                    "publish", "build/\(id)/1.0.0", "--channel", "channel", "--key", "keys/factory.key")
            }
            let part = try mirror(shop, "channel", "--territory", "east", "--territory", "west")
            #expect(part["releases"] as? Int == 2 && part["absent"] as? Int == 1)
            #expect(
                !shop.exists("mirror/territories/demo") && shop.exists("mirror/territories/west/1.0.0/manifest.json"))
            #expect(try shop.isSound("mirror", "--partial"))
            #expect(
                try shop.read("mirror/index.signed") == shop.read("channel/index.signed"), "the index is the whole one")
            let missing = try shop.store("sync", "mirror", "demo")
            #expect(
                missing.status == 3 && missing.standardError.contains("a partial mirror may not have it"), "\(missing)")
        }
    }

    @Test(.enabled(if: NginxServer.isInstalled, "needs nginx (Debian: nginx-light)"))
    func aHalfFetchedFileIsGoneOnWithByARange() throws {
        try Workshop.withChannel(["1.0.0"]) { shop in
            let path = try shop.blob("note.txt", of: "1.0.0")
            let bytes = try shop.read(path)
            let digest = try SystemTool.run("b3sum", ["--no-names", shop.url(path).path]).standardOutput
                .trimmingCharacters(in: .newlines)
            let held = bytes.count / 2
            try shop.write("mirror/.snpack/staging/\(digest).part", Array(bytes.prefix(held)))
            let server = try NginxServer(root: shop.url("channel"))
            defer { server.stop() }
            _ = try mirror(shop, server.url(""))
            let requests = server.accessLog.filter { $0.contains("note.txt.tar.zst") && $0.contains("GET ") }
            #expect(requests.count == 1 && requests[0].contains(" 206 \(bytes.count - held) "), "\(requests)")
            #expect(try shop.isSound("mirror"))
        }
    }

    @Test func aChannelIsNotItsOwnMirror() throws {
        try Workshop.withChannel(["1.0.0"]) { shop in
            try FileManager.default.createSymbolicLink(at: shop.url("link"), withDestinationURL: shop.url("channel"))
            let before = try shop.files(below: "channel")
            for target in [
                "channel", "link", "./channel/", "channel/territories", "channel/new", "link/a/b", "channel/x/../y",
            ] {
                try shop.fails(
                    2, "mirror.of-itself", "mirror", "channel", target, "--factory-key", "keys/factory.pub")
                try shop.fails(
                    2, "usage.invalid-value", "resign", "--channel", "channel", "--factory-key", "keys/factory.pub",
                    "--key", "keys/factory.key", "--out", target)
            }
            #expect(try shop.files(below: "channel") == before)
        }
    }

    @Test func damageAtTheSourceLeavesTheMirrorAsItWas() throws {
        try Workshop.withChannel(["1.0.0"]) { shop in
            _ = try mirror(shop)
            try shop.publishNote("1.1.0")
            let before = try shop.files(below: "mirror").filter { $0.key.hasPrefix("index") }
            let path = try shop.blob("note.txt", of: "1.1.0")
            let good = try shop.read(path)
            var bad = good
            bad[bad.count / 2] ^= 1
            try shop.write(path, bad)
            let words = ["mirror", "channel", "mirror", "--factory-key", "keys/factory.pub"]
            let refused = try shop.run(words)
            #expect(refused.status == 3 && refused.standardError.contains("[blob.mismatch]"), "\(refused)")
            #expect(try shop.files(below: "mirror").filter { $0.key.hasPrefix("index") } == before)
            try shop.write(path, good)
            #expect(try shop.run(words).status == 0)
            #expect(try shop.isSound("mirror") && shop.leftovers() == [])
        }
    }

    @Test func aHalfFetchedFileIsGoneOnWithAndProven() throws {
        try Workshop.withChannel(["1.0.0"]) { shop in
            let path = try shop.blob("note.txt", of: "1.0.0")
            let bytes = try shop.read(path)
            let digest = try SystemTool.run("b3sum", ["--no-names", shop.url(path).path]).standardOutput
                .trimmingCharacters(in: .newlines)
            let part = "mirror/.snpack/staging/\(digest).part"
            for start in [Array(bytes.prefix(bytes.count / 2)), Array(repeating: 7, count: 20), bytes + [0]] {
                try? shop.remove("mirror")
                try shop.write(part, start)
                let words = ["mirror", "channel", "mirror", "--factory-key", "keys/factory.pub"]
                let first = try shop.run(words)
                // A part that is not the file's beginning is found out, thrown away, and fetched anew by the next run.
                if first.status != 0 { #expect(try shop.run(words).status == 0, "\(first)") }
                #expect(try shop.isSound("mirror") && !shop.exists(part))
            }
        }
    }

    @Test(.enabled(if: NginxServer.isInstalled, "needs nginx (Debian: nginx-light)"))
    func carriesFromAWebServer() throws {
        try Workshop.withChannel(["1.0.0", "1.1.0"]) { shop in
            let server = try NginxServer(root: shop.url("channel"))
            defer { server.stop() }
            #expect(try mirror(shop, server.url(""))["files_copied"] as? Int == 3)
            #expect(try shop.isSound("mirror"))
            let key = ["--factory-key", "keys/factory.pub"]
            let missing = try shop.run(["mirror", server.url("/nowhere"), "elsewhere"] + key)
            #expect(missing.status == 4 && !shop.exists("elsewhere"), "\(missing)")
        }
    }

    @Test(.enabled(if: Programs.has("rsync"), "needs rsync (Debian: rsync)"))
    func theRecipeWithRsyncMakesASoundMirror() throws {
        try Workshop.withChannel(["1.0.0"]) { shop in
            let script = ProjectFiles.root.appending(path: "scripts/mirror-rsync").path
            for version in ["1.1.0", "1.2.0"] {
                let result = try SystemTool.run(script, ["channel", "copy"], in: shop.root)
                #expect(result.status == 0, "\(result)")
                #expect(try shop.isSound("copy") && !shop.exists("copy/.snpack"))
                for name in ["index.html", "catalogue.json", "catalogue.geojson"] {
                    #expect(try shop.read("copy/\(name)") == shop.read("channel/\(name)"))
                }
                try shop.publishNote(version)
                // Published within the second, with signatures of the same size.
                for name in ["index.json", "index.json.sig", "index.signed"] {
                    let time = [FileAttributeKey.modificationDate: Date(timeIntervalSince1970: 1_700_000_000)]
                    try FileManager.default.setAttributes(time, ofItemAtPath: shop.url("channel/\(name)").path)
                }
            }
        }
    }
}
