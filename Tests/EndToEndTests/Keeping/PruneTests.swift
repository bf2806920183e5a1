import Foundation
import SnpackTestSupport
import Testing

/// `prune`: out of the index first, files after the grace time, and nothing that is somebody else's.
@Suite struct PruneTests {
    private func prune(_ shop: Workshop, _ words: String...) throws -> [String: Any] {
        let result = try shop.run(
            ["prune"] + words + ["--channel", "channel", "--key", "keys/factory.key", "--json"])
        #expect(result.status == 0, "\(result)")
        return try #require(JSONSerialization.jsonObject(with: Data(result.output)) as? [String: Any])
    }

    private func names(_ object: [String: Any], _ key: String) -> [String] { object[key] as? [String] ?? [] }

    @Test func versionsLeaveTheIndexAndTheirFilesFollow() throws {
        try Workshop.withChannel(["1.0.0", "1.1.0", "1.2.0", "1.3.0"]) { shop in
            let before = try shop.files(below: "channel")
            let rehearsal = try prune(shop, "--keep", "2", "--dry-run")
            #expect(names(rehearsal, "dropped") == ["demo@1.1.0", "demo@1.0.0"])
            #expect(try shop.files(below: "channel") == before)
            let told = try shop.keep("prune", "--keep", "2", "--dry-run").standardOutput
            let won = try #require(rehearsal["bytes_won"] as? Int)
            #expect(
                told.contains("demo@1.0.0 would leave the index") && told.contains(" would be won"), "\(told), \(won)")

            let first = try prune(shop, "--keep", "2")
            #expect(names(first, "dropped") == ["demo@1.1.0", "demo@1.0.0"] && names(first, "deleted") == [])
            #expect((first["waiting"] as? [Any])?.count == 2)
            #expect(try shop.versions() == ["1.3.0", "1.2.0"] && shop.isSound())
            #expect(shop.exists("channel/territories/demo/1.0.0/manifest.json"), "clients may be in the middle of it")

            let sequence = try shop.sequence()
            let second = try prune(shop, "--keep", "2", "--grace", "0s")
            #expect(names(second, "deleted").sorted() == ["demo@1.0.0", "demo@1.1.0"])
            #expect(try shop.sequence() == sequence, "nothing to sign")
            #expect(!shop.exists("channel/territories/demo/1.0.0") && !shop.exists("channel/territories/demo/1.1.0"))
            #expect(try shop.isSound())
            // The tree is one file of all versions, so only notes and documents were won, as foretold.
            #expect(second["bytes_won"] as? Int == rehearsal["bytes_won"] as? Int)
            #expect(try #require(second["bytes_won"] as? Int) > 0)
        }
    }

    @Test func theLatestAndWithdrawnVersionsAboveTheOldestKeptStay() throws {
        try Workshop.withChannel(["1.0.0", "1.1.0", "1.2.0", "1.3.0"]) { shop in
            try shop.keep("yank", "demo@1.3.0", "--reason", "bad")
            try shop.keep("latest", "demo@1.0.0")
            _ = try prune(shop, "--keep", "1")
            #expect(try shop.versions() == ["1.3.0", "1.2.0", "1.0.0"] && shop.isSound())
        }
    }

    @Test func aStoreAtTheOldestKeptVersionStillHasItsChainOfPatches() throws {
        try Workshop.open { shop in
            let seed = UInt64.random(in: 0...UInt64.max)
            var random = SplitMix(seed: seed)
            var tree = random.bytes(200_000)
            for version in ["1.0.0", "1.1.0", "1.2.0", "1.3.0"] {
                tree[Int.random(in: 0..<tree.count, using: &random)] ^= 1
                try shop.write("tree/b", tree)
                let words = ["build", "demo.json", "--version", version]
                // Each version has a patch from the one before and from no other.
                try shop.done(words + (version == "1.0.0" ? [] : ["--patch-from", "last"]))
                try shop.done("sign", "build/demo/\(version)", "--key", "keys/factory.key")
                try shop.publish(version)
                if shop.exists("last") { try shop.remove("last") }
                try shop.copy("build/demo/\(version)", to: "last")
            }
            for version in ["1.0.0", "1.1.0"] {
                #expect(try shop.store("install", "channel", "demo@\(version)", root: version).status == 0)
            }
            #expect(names(try prune(shop, "--keep", "3", "--grace", "0s"), "deleted") == ["demo@1.0.0"])
            let kept = try shop.object(
                "store", "sync", "channel", "demo", "--root", "1.1.0", "--factory-key", "keys/factory.pub")
            #expect(kept["layers_patched"] as? Int == 1 && kept["layers_fetched"] as? Int == 0, "seed \(seed): \(kept)")
            #expect(try #require(kept["bytes_downloaded"] as? Int) < 20_000, "seed \(seed): \(kept)")
            // One at the version that is gone goes by the patches that are left.
            let left = try shop.object(
                "store", "sync", "channel", "demo", "--root", "1.0.0", "--factory-key", "keys/factory.pub")
            #expect(
                left["outcome"] as? String == "updated" && left["layers_patched"] as? Int == 1, "seed \(seed): \(left)")
        }
    }

    @Test func whatCannotBeReadStays() throws {
        try Workshop.withChannel(["1.0.0", "1.1.0", "1.2.0"]) { shop in
            try shop.write("channel/territories/demo/1.0.0/manifest.json", "{}")
            let result = try prune(shop, "--keep", "1", "--grace", "0s")
            #expect(names(result, "dropped") == ["demo@1.1.0"] && names(result, "deleted") == ["demo@1.1.0"])
            #expect(try shop.versions() == ["1.2.0", "1.0.0"])
        }
    }

    @Test func foreignFilesStayAndAreNamed() throws {
        try Workshop.withChannel(["1.0.0", "1.1.0"]) { shop in
            try shop.write("channel/territories/demo/1.0.0/letter.txt", "mine")
            try shop.write("channel/territories/notes.txt", "mine")
            try shop.write("channel/territories/demo/not-a-version/file", "mine")
            try shop.write("channel/territories/other/1.0.0/manifest.json", "{}")
            let result = try shop.run([
                "prune", "--keep", "1", "--grace", "0s", "--channel", "channel", "--key", "keys/factory.key",
            ])
            #expect(result.status == 0 && result.standardError.contains("letter.txt"), "\(result)")
            #expect(shop.exists("channel/territories/demo/1.0.0/letter.txt"))
            for kept in ["notes.txt", "demo/not-a-version/file", "other/1.0.0/manifest.json"] {
                #expect(shop.exists("channel/territories/\(kept)"))
            }
            #expect(try shop.isSound())
        }
    }

    @Test func whatIsStagedOrWasLeftByAKilledPublishIsToldApart() throws {
        try Workshop.withChannel(["1.0.0"]) { shop in
            try shop.write("note.txt", "staged")
            try shop.release("2.0.0")
            try shop.done(
                "publish", "build/demo/2.0.0", "--channel", "channel", "--stage", "--factory-key", "keys/factory.pub")
            try shop.copy("channel/territories/demo/1.0.0", to: "channel/territories/demo/0.9.0")
            try shop.remove("channel/territories/demo/0.9.0/manifest.json")
            try shop.remove("channel/territories/demo/0.9.0/manifest.json.sig")
            let result = try prune(shop, "--keep", "5", "--grace", "0s")
            #expect(names(result, "deleted") == ["demo@0.9.0"])
            #expect(shop.exists("channel/territories/demo/2.0.0/manifest.json"), "it waits for its signature")
            try shop.done("sign", "channel/.snpack/staged/index.json", "--key", "keys/factory.key")
            try shop.done("publish", "--commit", "--channel", "channel", "--factory-key", "keys/factory.pub")
            #expect(try shop.versions() == ["2.0.0", "1.0.0"] && shop.isSound())
        }
    }
}
