import Foundation
import SnpackTestSupport
import Testing

/// `publish` and `sign`: what goes into a channel, what does not, and what a signer remembers.
@Suite struct PublishTests {
    private func index(_ shop: Workshop, _ channel: String = "channel") throws -> [String: Any] {
        try #require(JSONSerialization.jsonObject(with: Data(shop.read("\(channel)/index.json"))) as? [String: Any])
    }

    private func demo(_ shop: Workshop) throws -> [String: Any] {
        try #require((index(shop)["territories"] as? [[String: Any]])?.first)
    }

    private func seconds(_ index: [String: Any]) throws -> Double {
        let format = ISO8601DateFormatter()
        let times = try ["published_at", "expires_at"].map {
            try #require(format.date(from: index[$0] as? String ?? "")).timeIntervalSince1970
        }
        return times[1] - times[0]
    }

    // MARK: - Versions

    @Test func publishingTheSameAgainChangesNothing() throws {
        try Workshop.open { shop in
            try shop.release("1.0.0")
            try shop.publish("1.0.0")
            let before = try shop.files(below: "channel")
            let again = try shop.object(
                "publish", "build/demo/1.0.0", "--channel", "channel", "--key", "keys/factory.key")
            #expect(again["changed"] as? Bool == false && again["unchanged"] as? [String] == ["demo@1.0.0"])
            #expect(try shop.files(below: "channel") == before)
            #expect(try shop.verify("channel").status == 0)
        }
    }

    @Test func aPublishedVersionNeverChanges() throws {
        try Workshop.open { shop in
            try shop.release("1.0.0")
            try shop.publish("1.0.0")
            let before = try shop.files(below: "channel")
            try shop.remove("build")
            try shop.write("note.txt", "another note")
            try shop.release("1.0.0")
            let result = try shop.fails(
                5, "version.changed", "publish", "build/demo/1.0.0", "--channel", "channel", "--key", "keys/factory.key"
            )
            #expect(result.standardError.contains("demo@1.0.0"))
            #expect(try shop.files(below: "channel") == before)
            // The same conflict beside a release that would be fine: all or nothing.
            try shop.release("1.1.0")
            try shop.fails(
                5, "version.changed", "publish", "build/demo/1.1.0", "build/demo/1.0.0", "--channel", "channel",
                "--key",
                "keys/factory.key")
            #expect(try shop.files(below: "channel") == before)
        }
    }

    @Test func versionsThatDifferInCaseAloneAreTwins() throws {
        try Workshop.open { shop in
            try shop.release("1.0.0-rc")
            try shop.release("1.0.0-RC")
            try shop.publish("1.0.0-rc")
            let result = try shop.run(
                "publish", "build/demo/1.0.0-RC", "--channel", "channel", "--key", "keys/factory.key")
            #expect(result.status != 0 && result.output.isEmpty, "\(result)")
            #expect(try shop.sequence() == 1 && shop.verify("channel").status == 0)
            // Two releases of one version at once: one is taken, the same again is no trouble.
            let twice = try shop.run(
                "publish", "build/demo/1.0.0-rc", "build/demo/1.0.0-rc", "--channel", "new", "--key",
                "keys/factory.key",
                "--state", "new.json")
            #expect(twice.status == 0, "\(twice)")
        }
    }

    @Test func theLatestIsTheGreatestReleaseUnlessToldOtherwise() throws {
        try Workshop.open { shop in
            for version in ["1.0.0-rc.1", "1.0.0-beta", "1.0.0", "1.2.0-rc.1", "1.1.0", "1.10.0"] {
                try shop.release(version)
            }
            func latest() throws -> String { try #require(demo(shop)["latest_version"] as? String) }
            try shop.publish("1.0.0-beta")
            #expect(try latest() == "1.0.0-beta", "the greatest pre-release while there is nothing else")
            try shop.publish("1.0.0-rc.1")
            #expect(try latest() == "1.0.0-rc.1")
            try shop.publish("1.0.0")
            #expect(try latest() == "1.0.0")
            try shop.publish("1.2.0-rc.1")
            #expect(try latest() == "1.0.0", "a pre-release is not offered")
            try shop.publish("1.10.0")
            try shop.publish("1.1.0")
            #expect(try latest() == "1.10.0", "numbers are compared as numbers, and an older version changes nothing")
            try shop.publish("1.10.0", "--latest", "demo@1.1.0")
            #expect(try latest() == "1.1.0")
            #expect(
                try (demo(shop)["versions"] as? [[String: Any]])?.compactMap { $0["version"] as? String }
                    == ["1.10.0", "1.2.0-rc.1", "1.1.0", "1.0.0", "1.0.0-rc.1", "1.0.0-beta"])
            try shop.fails(
                4, "version.not-listed", "publish", "--channel", "channel", "--key", "keys/factory.key", "--latest",
                "demo@9.0.0")
            #expect(try shop.verify("channel").status == 0)
        }
    }

