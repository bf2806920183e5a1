import Diagnostics
import Foundation
import Signing
import SnpackTestSupport
import Testing

private let hasOpenSSL =
    (try? run(["openssl", "version"], in: URL(filePath: "/")).status) == 0

@Suite struct PEMTests {
    let key: SecretKey
    let seed = KnownAnswerTests.rfc8032[0].seed

    init() throws { key = try seeded(seed) }

    private func read(_ text: String) throws -> SecretKey { try SecretKey(pem: secret(text), role: .factory) }

    private func pem(_ der: [UInt8], _ label: String = "PRIVATE KEY") -> String {
        let body = Data(der).base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
        return "-----BEGIN \(label)-----\n\(body)\n-----END \(label)-----\n"
    }

    @Test func writesTheFormOfRFC8410() throws {
        #expect(
            try key.pem().text == """
                -----BEGIN PRIVATE KEY-----
                MC4CAQAwBQYDK2VwBCIEIJ1hsZ3v/VpguoRK9JLsLMREScVpezJpGXA7rAMcrn9g
                -----END PRIVATE KEY-----

                """)
        #expect(try read(key.pem().text).publicKey == key.publicKey)
        #expect(try PublicKey(pem: Array(key.publicKey.pem.utf8)) == key.publicKey)
    }

    @Test(.enabled(if: hasOpenSSL, "the openssl program is not installed"))
    func openSSLReadsAndWritesTheSameFiles() throws {
        try ProjectFiles.inTemporaryDirectory { directory in
            try Data(key.pem().copy).write(to: directory.appending(path: "ours.pem"))
            let copy = try run(["openssl", "pkey", "-in", "ours.pem"], in: directory)
            #expect(copy.status == 0)
            #expect(try copy.output == key.pem().copy)
            let pub = try run(["openssl", "pkey", "-in", "ours.pem", "-pubout"], in: directory)
            #expect(pub.output == Array(key.publicKey.pem.utf8))

            let made = try run(["openssl", "genpkey", "-algorithm", "ed25519"], in: directory)
            #expect(made.status == 0)
            let theirs = try SecretKey(pem: SecretBytes(copying: made.output), role: .region)
            #expect(theirs.role == .region)
            #expect(try theirs.pem().copy == made.output)
            try Data(made.output).write(to: directory.appending(path: "theirs.pem"))
            let theirPub = try run(["openssl", "pkey", "-in", "theirs.pem", "-pubout"], in: directory)
            #expect(try PublicKey(pem: theirPub.output) == theirs.publicKey)
        }
    }

    @Test(.enabled(if: hasOpenSSL, "the openssl program is not installed"))
    func openSSLVerifiesOurSignaturesAndMakesTheSame() throws {
        try ProjectFiles.inTemporaryDirectory { directory in
            for text in ["{}", "the exact bytes\n", String(repeating: "long ", count: 20_000)] {
                let signature = try key.sign(Array(text.utf8))
                try Data(text.utf8).write(to: directory.appending(path: "message"))
                try Data(signature.bytes).write(to: directory.appending(path: "message.sig"))
                try Data(key.publicKey.pem.utf8).write(to: directory.appending(path: "pub.pem"))
                try Data(key.pem().copy).write(to: directory.appending(path: "key.pem"))
                let verify = [
                    "openssl", "pkeyutl", "-verify", "-rawin", "-pubin", "-inkey", "pub.pem", "-in", "message",
                    "-sigfile",
                    "message.sig",
                ]
                #expect(try run(verify, in: directory).status == 0)
                let sign = ["openssl", "pkeyutl", "-sign", "-rawin", "-inkey", "key.pem", "-in", "message"]
                #expect(try run(sign, in: directory).output == signature.bytes)
                try Data((text + " ").utf8).write(to: directory.appending(path: "message"))
                #expect(try run(verify, in: directory).status != 0)
            }
        }
    }

    @Test(
        .enabled(if: hasOpenSSL, "the openssl program is not installed"),
        arguments: [
            ("RSA", ["-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048"]), ("X25519", ["-algorithm", "X25519"]),
            ("Ed448", ["-algorithm", "ED448"]), ("X448", ["-algorithm", "X448"]),
            ("EC", ["-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256"]),
        ]) func refusesOtherAlgorithmsByName(_ name: String, _ options: [String]) throws
    {
        try ProjectFiles.inTemporaryDirectory { directory in
            let made = try run(["openssl", "genpkey", "-out", "key.pem"] + options, in: directory)
            #expect(made.status == 0)
            let text = try String(contentsOf: directory.appending(path: "key.pem"), encoding: .utf8)
            let error = try #require(fault { _ = try read(text) })
            #expect(error.code == .pemOtherAlgorithm && error.message.contains(" \(name),"))
            let pub = try run(["openssl", "pkey", "-in", "key.pem", "-pubout"], in: directory)
            let publicError = try #require(fault { _ = try PublicKey(pem: pub.output) })
            #expect(publicError.code == .pemOtherAlgorithm && publicError.message.contains(" \(name),"))
            let old = try run(["openssl", "pkey", "-in", "key.pem", "-traditional"], in: directory)
            // OpenSSL has an older form for some algorithms alone.
            let oldError = old.output.isEmpty ? nil : code { _ = try read(String(decoding: old.output, as: UTF8.self)) }
            #expect(oldError == (["RSA", "EC"].contains(name) ? "pem.other-algorithm" : nil))
        }
    }

    @Test(.enabled(if: hasOpenSSL, "the openssl program is not installed"))
    func encryptedPEMIsRefusedWithTheWayOut() throws {
        try ProjectFiles.inTemporaryDirectory { directory in
            let made = try run(
                ["openssl", "genpkey", "-algorithm", "ed25519", "-aes256", "-pass", "pass:example", "-out", "key.pem"],
                in: directory)
            #expect(made.status == 0)
            let text = try String(contentsOf: directory.appending(path: "key.pem"), encoding: .utf8)
            let error = try #require(fault { _ = try read(text) })
            #expect(error.message.contains("encrypted") && error.hint?.contains("openssl pkey") == true)
        }
    }

    @Test func refusesOtherTextAndDER() throws {
        let good = try key.pem().text
        let der = hex("302e020100300506032b657004220420" + seed)
        #expect(code { _ = try read(pem(der)) } == nil)
        #expect(code { _ = try read(good.replacing("\n", with: "\r\n")) } == nil)
        let longForms = [
            hex("30812e020100300506032b657004220420" + seed), hex("302f02020000300506032b657004220420" + seed),
            hex("3030020100300706032b6570050004220420" + seed), hex("302e020101300506032b657004220420" + seed),
            hex("302e020100300506032b65700422041f" + seed), hex("302d020100300506032b65700421041f" + seed.dropLast(2)),
            hex("302f020100300506032b657004230421" + seed + "00"), der + [0], Array(der.dropLast()), [0x30, 0x80],
            [0x30], [],
            hex("3084ffffffff"), hex("3082ffff"), hex("302e020100300506032b657104220420" + seed), hex("0500"),
        ]
        for bytes in longForms { #expect(code { _ = try read(pem(bytes)) }?.hasPrefix("pem.") == true, "\(bytes)") }
        for text in [
            "", "\n", "x\n" + good, good + good, good + "x", " " + good, good.replacing("-----END", with: "----END"),
            good.replacing("PRIVATE KEY-----\nM", with: "PRIVATE KEY-----\n\nM"), good.replacing("MC4C", with: "MC4C "),
            good.replacing("MC4C", with: "MC4C\n"), good.replacing("MC4C", with: "MC4-"),
            good.replacing("PRIVATE", with: "OPENSSH PRIVATE"), good.replacing("PRIVATE KEY", with: "CERTIFICATE"),
            key.publicKey.pem, String(repeating: "A", count: 20_000),
        ] {
            #expect(code { _ = try read(text) } == "pem.malformed", "\(text.debugDescription)")
        }
        #expect(code { _ = try PublicKey(pem: Array(good.utf8)) } == "pem.malformed")
        let small = hex("302a300506032b6570032100" + PublicKeyTests.smallOrder[2])
        #expect(code { _ = try PublicKey(pem: Array(pem(small, "PUBLIC KEY").utf8)) } == "key.invalid")
        let oddBits = hex("302a300506032b6570032101" + KnownAnswerTests.rfc8032[0].publicKey)
        #expect(code { _ = try PublicKey(pem: Array(pem(oddBits, "PUBLIC KEY").utf8)) } == "pem.malformed")
    }

    @Test func damagedPEMNeverTraps() throws {
        let seed = UInt64.random(in: 0 ... .max)
        print("PEMTests seed \(seed)")
        var generator = SeededGenerator(state: seed)
        let der = hex("302e020100300506032b657004220420" + self.seed)
        for _ in FuzzRounds(3_000) {
            var bytes = der
            for _ in 0...Int.random(in: 0...3, using: &generator) {
                bytes[Int.random(in: bytes.indices, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            }
            if Bool.random(using: &generator) { bytes.removeLast(Int.random(in: 0...20, using: &generator)) }
            _ = try? read(pem(bytes))
            var text = Array(pem(bytes).utf8)
            text[Int.random(in: text.indices, using: &generator)] ^= 1 << UInt8.random(in: 0...7, using: &generator)
            _ = try? SecretKey(pem: SecretBytes(copying: text), role: .factory)
        }
    }
}
