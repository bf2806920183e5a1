import Foundation
import SnpackTestSupport
import Testing

/// The key on another machine: what is carried there, what comes back, and what does not go live.
@Suite struct OfflineSigningTests {
    private static let commit = ["publish", "--commit", "--channel", "channel", "--factory-key", "keys/factory.pub"]
    private static let staged = "channel/.snpack/staged/index.json"

    /// Builds a version, has its manifest signed elsewhere, and stages it.
    private func stage(_ shop: Workshop, _ version: String) throws {
        try shop.write("note.txt", "the note of \(version)")
        try shop.done("build", "demo.json", "--version", version)
        try shop.write("signer/manifest.json", shop.read("build/demo/\(version)/manifest.json"))
        try shop.done("sign", "signer/manifest.json", "--key", "keys/factory.key")
        try shop.write("build/demo/\(version)/manifest.json.sig", shop.read("signer/manifest.json.sig"))
        try shop.done(
            "publish", "build/demo/\(version)", "--channel", "channel", "--stage", "--factory-key", "keys/factory.pub")
    }

    /// Carries the staged index to the signing machine and its signature back.
    private func signElsewhere(_ shop: Workshop) throws {
        try shop.write("signer/index.json", shop.read(Self.staged))
        try shop.done("sign", "signer/index.json", "--key", "keys/factory.key")
        try shop.write(Self.staged + ".sig", shop.read("signer/index.json.sig"))
    }

    @Test func documentsAloneGoToTheSigningMachineAndBack() throws {
        try Workshop.open { shop in
            for version in ["1.0.0", "1.1.0"] {
                try stage(shop, version)
                let unsigned = try shop.run(Self.commit)
                #expect(unsigned.status == 3 && unsigned.standardError.contains("[release.unsigned]"), "\(unsigned)")
                try signElsewhere(shop)
                try shop.done(Self.commit)
                #expect(try shop.latest() == version && shop.isSound())
            }
            #expect(try shop.run(Self.commit).status == 4, "nothing is staged any more")
        }
    }

    @Test func whatComesBackWrongDoesNotGoLive() throws {
        try Workshop.withChannel(["1.0.0"]) { shop in
            try shop.done("keygen", "--role", "factory", "--out", "keys/other", "--no-passphrase")
            try stage(shop, "1.1.0")
            let served = { try shop.files(below: "channel").filter { !$0.key.hasPrefix(".snpack") } }
            let before = try served()
            func refused(_ status: Int32, _ code: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
                let result = try shop.run(Self.commit)
                #expect(result.status == status, "\(result)", sourceLocation: sourceLocation)
                #expect(result.standardError.contains("[\(code)]"), "\(result)", sourceLocation: sourceLocation)
                #expect(try served() == before, sourceLocation: sourceLocation)
            }
            let index = try shop.read(Self.staged)
            // Another key, another document, no signature at all.
            try shop.done("sign", Self.staged, "--key", "keys/other.key")
            try refused(3, "signature.not-trusted")
            try signElsewhere(shop)
            try shop.write(Self.staged, index + [0x20])
            try refused(3, "signature.not-trusted")
            try shop.write(Self.staged + ".sig", "not base64")
            try refused(3, "signature.malformed")
            // An index that this key did sign, but which is not the next of this channel.
            try shop.write(Self.staged, shop.read("channel/index.json"))
            try shop.write(Self.staged + ".sig", shop.read("channel/index.json.sig"))
            try shop.keep("refresh")
            let afterRefresh = try served()
            let stale = try shop.run(Self.commit)
            #expect(stale.status == 5 && stale.standardError.contains("[channel.staged-stale]"), "\(stale)")
            #expect(try served() == afterRefresh)
        }
    }

