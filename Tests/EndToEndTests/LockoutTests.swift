import Foundation
import SnpackTestSupport
import Testing

/// The way out of every lockout of the promise, as the command lines that a person types.
@Suite struct LockoutTests {
    /// A journey whose `channel` has 1.0.0 of `test`, and `old`, a copy of it that stays behind.
    private func withChannel(_ body: (Journey) throws -> Void) throws {
        try ProjectFiles.inTemporaryDirectory { directory in
            let journey = try Journey(in: directory)
            try journey.buildSmall("1.0.0")
            try publish(journey, "1.0.0")
            try FileManager.default.copyItem(at: journey.place("channel"), to: journey.place("old"))
            try body(journey)
        }
    }

    private func publish(_ journey: Journey, _ version: String) throws {
        try journey.run("publish", "build/test/\(version)", "--channel", "channel", "--key", journey.key + ".key")
    }

    private func mark(_ journey: Journey) throws -> [String: Any] {
        let bytes = try Data(contentsOf: journey.place("store/channels/main/mark.json"))
        return try #require(JSONSerialization.jsonObject(with: bytes) as? [String: Any])
    }

    @Test func anExpiredChannelInstallsIfAllowedAndFromPackages() throws {
        try ProjectFiles.inTemporaryDirectory { directory in
            let journey = try Journey(in: directory)
            try journey.buildSmall("1.0.0")
            try journey.run(
                "publish", "build/test/1.0.0", "--channel", "channel", "--key", journey.key + ".key", "--valid-for",
                "1s")
            Thread.sleep(forTimeInterval: 2.1)
            try journey.store("sync", "channel", "test", endsWith: 3, code: "index.expired")
            #expect(try journey.version() == nil)
            let checked = try journey.json("check", "channel", "test")
            #expect((checked["index"] as? [String: Any])?["freshness"] as? String == "expired")

            try journey.run("pack", "build/test/1.0.0", "-o", "test.snpkg")
            let packed = try SnpackProcess.run(
                journey.storeWords(["install", "test.snpkg"], root: "other"), in: directory)
            #expect(packed.status == 0, "\(packed)")

            try journey.store("sync", "channel", "test", "--allow-expired")
            // What is installed never looks at it.
            try journey.store("verify", "test")
            try journey.store("repair", "test")
            #expect(try journey.version() == "1.0.0")

            try journey.run("refresh", "--channel", "channel", "--key", journey.key + ".key", "--valid-for", "30d")
            try journey.store("sync", "channel", "test")
            let refreshed = try journey.json("check", "channel", "test")
            #expect((refreshed["index"] as? [String: Any])?["freshness"] as? String == "fresh")
        }
    }

    @Test func aMirrorThatIsBehindIsTakenOnceAndTheMarkStays() throws {
        try withChannel { journey in
            try journey.buildSmall("1.1.0")
            try publish(journey, "1.1.0")
            // A store that has only seen the newer index.
            try journey.store("check", "channel", "test")
            let before = try mark(journey)
            #expect(before["sequence"] as? Int == 2)
            let refused = try journey.store("sync", "old", "test", endsWith: 3, code: "index.rolled-back")
            #expect(refused.standardError.contains("--allow-older-index"))
            try journey.store("sync", "old", "test", "--allow-older-index")
            #expect(try journey.version() == "1.0.0")
            #expect(try mark(journey) as NSDictionary == before as NSDictionary)
            // One command: the next is refused again.
            try journey.store("sync", "old", "test", endsWith: 3, code: "index.rolled-back")
            // And it takes nobody back to an older version.
            try journey.store("sync", "channel", "test")
            try journey.store("sync", "old", "test", "--allow-older-index", endsWith: 5, code: "version.older")
            #expect(try journey.version() == "1.1.0")
        }
    }

    @Test func aLostBuildHostGoesOnFromTheLiveIndex() throws {
        try withChannel { journey in
            try journey.store("sync", "channel", "test")
            // Another machine: the key's backup, the channel as it is online, and no state of the signer.
            let rescued = journey.place("rescued")
            try FileManager.default.createDirectory(at: rescued, withIntermediateDirectories: true)
            for name in ["factory.key", "factory.pub"] {
                try FileManager.default.copyItem(
                    at: journey.place("keys/\(name)"), to: rescued.appending(path: name))
            }
            try FileManager.default.moveItem(at: journey.place("keys"), to: journey.place("lost"))
            try FileManager.default.moveItem(at: journey.place("rescued"), to: journey.place("keys"))
            try journey.buildSmall("1.1.0")
            try publish(journey, "1.1.0")
            try journey.store("sync", "channel", "test")
            #expect(try journey.version() == "1.1.0" && mark(journey)["sequence"] as? Int == 2)
        }
    }