    @Test func equalBlobsOfTwoVersionsAreOneFile() throws {
        try Workshop.open { shop in
            try shop.release("1.0.0")
            try shop.write("note.txt", "another note")
            for version in ["1.1.0", "1.2.0"] { try shop.release(version) }
            // Together and one after the other.
            let both = ["build/demo/1.0.0", "build/demo/1.1.0"]
            try shop.done(["publish"] + both + ["--channel", "channel", "--key", "keys/factory.key"])
            try shop.publish("1.2.0")
            let links = try SystemTool.run(
                "find", ["channel", "-name", "*.tar.zst", "-printf", "%n %f\n"], in: shop.root)
            #expect(
                links.standardOutput.split(separator: "\n").sorted() == [
                    "1 note.txt.tar.zst", "2 note.txt.tar.zst", "2 note.txt.tar.zst", "3 tree.tar.zst",
                    "3 tree.tar.zst",
                    "3 tree.tar.zst",
                ])
            #expect(try shop.verify("channel").status == 0)
        }
    }

    @Test("Case 87: the channel's files are its own, whatever becomes of the release")
    func case087_ownFiles() throws {
        try Workshop.open { shop in
            try shop.release("1.0.0")
            try shop.publish("1.0.0")
            let before = try shop.files(below: "channel")
            let result = try SystemTool.run(
                "sh", ["-c", "find build -type f | while read f; do echo x >> $f; done"], in: shop.root)
            #expect(result.status == 0)
            #expect(try shop.files(below: "channel") == before)
        }
    }

    @Test func whatIsPublishedIsForEverybodyToReadWhateverTheUmask() throws {
        try Workshop.open { shop in
            try shop.release("1.0.0")
            let script = "umask 077; exec \"$0\" publish build/demo/1.0.0 --channel deep/channel --key keys/factory.key"
            #expect(try SystemTool.run("bash", ["-c", script, SnpackProcess.path], in: shop.root).status == 0)
            let modes = try SystemTool.run(
                "find", ["deep/channel", "-path", "deep/channel/.snpack", "-prune", "-o", "-printf", "%y%m %p\n"],
                in: shop.root
            ).standardOutput.split(separator: "\n")
            #expect(modes.count > 8 && modes.allSatisfy { $0.hasPrefix("f644 ") || $0.hasPrefix("d755 ") }, "\(modes)")
        }
    }

    // MARK: - What is handed over is verified

    @Test func aReleaseThatDoesNotVerifyIsRefused() throws {
        try Workshop.open { shop in
            try shop.done("build", "demo.json", "--version", "1.0.0")
            let words = ["publish", "build/demo/1.0.0", "--channel", "channel", "--key", "keys/factory.key"]
            #expect(try shop.run(words).standardError.contains("[release.unsigned]"))
            try shop.done("sign", "build/demo/1.0.0", "--key", "keys/factory.key")
            let blobs = try shop.files(below: "build/demo/1.0.0").filter { $0.key.hasSuffix(".zst") }
            // Every fault, not the first alone.
            for (path, bytes) in blobs { try shop.write("build/demo/1.0.0/\(path)", Array(bytes.dropLast())) }
            let damaged = try shop.run(words)
            #expect(damaged.status == 3 && damaged.output.isEmpty, "\(damaged)")
            for path in blobs.keys { #expect(damaged.standardError.contains(path), "\(damaged)") }
            for path in blobs.keys { try shop.remove("build/demo/1.0.0/\(path)") }
            #expect(try shop.run(words).status == 3)
            for (path, bytes) in blobs { try shop.write("build/demo/1.0.0/\(path)", bytes) }
            try shop.done("keygen", "--role", "factory", "--out", "keys/other", "--no-passphrase")
            let other = try shop.run(
                "publish", "build/demo/1.0.0", "--channel", "channel", "--key", "keys/other.key")
            #expect(other.status == 3 && other.standardError.contains("[signature.not-trusted]"), "\(other)")
            #expect(!shop.exists("channel"), "nothing was made for what was refused")
            try shop.done(words)
        }
    }

    @Test func theLiveIndexMustVerifyWithTheSigningKey() throws {
        try Workshop.open { shop in
            try shop.release("1.0.0")
            try shop.publish("1.0.0")
            try shop.release("1.1.0")
            var bytes = try shop.read("channel/index.signed")
            bytes[bytes.count - 20] ^= 1
            try shop.write("channel/index.signed", bytes)
            let result = try shop.run(
                "publish", "build/demo/1.1.0", "--channel", "channel", "--key", "keys/factory.key")
            #expect(result.status == 3 && result.standardError.contains("index.signed"), "\(result)")
            #expect(try shop.read("channel/index.signed") == bytes)
        }
    }

    @Test func exampleKeysAreRefusedUnlessAllowed() throws {
        try Workshop.open { shop in
            let key = ProjectFiles.root.appending(path: "keys-example/factory.key").path
            let copy = shop.url("keys/example.key").path
            try FileManager.default.copyItem(atPath: key, toPath: copy)
            #expect(chmod(copy, 0o600) == 0)
            try shop.done("build", "demo.json", "--version", "1.0.0")
            let signed = try shop.done("sign", "build/demo/1.0.0", "--key", "keys/example.key")
            #expect(signed.standardError.contains("warning"), "\(signed)")
            try shop.fails(
                2, "key.example", "publish", "build/demo/1.0.0", "--channel", "channel", "--key", "keys/example.key")
            #expect(!shop.exists("channel"))
            try shop.done(
                "publish", "build/demo/1.0.0", "--channel", "channel", "--key", "keys/example.key",
                "--allow-example-keys")
        }
    }

    // MARK: - Sequence and memory

    @Test func theSignerRemembersWhatItSigned() throws {
        try Workshop.open { shop in
            try shop.release("1.0.0")
            try shop.publish("1.0.0")
            #expect(shop.exists("keys/factory.published.json"))
            try shop.copy("channel", to: "old")
            try shop.release("1.1.0")
            try shop.publish("1.1.0")
            #expect(try shop.sequence() == 2)
            // Somebody puts the old channel back.
            try shop.remove("channel")
            try shop.copy("old", to: "channel")
            try shop.release("1.2.0")
            let words = ["publish", "build/demo/1.2.0", "--channel", "channel", "--key", "keys/factory.key"]
            let refused = try shop.run(words)
            #expect(refused.status == 5 && refused.standardError.contains("[channel.not-latest]"), "\(refused)")
            #expect(refused.standardError.contains("--adopt"))
            // Or loses it.
            try shop.remove("channel")
            #expect(try shop.run(words).status == 5)
            try shop.remove("channel")
            try shop.copy("old", to: "channel")
            try shop.done(words + ["--adopt"])
            #expect(try shop.sequence() == 3, "beyond all that was ever signed")
        }
    }

    @Test func aForkOfTheSameSequenceIsRefused() throws {
        try Workshop.open { shop in
            try shop.release("1.0.0")
            try shop.publish("1.0.0")
            try shop.release("1.1.0")
            try shop.publish("1.1.0", "--state", "other.json", "--valid-for", "3d")
            try shop.copy("channel", to: "fork")
            try shop.release("1.2.0")
            // Another machine signed sequence 2 as well, with other content.
            try shop.write("elsewhere/one", "1")
            try shop.write(
                "state.json",
                "{\"channels\": {\"main\": {\"sequence\": 2, \"blake3\": \"\(String(repeating: "a", count: 64))\"}}}")
            let refused = try shop.run(
                "publish", "build/demo/1.2.0", "--channel", "channel", "--key", "keys/factory.key", "--state",
                "state.json")
            #expect(refused.status == 5 && refused.standardError.contains("[channel.not-latest]"), "\(refused)")
        }
    }

    @Test func aDamagedStateIsNotTakenForAnEmptyOne() throws {
        try Workshop.open { shop in
            try shop.release("1.0.0")
            for text in ["", "{", "{}", "{\"channels\": {\"main\": {\"sequence\": -1, \"blake3\": \"00\"}}}", "[1]"] {
                try shop.write("state.json", text)
                let result = try shop.run(
                    "publish", "build/demo/1.0.0", "--channel", "channel", "--key", "keys/factory.key", "--state",
                    "state.json")
                #expect(
                    result.status == 5 && result.standardError.contains("[signer.state-invalid]"), "\(text): \(result)")
            }
            try shop.publish("1.0.0", "--state", "state.json", "--adopt")
            // A state that could not be written is found out before anything is signed.
            try shop.release("1.1.0")
            let result = try shop.run(
                "publish", "build/demo/1.1.0", "--channel", "channel", "--key", "keys/factory.key", "--state",
                "no/dir/state.json")
            #expect(result.status == 4, "\(result)")
            #expect(try shop.sequence() == 1)
        }
    }

    @Test func sequencesOnlyGrow() throws {
        try Workshop.open { shop in
            for version in ["1.0.0", "1.1.0", "1.2.0"] { try shop.release(version) }
            try shop.publish("1.0.0", "--sequence", "1700000000")
            #expect(try shop.sequence() == 1_700_000_000)
            try shop.publish("1.1.0")
            #expect(try shop.sequence() == 1_700_000_001)
            for sequence in ["1700000001", "5"] {
                try shop.fails(
                    5, "channel.sequence-too-low", "publish", "build/demo/1.2.0", "--channel", "channel", "--key",
                    "keys/factory.key", "--sequence", sequence)
            }
            for sequence in ["4503599627370497", "0", "-1", "1e3", "18446744073709551616"] {
                let result = try shop.run(
                    "publish", "build/demo/1.2.0", "--channel", "channel", "--key", "keys/factory.key",
                    "--sequence=\(sequence)")
                #expect(result.status == 2, "\(sequence): \(result)")
            }
            try shop.publish("1.2.0", "--sequence", "4503599627370496")
            let full = try shop.run(
                "publish", "--channel", "channel", "--key", "keys/factory.key", "--valid-for", "1d")
            #expect(full.status != 0 && full.status < 128, "no sequence is left: \(full)")
            #expect(try shop.verify("channel").status == 0)
        }
    }

    @Test("Case 53: a new index keeps the validity of the last, and a stale one is reported")
    func case053_validity() throws {
        try Workshop.open { shop in
            for version in ["1.0.0", "1.1.0", "1.2.0", "1.3.0"] { try shop.release(version) }
            try shop.publish("1.0.0")
            #expect(try index(shop)["expires_at"] == nil)
            try shop.publish("1.1.0", "--valid-for", "30d")
            #expect(try seconds(index(shop)) == 30 * 86_400)
            try shop.publish("1.2.0")
            #expect(try seconds(index(shop)) == 30 * 86_400)
            try shop.publish("1.3.0", "--valid-for", "1s")
            Thread.sleep(forTimeInterval: 2.1)
            let expired = try shop.verify("channel")
            #expect(expired.status == 3 && expired.standardError.contains("[index.expired]"), "\(expired)")
            #expect(try shop.verify("channel/territories/demo/1.3.0").status == 0, "a release knows no expiry")
        }
    }

    @Test func aChannelKeepsItsName() throws {
        try Workshop.open { shop in
            try shop.release("1.0.0")
            try shop.publish("1.0.0", "--name", "beta")
            #expect(try index(shop)["channel"] as? String == "beta")
            try shop.release("1.1.0")
            try shop.fails(
                5, "channel.name-differs", "publish", "build/demo/1.1.0", "--channel", "channel", "--key",
                "keys/factory.key", "--name", "main")
            try shop.publish("1.1.0")
            #expect(try index(shop)["channel"] as? String == "beta")
        }
    }

    // MARK: - A channel on disk

    @Test func aTornPairIsWrittenAgain() throws {
        try Workshop.open { shop in
            try shop.release("1.0.0")
            try shop.publish("1.0.0")
            let whole = try shop.files(below: "channel")
            let damages: [(Workshop) throws -> Void] = [
                { try $0.remove("channel/index.json") }, { try $0.remove("channel/index.json.sig") },
                { try $0.write("channel/index.json", "{}") }, { try $0.write("channel/index.json.sig", "old") },
                { try $0.write("channel/index.json.sig", [UInt8](repeating: 0x20, count: 5_000)) },
                {
                    try $0.remove("channel/index.json")
                    try $0.remove("channel/index.json.sig")
                },
            ]
            for damage in damages {
                try damage(shop)
                let verdict = try shop.verify("channel")
                #expect(verdict.standardError.contains("snpack: fault: channel/index.json") || verdict.status == 0)
                #expect(verdict.status == 3 || verdict.standardError.contains("[index.pair-mismatch]"), "\(verdict)")
                try shop.publish("1.0.0")
                #expect(try shop.files(below: "channel") == whole)
                #expect(try shop.verify("channel").status == 0)
            }
            // Only the pair is there, as older tools made it.
            try shop.remove("channel/index.signed")
            #expect(try shop.verify("channel").status == 3)
            try shop.publish("1.0.0")
            #expect(try shop.files(below: "channel") == whole)
            try shop.remove("channel/index.signed")
            try shop.remove("channel/index.json.sig")
            let half = try shop.run("publish", "build/demo/1.0.0", "--channel", "channel", "--key", "keys/factory.key")
            #expect(half.status == 3 && half.standardError.contains("[package.file-missing]"), "\(half)")
        }
    }

    @Test func aPairThatACrashLeftBehindIsAWarningAndAnyOtherAFault() throws {
        try Workshop.open { shop in
            for version in ["1.0.0", "1.1.0"] { try shop.release(version) }
            try shop.publish("1.0.0")
            let old = (json: try shop.read("channel/index.json"), sig: try shop.read("channel/index.json.sig"))
            try shop.publish("1.1.0")
            let new = (json: try shop.read("channel/index.json"), sig: try shop.read("channel/index.json.sig"))
            func verdict(_ json: [UInt8]?, _ sig: [UInt8]?) throws -> Int32 {
                for (name, bytes) in [("channel/index.json", json), ("channel/index.json.sig", sig)] {
                    if let bytes { try shop.write(name, bytes) } else if shop.exists(name) { try shop.remove(name) }
                }
                let result = try shop.verify("channel")
                #expect(result.standardError.contains("[index.pair-mismatch]") == (json != new.json || sig != new.sig))
                return result.status
            }
            #expect(try verdict(new.json, new.sig) == 0)
            #expect(try verdict(old.json, old.sig) == 0)
            #expect(try verdict(old.json, new.sig) == 0)
            #expect(try verdict(nil, new.sig) == 0 && verdict(nil, nil) == 0)
            #expect(try verdict(new.json, old.sig) == 3 && verdict(new.json, nil) == 3)
            var changed = old.json
            changed[changed.count - 40] ^= 1
            #expect(try verdict(changed, old.sig) == 3)
            #expect(try verdict(Array("{}".utf8), new.sig) == 3)
            // Where no publisher works nobody will finish it.
            try shop.remove("channel/.snpack")
            #expect(try verdict(old.json, old.sig) == 3 && verdict(nil, nil) == 3)
        }
    }

    @Test func spaceAroundSignatureLinesIsNoFault() throws {
        try Workshop.open { shop in
            try shop.release("1.0.0")
            try shop.publish("1.0.0")
            try shop.write("channel/index.json.sig", shop.read("channel/index.json.sig") + [0x0D, 0x0A])
            #expect(try shop.verify("channel").status == 0)
        }
    }

    @Test func aChannelThatIsLockedIsBusy() throws {
        try Workshop.open { shop in
            try shop.release("1.0.0")
            try shop.publish("1.0.0")
            try shop.release("1.1.0")
            let script =
                "exec 9>channel/.snpack/lock; flock 9; exec \"$0\" publish build/demo/1.1.0 --channel channel --key keys/factory.key"
            let busy = try SystemTool.run("bash", ["-c", script, SnpackProcess.path], in: shop.root)
            #expect(busy.status == 5 && busy.standardError.contains("[lock.busy]"), "\(busy)")
            #expect(try shop.sequence() == 1)
            try shop.publish("1.1.0")
        }
    }

    @Test func leftoversOfACrashAreReplaced() throws {
        try Workshop.open { shop in
            try shop.release("1.0.0")
            try shop.publish("1.0.0", "--state", "a.json")
            let whole = try shop.files(below: "channel").filter { $0.key.hasPrefix("territories/") }
            for damage in 0..<3 {
                try shop.remove("channel")
                for (path, bytes) in whole {
                    let left =
                        switch damage {
                        case 0: [UInt8]()
                        case 1: [UInt8](repeating: 0, count: bytes.count)
                        default: bytes + [0]
                        }
                    try shop.write("channel/\(path)", left)
                }
                try shop.write("channel/.snpack/staging/.snpack-tmp-0123456789abcdef", "half a blob")
                try shop.publish("1.0.0", "--state", "b\(damage).json")
                #expect(try shop.verify("channel").status == 0)
                #expect(try shop.files(below: "channel").filter { $0.key.hasPrefix("territories/") } == whole)
                #expect(shop.leftovers() == [])
            }
        }
    }

    @Test(arguments: ["a channel with spaces", "kanał-🗺️", "deep/" + String(repeating: "d/", count: 400) + "channel"])
    func aChannelMayLieAnywhere(path: String) throws {
        try Workshop.open { shop in
            try shop.release("1.0.0")
            try shop.done("publish", "build/demo/1.0.0", "--channel", path, "--key", "keys/factory.key")
            #expect(try shop.verify(path).status == 0)
            #expect(try shop.run("list", path + "/").status == 0)
        }
    }

    @Test func aPathThatIsTooLongIsAnError() throws {
        try Workshop.open { shop in
            try shop.release("1.0.0")
            let name = String(repeating: "n", count: 300)
            let result = try shop.run(
                "publish", "build/demo/1.0.0", "--channel", "channel/\(name)", "--key", "keys/factory.key")
            #expect(result.status == 6 && result.output.isEmpty, "\(result)")
        }
    }

    @Test func releasesAndChannelsAreFoundThroughLinks() throws {
        try Workshop.open { shop in
            try shop.release("1.0.0")
            #expect(symlink("build/demo/1.0.0", shop.url("current").path) == 0)
            try FileManager.default.createDirectory(at: shop.url("real"), withIntermediateDirectories: true)
            #expect(symlink("real", shop.url("channel").path) == 0)
            try shop.done("publish", "current", "--channel", "channel", "--key", "keys/factory.key")
            for target in ["channel", "channel/", "current", "current/", "real"] {
                #expect(try shop.verify(target).status == 0, "\(target)")
            }
        }
    }

    @Test(.enabled(if: getuid() == 0 && Programs.has("setpriv"), "needs root, to become somebody who is not"))
    func aChannelThatMayNotBeWrittenIsALocalError() throws {
        try Workshop.open { shop in
            try shop.release("1.0.0")
            try shop.publish("1.0.0")
            try shop.release("1.1.0")
            #expect(chmod(shop.root.path, 0o755) == 0 && chmod(shop.url("keys").path, 0o777) == 0)
            #expect(chown(shop.url("keys/factory.key").path, 65_534, 65_534) == 0)
            let before = try shop.files(below: "channel")
            let result = try Programs.asNobody(
                SnpackProcess.path,
                ["publish", "build/demo/1.1.0", "--channel", "channel", "--key", "keys/factory.key"],
                in: shop.root)
            #expect(result.status == 6 && result.standardError.contains("[disk.permission]"), "\(result)")
            #expect(try shop.files(below: "channel") == before)
        }
    }
}
