import Foundation
import SnpackTestSupport
import Testing

/// What a key's owner relies on: nothing that snpack prints or leaves behind tells a seed or a passphrase.
@Suite struct SecretTests {
    private static let passphrase = "correct horse battery staple 4711"

    private func keys(_ shop: Workshop) throws {
        try shop.write("pass", Self.passphrase + "\n")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: shop.url("pass").path)
        try shop.done("keygen", "--role", "factory", "--out", "keys/sealed", "--passphrase-file", "pass")
    }

    @Test("a proxy's password is in no message, however odd its address")
    func noMessageTellsAProxysPassword() throws {
        try Workshop.open { shop in
            for proxy in ["ftp://me:horse@h", "http://me:horse@[::1", "socks9://me:horse@h:1", "http://me:horse@h:0x"] {
                let result = try shop.run(
                    ["list", "http://127.0.0.1:9/", "--json"], environment: ["http_proxy": proxy])
                #expect(result.status == 7, "\(result)")
                #expect(!(result.standardOutput + result.standardError).contains("horse"), "\(result)")
            }
        }
    }

    @Test("no command, in any form of output, tells a seed or a passphrase")
    func noCommandTellsASecret() throws {
        try Workshop.open { shop in
            try keys(shop)
            try shop.done("build", "demo.json", "--version", "1.0.0")
            let file = String(decoding: try shop.read("keys/factory.key"), as: UTF8.self)
            let line = try #require(file.split(separator: "\n").first { $0.hasPrefix("seed: ") })
            let seed = String(line.dropFirst(6))
            let hex = try #require(Data(base64Encoded: seed)).map {
                String($0 >> 4, radix: 16) + String($0 & 15, radix: 16)
            }
            .joined()
            // A damaged one, whose every byte an error might quote.
            try shop.write("keys/broken.key", file.replacing("role: factory", with: "role: fctory"))
            try shop.write("keys/half.key", String(file.dropLast(9)))
            for name in ["broken", "half"] {
                try FileManager.default.setAttributes(
                    [.posixPermissions: 0o600], ofItemAtPath: shop.url("keys/\(name).key").path)
            }
            try shop.write("wrong", "not the passphrase at all\n")
            let commands: [[String]] = [
                ["key", "show", "keys/factory.key"], ["key", "show", "keys/sealed.key"],
                ["inspect", "keys/factory.key"],
                ["inspect", "keys/sealed.key"], ["sign", "build/demo/1.0.0", "--key", "keys/factory.key"],
                ["sign", "build/demo/1.0.0", "--key", "keys/sealed.key", "--passphrase-file", "pass"],
                ["sign", "build/demo/1.0.0", "--key", "keys/sealed.key", "--passphrase-file", "wrong"],
                ["sign", "build/demo/1.0.0", "--key", "keys/broken.key"],
                ["sign", "build/demo/1.0.0", "--key", "keys/half.key"],
                ["sign", "keys/factory.key", "--key", "keys/factory.key"],
                ["publish", "build/demo/1.0.0", "--channel", "channel", "--key", "keys/factory.key"],
                ["verify", "keys/factory.key", "--factory-key", "keys/factory.pub"],
                ["verify", "channel", "--factory-key", "keys/factory.key"],
                ["build", "keys/factory.key", "--version", "1.0.0"],
                ["key", "import", "keys/factory.key", "--role", "factory", "--out", "keys/x"],
                ["store", "list", "--root", "store", "--factory-key", "keys/factory.key"],
            ]
            for words in commands {
                for form in [[], ["--json"], ["--verbose"]] {
                    let result = try shop.run(words + form)
                    let text = result.standardOutput + result.standardError
                    for secret in [
                        seed, String(seed.prefix(20)), hex, String(hex.prefix(24)), Self.passphrase, "horse",
                    ] {
                        #expect(!text.contains(secret), "\(words + form) tells a secret")
                    }
                }
            }
            // Nor does what was signed and published, or is remembered of it.
            try shop.done("sign", "build/demo/1.0.0", "--key", "keys/factory.key")
            try shop.publish("1.0.0")
            let keyFiles = ["factory.key", "broken.key", "half.key"]
            for place in ["channel", "build", "keys"] {
                for (name, bytes) in try shop.files(below: place) where place != "keys" || !keyFiles.contains(name) {
                    #expect(!String(decoding: bytes, as: UTF8.self).contains(seed.prefix(20)), "\(name)")
                }
            }
        }
    }

    @Test("a wrong passphrase takes as long as the right one, and the error says what it is")
    func wrongPassphraseIsSlowAndClear() throws {
        try Workshop.open { shop in
            try keys(shop)
            try shop.done("build", "demo.json", "--version", "1.0.0")
            try shop.write("wrong", "wrong\n")
            func seconds(_ passphrase: String, status: Int32) throws -> Double {
                let began = Date.now
                let result = try shop.run([
                    "sign", "build/demo/1.0.0", "--key", "keys/sealed.key", "--passphrase-file", passphrase,
                ])
                #expect(result.status == status, "\(result)")
                #expect(status == 0 || result.standardError.contains("[key-file.passphrase-wrong]"), "\(result)")
                return Date.now.timeIntervalSince(began)
            }
            let right = try seconds("pass", status: 0)
            let wrong = try seconds("wrong", status: 2)
            #expect(wrong > 0.1 && wrong > right / 4, "argon2id over 256 MiB has its price: \(wrong) s and \(right) s")
        }
    }

    @Test("a process that holds a key cannot be dumped, and its key's memory is locked")
    func aSignerCannotBeDumped() throws {
        try Workshop.open { shop in
            try shop.done("build", "demo.json", "--version", "1.0.0")
            // While the signer's command runs, snpack holds the channel's key; its own limits are looked at from there.
            let script = """
                ulimit -c unlimited 2>/dev/null
                "$0" publish build/demo/1.0.0 --channel channel --key keys/factory.key &
                pid=$!
                seen=""
                while kill -0 $pid 2>/dev/null; do
                    l=$(grep -s 'Max core file size' /proc/$pid/limits | awk '{print $5}')
                    k=$(awk '/VmLck/{print $2}' /proc/$pid/status 2>/dev/null)
                    [ "$l" = 0 ] && [ "${k:-0}" -gt 0 ] && seen=yes
                done
                wait $pid
                echo "$? $seen"
                """
            try shop.done("sign", "build/demo/1.0.0", "--key", "keys/factory.key")
            try shop.write("tree/big", SplitMix.sample(30_000_000))
            try shop.remove("build")
            try shop.release("1.0.0")
            let result = try SystemTool.run("bash", ["-c", script, SnpackProcess.path], in: shop.root)
            #expect(result.standardOutput.contains("0 yes"), "\(result)")
        }
    }

    @Test("a key file that is a link is refused, wherever it leads")
    func aLinkedKeyIsRefused() throws {
        try Workshop.open { shop in
            try shop.done("build", "demo.json", "--version", "1.0.0")
            try FileManager.default.createSymbolicLink(
                atPath: shop.url("keys/link.key").path, withDestinationPath: "factory.key")
            try shop.fails(2, "key-file.exposed", "sign", "build/demo/1.0.0", "--key", "keys/link.key")
        }
    }
}
