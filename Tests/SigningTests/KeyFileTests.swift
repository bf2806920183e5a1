import Diagnostics
import Signing
import SnpackTestSupport
import Testing

@Suite struct KeyFileTests {
    let key: SecretKey
    let seed = KnownAnswerTests.rfc8032[0].seed

    init() throws { key = try seeded(seed) }

    private func read(_ text: String) throws -> KeyFile { try KeyFile(decoding: secret(text)) }

    private func sealed(_ passphrase: String = "correct horse", role: KeyRole = .factory) throws -> String {
        try KeyFile(seeded(seed, role: role), passphrase: secret(passphrase), cost: .interactive).encoded().text
    }

    @Test(arguments: KeyRole.allCases) func openKeyFileIsReadAsItWasWritten(_ role: KeyRole) throws {
        let key = try SecretKey.generate(role: role)
        let file = try KeyFile(decoding: KeyFile(key).encoded())
        #expect(file.role == role && file.publicKey == key.publicKey && !file.isEncrypted)
        let again = try file.unlock(passphrase: nil)
        #expect(again.role == role)
        #expect(try again.sign([1, 2, 3]) == key.sign([1, 2, 3]))
    }

    @Test func keyFileIsTheTextThatTheDocumentationShows() throws {
        #expect(
            try KeyFile(key).encoded().text == """
                snpack-secret-key 1
                role: factory
                public-key: d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a
                key-id: \(key.publicKey.keyID)
                seed: nWGxne/9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A=

                """)
    }

    @Test func encryptedKeyFileOpensWithItsPassphraseAlone() throws {
        let text = try sealed()
        #expect(!text.contains("nWGxne"))
        let file = try read(text)
        #expect(file.isEncrypted && file.publicKey == key.publicKey)
        #expect(try file.unlock(passphrase: secret("correct horse")).sign([9]) == key.sign([9]))
        let error = try #require(fault { _ = try file.unlock(passphrase: secret("Tr0ub4dor&3")) })
        #expect(error.code == .passphraseWrong && error.hint != nil)
        #expect(!"\(error)".contains("Tr0ub4dor"))
        #expect(code { _ = try file.unlock(passphrase: nil) } == "key-file.passphrase-needed")
        #expect(code { _ = try file.unlock(passphrase: secret("")) } == "key-file.passphrase-unfit")
    }

    @Test func twoEncryptionsShareNeitherSaltNorNonce() throws {
        let lines = try [sealed(), sealed()].map { $0.split(separator: "\n") }
        for name in ["salt", "nonce", "sealed"] {
            let values = lines.map { $0.first { $0.hasPrefix(name) } }
            #expect(values[0] != nil && values[0] != values[1])
        }
    }

    @Test func defaultCostIsModerate() throws {
        #expect(PassphraseCost.moderate.passes == 3 && PassphraseCost.moderate.byteCount == 256 << 20)
        #expect(try KeyFile(key, passphrase: secret("x")).encoded().text.contains("argon2id-bytes: 268435456\n"))
    }

    @Test func passphraseIsOneTo1024Bytes() throws {
        for count in [0, 1_025] {
            let passphrase = try secret(String(repeating: "p", count: count))
            #expect(
                code { _ = try KeyFile(key, passphrase: passphrase, cost: .interactive) } == "key-file.passphrase-unfit"
            )
        }
        for count in [1, 1_024] {
            let passphrase = String(repeating: "p", count: count)
            #expect(try read(sealed(passphrase)).unlock(passphrase: secret(passphrase)).publicKey == key.publicKey)
        }
    }

    @Test("Case 65: a region's key file cannot be made out of a factory's without its passphrase")
    func case065_roleIsSealedWithTheSeed() throws {
        for (role, other) in [(KeyRole.factory, KeyRole.region), (.region, .factory)] {
            let text = try sealed(role: role)
            #expect(try read(text).unlock(passphrase: secret("correct horse")).role == role)
            let swapped = try read(text.replacing("role: \(role)", with: "role: \(other)"))
            #expect(code { _ = try swapped.unlock(passphrase: secret("correct horse")) } == "key-file.mismatch")
        }
    }

    @Test("Case 65: a secret key signs for its own role alone")
    func case065_requiresItsRole() throws {
        let region = try seeded(seed, role: .region)
        #expect(code { try key.require(.factory) } == nil)
        let error = try #require(fault { try region.require(.factory) })
        #expect(error.code == .keyWrongRole && error.code.exitStatus == .usage)
        #expect(error.message.contains("factory") && error.message.contains(region.publicKey.keyID))
    }

    @Test(
        arguments: [
            ("argon2id-passes: 4", nil), ("argon2id-passes: 5", "key-file.malformed"),
            ("argon2id-passes: 0", "key-file.malformed"), ("argon2id-passes: -1", "key-file.malformed"),
            ("argon2id-passes: 02", "key-file.malformed"), ("argon2id-passes: +2", "key-file.malformed"),
            ("argon2id-passes: 99999999999999999999", "key-file.malformed"), ("argon2id-bytes: 8192", nil),
            ("argon2id-bytes: 8191", "key-file.malformed"), ("argon2id-bytes: 1073741824", nil),
            ("argon2id-bytes: 1073741825", "key-file.malformed"),
            ("argon2id-bytes: 107374182400", "key-file.malformed"),
        ] as [(String, String?)]) func hostileFileCannotAskForMuch(_ line: String, _ expected: String?) throws
    {
        let name = line.prefix { $0 != ":" }
        let lines = try sealed().split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.hasPrefix(name) ? line : String($0) }
        #expect(code { _ = try read(lines.joined(separator: "\n")) } == expected)
    }

    @Test func publicHalfAndKeyIDMustBeTheSeeds() throws {
        let other = try seeded(KnownAnswerTests.rfc8032[1].seed).publicKey
        let text = try KeyFile(key).encoded().text
        let otherHalf = text.replacing(key.publicKey.hex, with: other.hex)
        #expect(code { _ = try read(otherHalf) } == "key-file.mismatch")
        let otherID = otherHalf.replacing(key.publicKey.keyID, with: other.keyID)
        #expect(code { _ = try read(otherID) } == "key-file.mismatch")
        let sealedOther = try sealed().replacing(key.publicKey.hex, with: other.hex)
            .replacing(key.publicKey.keyID, with: other.keyID)
        #expect(code { _ = try read(sealedOther).unlock(passphrase: secret("correct horse")) } == "key-file.mismatch")
    }

    @Test func toleratesOnlyBlanksAtLineEnds() throws {
        let text = try KeyFile(key).encoded().text
        for variant in [String(text.dropLast()), text.replacing("\n", with: "\r\n"), text + "\n \n"] {
            #expect(code { _ = try read(variant) } == nil)
        }
        for variant in [
            "", "\n" + text, " " + text, text + "note: mine\n", text.replacing("role: ", with: "role:"),
            text.replacing("role: factory\n", with: ""), text.replacing("factory", with: "Factory"),
            text.replacing("factory", with: "\u{202E}"), text.replacing("A=", with: "B="),
            text.replacing("2A=", with: "2A"),
            text.replacing("seed: ", with: "seed:  "), text.replacing("\n", with: "\n\n"),
            text + String(repeating: "\n", count: 4_096),
        ] {
            #expect(code { _ = try read(variant) } == "key-file.malformed", "\(variant.debugDescription)")
        }
    }

    @Test func laterVersionIsTooNew() throws {
        let text = try KeyFile(key).encoded().text.replacing("key 1\n", with: "key 2\n")
        let error = try #require(fault { _ = try read(text) })
        #expect(error.code == .keyFileTooNew && error.code.exitStatus == .unsupported)
    }

    @Test func namesWhatIsGivenInPlaceOfAKeyFile() throws {
        let pem = try #require(fault { _ = try KeyFile(decoding: key.pem()) })
        #expect(pem.hint?.contains("snpack key import") == true)
        let pub = try #require(fault { _ = try KeyFile(decoding: SecretBytes(copying: key.publicKey.fileBytes)) })
        #expect(pub.message.contains(".pub"))
        #expect(!"\(pem)\(pub)".contains(key.publicKey.hex))
    }

    @Test func nothingThatDescribesAKeyTellsItsSecret() throws {
        let file = KeyFile(key)
        let bytes = try SecretBytes(copying: hex(seed))
        var text = "\(key) \(String(reflecting: key)) \(file) \(bytes) \(String(reflecting: bytes))"
        dump(key, to: &text)
        dump(file, to: &text)
        dump(bytes, to: &text)
        for part in [String(seed.prefix(16)), "nWGxne", "157, 97"] { #expect(!text.contains(part)) }
    }

    @Test func damagedFilesNeverTrapAndNeverGiveAnotherKey() throws {
        let seed = UInt64.random(in: 0 ... .max)
        print("KeyFileTests seed \(seed)")
        var generator = SeededGenerator(state: seed)
        // 8 KiB of memory: this is about the parser and the box, not about guessing.
        let cheap = try #require(PassphraseCost(passes: 1, byteCount: 8_192))
        let passphrase = try secret("p")
        let texts = try [
            KeyFile(key).encoded().copy, KeyFile(key, passphrase: passphrase, cost: cheap).encoded().copy,
        ]
        for text in texts {
            for round in 0..<3_000 {
                var bytes = text
                for _ in 0...Int.random(in: 0...2, using: &generator) where !bytes.isEmpty {
                    let index = Int.random(in: bytes.indices, using: &generator)
                    switch Int.random(in: 0...3, using: &generator) {
                    case 0: bytes[index] ^= 1 << UInt8.random(in: 0...7, using: &generator)
                    case 1: bytes[index] = UInt8.random(in: 0...255, using: &generator)
                    case 2: bytes.remove(at: index)
                    default: bytes.removeSubrange(index...)
                    }
                }
                guard let file = try? KeyFile(decoding: SecretBytes(copying: bytes)),
                    let opened = try? file.unlock(passphrase: passphrase)
                else { continue }
                #expect(opened.publicKey == key.publicKey && opened.role == .factory, "seed \(seed) round \(round)")
            }
        }
    }
}