    @Test func anIndexOfAnotherChannelsFilesDoesNotGoLive() throws {
        try Workshop.withChannel(["1.0.0"]) { shop in
            try shop.copy("channel", to: "elsewhere")
            try shop.write("note.txt", "elsewhere")
            try shop.release("2.0.0")
            try shop.done(
                "publish", "build/demo/2.0.0", "--channel", "elsewhere", "--key", "keys/factory.key", "--state", "other"
            )
            try shop.done("refresh", "--channel", "channel", "--stage", "--factory-key", "keys/factory.pub")
            for suffix in ["", ".sig"] {
                try shop.write(Self.staged + suffix, shop.read("elsewhere/index.json" + suffix))
            }
            let missing = try shop.run(Self.commit)
            #expect(missing.status == 3 && missing.standardError.contains("[package.file-missing]"), "\(missing)")
            // The index that was live before, under the note of the one that is live now.
            try shop.done("refresh", "--channel", "channel", "--stage", "--factory-key", "keys/factory.pub")
            for suffix in ["", ".sig"] {
                try shop.write(Self.staged + suffix, shop.read("channel/index.json" + suffix))
            }
            #expect(try shop.latest() == "1.0.0" && shop.isSound())
        }
    }

    @Test func theLiveIndexMustBeTheOneThatWasStagedOn() throws {
        try Workshop.withChannel(["1.0.0"]) { shop in
            try stage(shop, "1.1.0")
            try signElsewhere(shop)
            try shop.keep("refresh")
            try shop.fails(
                5, "channel.staged-stale", "publish", "--commit", "--channel", "channel", "--factory-key",
                "keys/factory.pub")
            try shop.done(
                "publish", "build/demo/1.1.0", "--channel", "channel", "--stage", "--factory-key", "keys/factory.pub")
            try signElsewhere(shop)
            try shop.done(Self.commit)
            #expect(try shop.latest() == "1.1.0" && shop.isSound())
        }
    }

    @Test func aSecondStagedChangeIsNotSilentlyTheOnlyOne() throws {
        try Workshop.withChannel(["1.0.0"]) { shop in
            try stage(shop, "1.1.0")
            let second = try shop.done(
                "refresh", "--channel", "channel", "--stage", "--factory-key", "keys/factory.pub")
            #expect(second.standardError.contains("[channel.staged-replaced]"), "\(second)")
        }
    }

    // MARK: - Keys that never leave their place

    @Test(
        .enabled(
            if: ["softhsm2-util", "pkcs11-tool"].allSatisfy(Programs.has) && HardwareModule.library != nil,
            "needs SoftHSM and OpenSC (Debian: softhsm2, opensc)"))
    func aHardwareModuleSignsAWholeChannel() throws {
        try Workshop.open { shop in
            let module = try HardwareModule(in: shop)
            let signer = [
                "--signer-command", module.command, "--public-key", module.publicKey, "--role", "factory",
            ]
            try signsAWholeChannel(shop, signer, module.publicKey, environment: module.environment)
            // OpenSC's own tool signs what fits into 1,024 bytes, the same way: ed25519 has but one.
            try shop.write("short", "a short message")
            let texts = try [module.command, module.tool].map { command in
                try SystemTool.run(
                    "bash", ["-c", "{ \(command); } < short"], in: shop.root, environment: module.environment
                ).standardOutput.trimmingCharacters(in: .newlines)
            }
            #expect(texts[0] == texts[1] && texts[0].utf8.count == 88)
            // A wrong PIN ends the command, and nothing has changed.
            let before = try shop.files(below: "channel")
            try shop.write("pin", "9999")
            let wrong = try shop.run(
                ["refresh", "--channel", "channel", "--state", "state"] + signer, environment: module.environment)
            #expect(wrong.status == 1 && wrong.standardError.contains("[signer.failed]"), "\(wrong)")
            #expect(try shop.files(below: "channel") == before)
        }
    }

