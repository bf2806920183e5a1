import Foundation
import SnpackTestSupport
import Testing

/// `yank`, `unyank`, `latest`, `refresh` and `republish`.
@Suite struct KeepingTests {
    @Test func whatIsYankedIsFlaggedAndNotInstalledAnyMore() throws {
        try Workshop.withChannel(["1.0.0", "1.1.0"]) { shop in
            #expect(try shop.store("sync", "channel", "demo").status == 0)
            try shop.keep("yank", "demo@1.1.0", "--reason", "a bridge is missing")
            #expect(try shop.latest() == "1.0.0" && shop.isSound())
            let synced = try shop.store("sync", "channel", "demo")
            #expect(
                synced.status == 5 && synced.standardError.contains("[version.older]"), "nobody goes back: \(synced)")
            let installed = try shop.installed()
            #expect(installed["version"] as? String == "1.1.0")
            #expect(installed["yanked"] as? String == "a bridge is missing")
            #expect(try shop.store("install", "channel", "demo", root: "fresh").status == 0)
            #expect(try shop.installed(root: "fresh")["version"] as? String == "1.0.0")
            #expect(try shop.store("install", "channel", "demo@1.1.0", root: "fresh").status == 5)

            let listed = try shop.done("list", "channel").standardOutput
            #expect(listed.contains("a bridge is missing"), "\(listed)")

            let sequence = try shop.sequence()
            let again = try shop.keep("yank", "demo@1.1.0", "--reason", "a bridge is missing")
            #expect(try shop.sequence() == sequence && again.standardOutput.contains("nothing to do"))
            try shop.keep("unyank", "demo@1.1.0")
            #expect(try shop.latest() == "1.1.0" && shop.sequence() == sequence + 1 && shop.isSound())
        }
    }

    @Test func whenAllAreYankedTheGreatestStaysListedAsLatest() throws {
        try Workshop.withChannel(["1.0.0", "1.1.0"]) { shop in
            for version in ["1.1.0", "1.0.0"] { try shop.keep("yank", "demo@\(version)", "--reason", "bad") }
            #expect(try shop.latest() == "1.1.0" && shop.isSound())
            try shop.keep("unyank", "demo@1.0.0")
            #expect(try shop.latest() == "1.0.0" && shop.isSound())
        }
    }

    @Test func aChosenLatestSurvivesWithdrawalsOfOthers() throws {
        try Workshop.withChannel(["1.0.0", "1.1.0", "1.2.0"]) { shop in
            try shop.keep("latest", "demo@1.0.0")
            #expect(try shop.latest() == "1.0.0" && shop.isSound())
            try shop.keep("yank", "demo@1.2.0", "--reason", "bad")
            #expect(try shop.latest() == "1.0.0")
            try shop.keep("unyank", "demo@1.2.0")
            #expect(try shop.latest() == "1.0.0")
            try shop.keep("yank", "demo@1.1.0", "--reason", "bad")
            let words = ["latest", "demo@1.1.0", "--channel", "channel", "--key", "keys/factory.key"]
            let refused = try shop.run(words)
            #expect(refused.status == 5 && refused.standardError.contains("[channel.latest-yanked]"), "\(refused)")
        }
    }

    @Test func refreshMovesTheSequenceAndTheTimesAlone() throws {
        try Workshop.withChannel(["1.0.0"]) { shop in
            let before = try shop.index()
            try shop.keep("refresh", "--valid-for", "2d")
            let after = try shop.index()
            #expect(after["sequence"] as? Int == 2 && after["expires_at"] is String)
            #expect((after["territories"] as? NSArray) == (before["territories"] as? NSArray))
            try shop.keep("refresh")
            #expect(try shop.index()["expires_at"] is String && shop.sequence() == 3 && shop.isSound())
            try FileManager.default.createDirectory(at: shop.url("nothing"), withIntermediateDirectories: false)
            try shop.fails(
                3, "package.file-missing", "refresh", "--channel", "nothing", "--key", "keys/factory.key", "--state",
                "s")
            #expect(try FileManager.default.contentsOfDirectory(atPath: shop.url("nothing").path) == [])
        }
    }

    @Test func republishedContentComesBackUnderAHigherVersionWithoutACopy() throws {
        try Workshop.withChannel(["1.0.0", "1.1.0"]) { shop in
            #expect(try shop.store("sync", "channel", "demo").status == 0)
            try shop.keep("yank", "demo@1.1.0", "--reason", "bad")
            try shop.keep("republish", "demo@1.0.0", "--as", "1.2.0")
            #expect(try shop.latest() == "1.2.0" && shop.isSound())
            let (old, new) = try (shop.blob("note.txt", of: "1.0.0"), shop.blob("note.txt", of: "1.2.0"))
            #expect(try shop.inode(old) == shop.inode(new))
            #expect(try shop.store("sync", "channel", "demo").status == 0)
            #expect(try shop.installed()["version"] as? String == "1.2.0")

            let sequence = try shop.sequence()
            try shop.keep("republish", "demo@1.0.0", "--as", "1.2.0")
            #expect(try shop.sequence() == sequence)
            let rest = ["--channel", "channel", "--key", "keys/factory.key"]
            for (version, code) in [("1.1.5", "version.too-low"), ("1.1.0", "version.too-low")] {
                let refused = try shop.run(["republish", "demo@1.0.0", "--as", version] + rest)
                #expect(refused.status == 5 && refused.standardError.contains(code), "\(refused)")
            }
            #expect(shop.leftovers() == [])
        }
    }

    @Test func badWordsChangeNothing() throws {
        try Workshop.withChannel(["1.0.0"]) { shop in
            let before = try shop.files(below: "channel")
            let rest = ["--channel", "channel", "--key", "keys/factory.key"]
            for (status, words) in [
                (4, ["yank", "demo@2.0.0", "--reason", "x"]), (4, ["unyank", "other@1.0.0"]),
                (2, ["yank", "demo@1.0.0"]),
                (2, ["yank", "demo@1.0.0", "--reason", ""]), (2, ["yank", "demo", "--reason", "x"]),
                (2, ["yank", "demo@1.0.0", "--reason", "a\u{202E}b"]), (4, ["latest", "demo@0.1.0"]),
                (4, ["republish", "demo@3.0.0", "--as", "4.0.0"]), (2, ["republish", "demo@1.0.0", "--as", "four"]),
                (2, ["prune", "--keep", "0"]), (2, ["prune"]), (2, ["refresh", "--valid-for", "soon"]),
            ] as [(Int32, [String])] {
                let result = try shop.run(words + rest)
                #expect(result.status == status, "\(words): \(result)")
                #expect(result.output.isEmpty)
            }
            // Another's key is not this channel's.
            try shop.done("keygen", "--role", "factory", "--out", "keys/other", "--no-passphrase")
            let other = try shop.run([
                "yank", "demo@1.0.0", "--reason", "x", "--channel", "channel", "--key", "keys/other.key",
            ])
            #expect(other.status == 3, "\(other)")
            #expect(try shop.files(below: "channel") == before)
        }
    }

    @Test func everyChangeCanBeStagedAndSignedElsewhere() throws {
        try Workshop.withChannel(["1.0.0", "1.1.0"]) { shop in
            let staging = ["--channel", "channel", "--stage", "--factory-key", "keys/factory.pub"]
            for (words, latest) in [
                (["yank", "demo@1.1.0", "--reason", "bad"], "1.0.0"), (["unyank", "demo@1.1.0"], "1.1.0"),
                (["latest", "demo@1.0.0"], "1.0.0"), (["refresh", "--valid-for", "9d"], "1.0.0"),
            ] {
                let (live, sequence) = try (shop.latest(), shop.sequence())
                try shop.done(words + staging)
                #expect(try shop.latest() == live && shop.sequence() == sequence, "not before it is signed")
                try shop.done("sign", "channel/.snpack/staged/index.json", "--key", "keys/factory.key")
                try shop.done("publish", "--commit", "--channel", "channel", "--factory-key", "keys/factory.pub")
                #expect(try shop.latest() == latest && shop.sequence() == sequence + 1 && shop.isSound())
            }
        }
    }
}