    @Test func aLostChannelStartsAboveEveryMark() throws {
        try withChannel { journey in
            try journey.buildSmall("1.1.0")
            try publish(journey, "1.1.0")
            try journey.store("sync", "channel", "test")
            for lost in ["channel", "build/test/1.0.0"] {
                try FileManager.default.removeItem(at: journey.place(lost))
            }
            for name in try FileManager.default.contentsOfDirectory(atPath: journey.place("keys").path)
            where !name.hasSuffix(".key") && !name.hasSuffix(".pub") {
                try FileManager.default.removeItem(at: journey.place("keys/\(name)"))
            }
            try journey.buildSmall("1.2.0")
            // From one on, stores would take it for an attack.
            try journey.run(
                "publish", "build/test/1.2.0", "--channel", "young", "--key", journey.key + ".key", "--state", "s1")
            try journey.store("sync", "young", "test", endsWith: 3, code: "index.rolled-back")
            let result = try SystemTool.run(
                "bash",
                [
                    "-c", #""$0" publish build/test/1.2.0 --channel channel --key "$1" --sequence "$(date +%s)""#,
                    SnpackProcess.path, journey.key + ".key",
                ], in: journey.directory)
            #expect(result.status == 0, "\(result)")
            try journey.store("sync", "channel", "test")
            #expect(try journey.version() == "1.2.0")
            #expect(try #require(mark(journey)["sequence"] as? Int) > 1_700_000_000)
        }
    }

    @Test func aRotatedKeyKeepsWhatIsInstalledAndRefusesItsPredecessor() throws {
        try withChannel { journey in
            try journey.buildSmall("1.1.0")
            try publish(journey, "1.1.0")
            // The thief of the old key has led the store far ahead.
            try journey.run(
                "publish", "build/test/1.0.0", "--channel", "thief", "--key", journey.key + ".key", "--sequence",
                "900000", "--state", "thief.state")
            try journey.store("sync", "thief", "test")
            try journey.store("sync", "channel", "test", endsWith: 3, code: "index.rolled-back")

            try journey.run("keygen", "--role", "factory", "--out", "new/factory", "--no-passphrase")
            func store(_ words: String..., endsWith status: Int32, code: String? = nil) throws {
                let keys = ["--factory-key", "new/factory.pub", "--retired-key", "keys/factory.pub"]
                let result = try SnpackProcess.run(
                    ["store"] + words + ["--root", "store"] + keys, in: journey.directory)
                #expect(result.status == status, "\(words): \(result)")
                if let code { #expect(result.standardError.contains("[\(code)]"), "\(result)") }
            }
            // What the old key signed and is installed stays whole and usable.
            try store("verify", "test", endsWith: 0)
            try store("list", endsWith: 0)
            try store("path", "test", "notes", endsWith: 0)
            // New content by the old key is refused: indices, packages, directories.
            try store("sync", "channel", "test", endsWith: 3)
            try store("install", "build/test/1.1.0", endsWith: 3)
            try journey.run("pack", "build/test/1.1.0", "-o", "old.snpkg")
            try store("install", "old.snpkg", endsWith: 3)
            // Without the retired key the old content is nobody's.
            let unpinned = try SnpackProcess.run(
                ["store", "verify", "test", "--root", "store", "--factory-key", "new/factory.pub"],
                in: journey.directory)
            #expect(unpinned.status == 3, "\(unpinned)")

            // The same releases, signed by the new key: the old key's mark drops.
            try journey.run(
                "resign", "--channel", "channel", "--factory-key", "keys/factory.pub", "--key", "new/factory.key",
                "--out",
                "resigned")
            try store("sync", "resigned", "test", endsWith: 0)
            #expect(try mark(journey)["sequence"] as? Int == 3)
            try store("sync", "thief", "test", endsWith: 3)
            try store("verify", "test", endsWith: 0)
        }
    }

    @Test func aVersionFarAboveIsLeftByADowngrade() throws {
        try withChannel { journey in
            try journey.buildSmall("9999.0.0")
            try publish(journey, "9999.0.0")
            try journey.store("sync", "channel", "test")
            #expect(try journey.version() == "9999.0.0")
            try journey.run(
                "yank", "test@9999.0.0", "--reason", "a slip of the finger", "--channel", "channel", "--key",
                journey.key + ".key")
            try journey.store("sync", "channel", "test", endsWith: 5, code: "version.older")
            try journey.store("install", "channel", "test@1.0.0", endsWith: 5, code: "version.older")
            #expect(try journey.version() == "9999.0.0")
            try journey.store("install", "channel", "test", "--allow-downgrade")
            #expect(try journey.version() == "1.0.0")
            try journey.buildSmall("1.1.0")
            try journey.run(
                "publish", "build/test/1.1.0", "--channel", "channel", "--key", journey.key + ".key")
            try journey.store("sync", "channel", "test")
            #expect(try journey.version() == "1.1.0")
        }
    }
}
