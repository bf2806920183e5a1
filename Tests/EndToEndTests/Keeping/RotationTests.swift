import Foundation
import SnpackTestSupport
import Testing

/// A change of keys, from the first app that pins the new one to the last that pins the old.
@Suite struct RotationTests {
    @Test func bothTreesServeTheirAppsUntilTheOldKeyIsDropped() throws {
        try Workshop.withChannel(["1.0.0", "1.1.0"]) { shop in
            try shop.keep("refresh", "--valid-for", "30d")
            try shop.keep("yank", "demo@1.0.0", "--reason", "old")
            #expect(try shop.store("sync", "channel", "demo", root: "old-app").status == 0)
            #expect(try shop.store("sync", "channel", "demo", root: "app").status == 0)
            try shop.done("keygen", "--role", "factory", "--out", "keys/new", "--no-passphrase")
            let words = [
                "resign", "--channel", "channel", "--factory-key", "keys/factory.pub", "--key", "keys/new.key", "--out",
                "channel-2",
            ]
            try shop.done(words)
            #expect(try shop.isSound("channel-2", key: "keys/new.pub") && shop.isSound())
            let (old, new) = try (shop.index(), shop.index("channel-2"))
            #expect((old["territories"] as? NSArray) == (new["territories"] as? NSArray))
            #expect(try shop.sequence("channel-2") == shop.sequence() + 1 && new["expires_at"] is String)
            #expect(
                try shop.inode(shop.blob("note.txt", of: "1.1.0"))
                    == shop.inode(shop.blob("note.txt", of: "1.1.0", in: "channel-2")))
            let again = try shop.done(words)
            #expect(again.standardOutput.contains("nothing to do"))

            // The app that pins the new key, the old one retired, keeps what it has and goes on with the new tree.
            func app(_ words: String...) throws -> ToolResult {
                try shop.run(
                    ["store"] + words + [
                        "--root", "app", "--factory-key", "keys/new.pub", "--retired-key", "keys/factory.pub",
                    ])
            }
            #expect(try app("verify", "demo").status == 0)
            #expect(try app("sync", "channel", "demo").status == 3)
            #expect(try app("sync", "channel-2", "demo").status == 0)
            // Both trees go on.
            try shop.publishNote("1.2.0")
            #expect(try shop.store("sync", "channel", "demo", root: "old-app").status == 0)
            #expect(try shop.installed(root: "old-app")["version"] as? String == "1.2.0")
            try shop.done(words)
            #expect(try app("sync", "channel-2", "demo").status == 0)
            // The old key is dropped: what the new one signed is all there is.
            try shop.remove("channel")
            let after = try shop.run(["store", "verify", "demo", "--root", "app", "--factory-key", "keys/new.pub"])
            #expect(after.status == 0, "\(after)")
            #expect(try shop.isSound("channel-2", key: "keys/new.pub"))
        }
    }

    @Test func oneTreeCarriesBothSignaturesUntilTheOldKeyIsDropped() throws {
        try Workshop.withChannel(["1.0.0", "1.1.0"]) { shop in
            #expect(try shop.store("install", "channel", "demo@1.0.0", root: "old-app").status == 0)
            #expect(try shop.store("install", "channel", "demo@1.0.0", root: "app").status == 0)
            try shop.done("keygen", "--role", "factory", "--out", "keys/new", "--no-passphrase")
            func app(_ words: String..., endsWith status: Int32 = 0) throws {
                let result = try shop.run(
                    ["store"] + words + [
                        "--root", "app", "--factory-key", "keys/new.pub", "--retired-key", "keys/factory.pub",
                    ])
                #expect(result.status == status, "\(words): \(result)")
            }
            try app("sync", "channel", "demo", endsWith: 3)
            // Manifests first, then an index that both keys sign.
            for version in ["1.0.0", "1.1.0"] {
                let manifest = "channel/territories/demo/\(version)/manifest.json"
                for _ in 0..<2 { try shop.done("sign", manifest, "--add", "--key", "keys/new.key") }
                #expect(try shop.read(manifest + ".sig").split(separator: 0x0A).count == 2, "once each")
            }
            try shop.done("refresh", "--channel", "channel", "--stage", "--factory-key", "keys/factory.pub")
            try shop.done("sign", "channel/.snpack/staged/index.json", "--key", "keys/factory.key")
            try shop.done("sign", "channel/.snpack/staged/index.json", "--add", "--key", "keys/new.key")
            try shop.done("publish", "--commit", "--channel", "channel", "--factory-key", "keys/factory.pub")
            #expect(try shop.isSound() && shop.isSound(key: "keys/new.pub"))
            try app("sync", "channel", "demo")
            #expect(try shop.store("sync", "channel", "demo", root: "old-app").status == 0)
            #expect(try shop.installed(root: "old-app")["version"] as? String == "1.1.0")
            // A mirror carries both.
            try shop.done("mirror", "channel", "mirror", "--factory-key", "keys/new.pub")
            #expect(try shop.isSound("mirror") && shop.isSound("mirror", key: "keys/new.pub"))
            // The old key is dropped: the next index is the new one's alone.
            try shop.write("note.txt", "by the new key")
            try shop.done("build", "demo.json", "--version", "1.2.0")
            try shop.done("sign", "build/demo/1.2.0", "--key", "keys/new.key")
            try shop.done("publish", "build/demo/1.2.0", "--channel", "channel", "--key", "keys/new.key")
            try app("sync", "channel", "demo")
            #expect(try shop.isSound(key: "keys/new.pub"))
            #expect(try shop.store("sync", "channel", "demo", root: "old-app").status == 3)
            #expect(try shop.store("verify", "demo", root: "old-app").status == 0, "what it has stays")
        }
    }

    @Test func aFifthSignatureIsRefused() throws {
        try Workshop.open { shop in
            try shop.release("1.0.0")
            for number in 2...5 {
                try shop.done("keygen", "--role", "factory", "--out", "keys/\(number)", "--no-passphrase")
                let result = try shop.run(["sign", "build/demo/1.0.0", "--add", "--key", "keys/\(number).key"])
                #expect(result.status == (number < 5 ? 0 : 3), "\(result)")
            }
            for key in ["factory", "2", "3", "4"] {
                #expect(try shop.run(["verify", "build/demo/1.0.0", "--factory-key", "keys/\(key).pub"]).status == 0)
            }
        }
    }

    @Test func aDamagedChannelIsNotSignedAgain() throws {
        try Workshop.withChannel(["1.0.0"]) { shop in
            try shop.done("keygen", "--role", "factory", "--out", "keys/new", "--no-passphrase")
            try shop.done("keygen", "--role", "region", "--out", "keys/region", "--no-passphrase")
            let rest = ["--channel", "channel", "--factory-key", "keys/factory.pub", "--out", "channel-2"]
            let region = try shop.run(["resign", "--key", "keys/region.key"] + rest)
            #expect(region.status == 2 && region.standardError.contains("[signer.wrong-role]"), "\(region)")
            let inPlace = try shop.run(["resign", "--key", "keys/new.key"] + rest.dropLast() + ["channel"])
            #expect(inPlace.status == 2, "\(inPlace)")
            let path = try shop.blob("note.txt", of: "1.0.0")
            try shop.write(path, try shop.read(path).dropLast(1) + [1])
            let damaged = try shop.run(["resign", "--key", "keys/new.key"] + rest)
            #expect(damaged.status == 3 && !shop.exists("channel-2/index.signed"), "\(damaged)")
        }
    }
}