    @Test(.enabled(if: Programs.has("openssl"), "needs openssl"))
    func openSSLSignsAWholeChannel() throws {
        try Workshop.open { shop in
            try shop.done("key", "export", "keys/factory.key", "--pem", "--out", "keys/factory.pem")
            let command = "cat > bytes && openssl pkeyutl -sign -rawin -inkey keys/factory.pem -in bytes | base64 -w0"
            let key = String(decoding: try shop.read("keys/factory.pub").prefix(64), as: UTF8.self)
            try signsAWholeChannel(
                shop, ["--signer-command", command, "--public-key", key, "--role", "factory"], key, environment: [:])
        }
    }

    private func signsAWholeChannel(
        _ shop: Workshop, _ signer: [String], _ key: String, environment: [String: String?]
    ) throws {
        func done(_ words: String...) throws {
            let result = try shop.run(words + signer, environment: environment)
            #expect(result.status == 0, "\(words): \(result)")
        }
        let channel = ["--channel", "channel", "--state", "state"]
        for version in ["1.0.0", "1.1.0"] {
            try shop.write("note.txt", version)
            try shop.done("build", "demo.json", "--version", version)
            try done("sign", "build/demo/\(version)")
            try done("publish", "build/demo/\(version)", channel[0], channel[1], channel[2], channel[3])
        }
        try done("yank", "demo@1.1.0", "--reason", "bad", channel[0], channel[1], channel[2], channel[3])
        try done("republish", "demo@1.0.0", "--as", "1.2.0", channel[0], channel[1], channel[2], channel[3])
        let verified = try shop.run(["verify", "channel", "--factory-key", key])
        #expect(verified.status == 0 && verified.standardOutput.contains("3 releases"), "\(verified)")
        #expect(try shop.latest() == "1.2.0" && shop.sequence() == 4)
    }
}

/// A PKCS#11 token in software, with an ed25519 key that cannot be read out of it.
private struct HardwareModule {
    /// Where Debian puts SoftHSM.
    static let library = ["/usr/lib/softhsm/libsofthsm2.so", "/usr/lib/x86_64-linux-gnu/softhsm/libsofthsm2.so"]
        .first { FileManager.default.fileExists(atPath: $0) }

    let environment: [String: String?]
    /// Prints the base64 signature of its input.
    let command: String
    /// The same by OpenSC's tool, for short inputs.
    let tool: String
    /// 64 hex characters.
    let publicKey: String

    init(in shop: Workshop) throws {
        let library = try #require(Self.library)
        try shop.write(
            "softhsm2.conf", "directories.tokendir = \(shop.url("tokens").path)\nobjectstore.backend = file\n")
        try FileManager.default.createDirectory(at: shop.url("tokens"), withIntermediateDirectories: true)
        let environment = ["SOFTHSM2_CONF": shop.url("softhsm2.conf").path, "SNPACK_PIN": "1234"]
        self.environment = environment
        func run(_ line: String) throws -> ToolResult {
            let result = try SystemTool.run("bash", ["-c", line], in: shop.root, environment: environment)
            try #require(result.status == 0, "\(line): \(result)")
            return result
        }
        _ = try run("softhsm2-util --init-token --free --label snpack --pin 1234 --so-pin 12345678")
        let opensc = "pkcs11-tool --module \(library) --token-label snpack"
        let login = "\(opensc) --login --pin env:SNPACK_PIN"
        _ = try run("\(login) --keypairgen --key-type EC:edwards25519 --label factory --id 01")
        // The last 32 bytes of the DER form are the key.
        publicKey = try run(
            "\(opensc) --read-object --type pubkey --label factory | openssl pkey -pubin -outform DER | tail -c 32"
                + " | od -An -v -tx1 | tr -d ' \\n'"
        ).standardOutput
        tool = "\(login) --sign --mechanism EDDSA --label factory -i /dev/stdin 2>/dev/null | base64 -w0"
        try shop.write("pin", "1234\n")
        command =
            "\(ProjectFiles.root.appending(path: "scripts/sign-with-pkcs11").path) \(library) snpack factory pin"
    }
}
