import Foundation
import SnpackTestSupport
import Testing

/// Who signs what: roles, signers that are other programs, and signing on another machine.
@Suite struct SignTests {
    private static let region = "region-0bdce04100525163"

    /// A signed release of a region by its own key pair, `keys/region`.
    private func layOutRegion(_ shop: Workshop) throws -> String {
        try shop.done("keygen", "--role", "region", "--out", "keys/region", "--no-passphrase")
        let release = VectorChannel.region.appending(path: "territories/\(Self.region)/1.1.0")
        try FileManager.default.copyItem(at: release, to: shop.url("region"))
        try shop.remove("region/manifest.json.sig")
        return "region"
    }

    @Test("Case 65: a key of the wrong role signs nothing, and nothing is written")
    func case065_wrongRole() throws {
        try Workshop.open { shop in
            let region = try layOutRegion(shop)
            try shop.done("build", "demo.json", "--version", "1.0.0")
            try shop.fails(2, "signer.wrong-role", "sign", "build/demo/1.0.0", "--key", "keys/region.key")
            try shop.fails(2, "signer.wrong-role", "sign", region, "--key", "keys/factory.key")
            // One of several is enough: none is signed.
            try shop.fails(2, "signer.wrong-role", "sign", "build/demo/1.0.0", region, "--key", "keys/factory.key")
            #expect(!shop.exists("build/demo/1.0.0/manifest.json.sig") && !shop.exists("region/manifest.json.sig"))
            try shop.done("sign", region, "--key", "keys/region.key")
            try shop.done("sign", "build/demo/1.0.0", "--key", "keys/factory.key")
            // A region's release in a channel of countries, and the other way round.
            let wrong = try shop.run("publish", region, "--channel", "channel", "--key", "keys/factory.key")
            #expect(
                [2, 3].contains(wrong.status) && wrong.output.isEmpty && !shop.exists("channel/index.signed"),
                "\(wrong)")
            let other = try shop.run("publish", "build/demo/1.0.0", "--channel", "channel", "--key", "keys/region.key")
            #expect([2, 3].contains(other.status) && !shop.exists("channel/index.signed"), "\(other)")
        }
    }

    @Test func aRegionIsPublishedWithTheRegionKey() throws {
        try Workshop.open { shop in
            let region = try layOutRegion(shop)
            try shop.done("sign", region, "--key", "keys/region.key")
            let channel = "regions/\(Self.region)"
            try shop.done("publish", region, "--channel", channel, "--key", "keys/region.key", "--valid-for", "30d")
            let index = try #require(
                JSONSerialization.jsonObject(with: Data(shop.read("\(channel)/index.json"))) as? [String: Any])
            #expect(index["channel"] as? String == Self.region)
            #expect(try shop.run("verify", channel, "--region-key", "keys/region.pub").status == 0)
            let asFactory = try shop.run("verify", channel, "--factory-key", "keys/region.pub")
            #expect(asFactory.status == 3 && asFactory.standardError.contains("[trust.wrong-role]"), "\(asFactory)")
        }
    }

    @Test func nothingButManifestsAndIndicesIsSigned() throws {
        try Workshop.open { shop in
            for text in ["{}", "hello", "{\"type\": \"contract\"}", "{\"type\": \"territory-manifest\"}", ""] {
                try shop.write("document.json", text)
                let result = try shop.run("sign", "document.json", "--key", "keys/factory.key")
                #expect(result.status != 0 && result.status < 128 && result.output.isEmpty, "\(text): \(result)")
                #expect(!shop.exists("document.json.sig"))
            }
            try shop.fails(4, "source.not-found", "sign", "none.json", "--key", "keys/factory.key")
        }
    }

    @Test func aManifestAloneIsSignedToo() throws {
        try Workshop.open { shop in
            try shop.done("build", "demo.json", "--version", "1.0.0")
            try shop.copy("build/demo/1.0.0/manifest.json", to: "manifest.json")
            try shop.done("sign", "manifest.json", "--key", "keys/factory.key")
            try shop.done("sign", "build/demo/1.0.0/", "--key", "keys/factory.key")
            #expect(try shop.read("manifest.json.sig") == shop.read("build/demo/1.0.0/manifest.json.sig"))
            #expect(try shop.read("manifest.json.sig").count == 88)
        }
    }

    @Test(.enabled(if: Programs.has("openssl"), "needs openssl"))
    func anotherProgramMaySign() throws {
        try Workshop.open { shop in
            try shop.done("build", "demo.json", "--version", "1.0.0")
            let pem = try shop.done("key", "export", "keys/factory.key", "--pem")
            try shop.write("keys/factory.pem", pem.output)
            let command = "cat > bytes && openssl pkeyutl -sign -rawin -inkey keys/factory.pem -in bytes | base64 -w0"
            let signer = ["--signer-command", command, "--public-key", "keys/factory.pub", "--role", "factory"]
            try shop.done(["sign", "build/demo/1.0.0"] + signer)
            let signature = try shop.read("build/demo/1.0.0/manifest.json.sig")
            try shop.done("sign", "build/demo/1.0.0", "--key", "keys/factory.key")
            #expect(try shop.read("build/demo/1.0.0/manifest.json.sig") == signature, "ed25519 signs one way")
            try shop.done(["publish", "build/demo/1.0.0", "--channel", "channel"] + signer)
            #expect(try shop.verify("channel").status == 0)
            try shop.remove("build/demo/1.0.0/manifest.json.sig")
            for bad in [
                "false", "true", "echo hello", "cat", "head -c 88 /dev/zero | tr '\\0' A", "kill -9 $$", "yes",
                "sleep 0; exit 3",
            ] {
                let result = try shop.run([
                    "sign", "build/demo/1.0.0", "--signer-command", bad, "--public-key", "keys/factory.pub", "--role",
                    "factory",
                ])
                #expect(result.status == 1 && result.standardError.contains("[signer.failed]"), "\(bad): \(result)")
                #expect(!shop.exists("build/demo/1.0.0/manifest.json.sig"))
            }
            // The role is told, and judged, before the program is asked.
            let wrong = try shop.run([
                "sign", "build/demo/1.0.0", "--signer-command", "touch asked", "--public-key", "keys/factory.pub",
                "--role", "region",
            ])
            #expect(wrong.status == 2 && !shop.exists("asked"), "\(wrong)")
        }
    }

    @Test("the answer ends with the program, whatever it leaves behind; a stop ends the program too")
    func aProgramThatDoesNotEnd() throws {
        try Workshop.open { shop in
            try shop.release("1.0.0")
            try shop.copy("build/demo/1.0.0/manifest.json.sig", to: "signature")
            let sign = ["sign", "build/demo/1.0.0", "--public-key", "keys/factory.pub", "--role", "factory"]
            let left = try shop.run(
                sign + ["--signer-command", "sleep 60 2>/dev/null & echo $! > left; cat signature"], seconds: 30)
            #expect(left.status == 0, "\(left)")
            let script = """
                "$0" "$@" --signer-command 'exec sleep 60' & sleep 0.5; kill $!; wait $!; status=$?
                kill $(cat left); exit $status
                """
            let stopped = try SystemTool.run(
                "bash", ["-c", script, SnpackProcess.path] + sign, in: shop.root, seconds: 30)
            #expect(stopped.status == 143 && stopped.standardError.contains("[interrupted]"), "\(stopped)")
        }
    }

    // MARK: - On another machine

    @Test func anIndexIsStagedSignedElsewhereAndCommitted() throws {
        try Workshop.open { shop in
            try shop.release("1.0.0")
            let stage = [
                "publish", "build/demo/1.0.0", "--channel", "channel", "--stage", "--factory-key", "keys/factory.pub",
            ]
            let commit = ["publish", "--commit", "--channel", "channel", "--factory-key", "keys/factory.pub"]
            try shop.done(stage)
            #expect(!shop.exists("channel/index.signed") && shop.exists("channel/.snpack/staged/index.json"))
            let early = try shop.run(commit)
            #expect(early.status != 0 && early.standardError.contains("[release.unsigned]"), "\(early)")
            let signed = try shop.done("sign", "channel/.snpack/staged/index.json", "--key", "keys/factory.key")
            #expect(signed.standardOutput.contains("demo"), "it says what the index changes: \(signed)")
            #expect(shop.exists("channel/.snpack/staged/index.json.sig"))
            try shop.done(commit)
            #expect(try shop.verify("channel").status == 0)
            let nothing = try shop.run(commit)
            #expect(nothing.status == 4 && nothing.standardError.contains("[channel.nothing-staged]"), "\(nothing)")
        }
    }

    @Test func aStagedIndexThatWasOvertakenIsStale() throws {
        try Workshop.open { shop in
            for version in ["1.0.0", "1.1.0", "1.2.0"] { try shop.release(version) }
            try shop.publish("1.0.0")
            try shop.done(
                "publish", "build/demo/1.1.0", "--channel", "channel", "--stage", "--factory-key", "keys/factory.pub")
            try shop.done("sign", "channel/.snpack/staged/index.json", "--key", "keys/factory.key")
            try shop.publish("1.2.0")
            let live = try shop.read("channel/index.signed")
            try shop.fails(
                5, "channel.staged-stale", "publish", "--commit", "--channel", "channel", "--factory-key",
                "keys/factory.pub")
            #expect(try shop.read("channel/index.signed") == live)
        }
    }

    @Test func aStagedIndexWithAnothersSignatureStaysStaged() throws {
        try Workshop.open { shop in
            try shop.done("keygen", "--role", "factory", "--out", "keys/other", "--no-passphrase")
            try shop.release("1.0.0")
            try shop.done(
                "publish", "build/demo/1.0.0", "--channel", "channel", "--stage", "--factory-key", "keys/factory.pub")
            try shop.done("sign", "channel/.snpack/staged/index.json", "--key", "keys/other.key")
            let result = try shop.run(
                "publish", "--commit", "--channel", "channel", "--factory-key", "keys/factory.pub")
            #expect(result.status == 3 && result.standardError.contains("[signature.not-trusted]"), "\(result)")
            #expect(!shop.exists("channel/index.signed"))
            // Staging again takes an old signature away.
            try shop.done(
                "publish", "build/demo/1.0.0", "--channel", "channel", "--stage", "--factory-key", "keys/factory.pub")
            #expect(!shop.exists("channel/.snpack/staged/index.json.sig"))
        }
    }

    @Test("Case 63: a degenerate public key is refused by name, when it is loaded")
    func case063_degenerateKeys() throws {
        try Workshop.open { shop in
            try shop.release("1.0.0")
            let zero = String(repeating: "00", count: 32)
            for key in [
                "01" + String(repeating: "00", count: 31), zero, String(repeating: "ff", count: 32),
                String(zero.dropLast(2)), zero + "00",
            ] {
                try shop.write("bad.pub", key + "\n")
                let result = try shop.run("verify", "build/demo/1.0.0", "--factory-key", "bad.pub")
                #expect(result.status == 2 && result.standardError.contains("bad.pub"), "\(key): \(result)")
            }
        }
    }
}
