import Foundation
import SnpackTestSupport
import Testing

/// `republish`, `prune`, `mirror` and `resign`, killed at any moment.
@Suite struct KilledKeepingTests {
    @Test("Case 83: what keeps a channel may be killed: everything listed is whole, and the next run finishes")
    func case083_killed() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SplitMix(seed: seed)
        try Workshop.open { shop in
            try shop.write("tree/big", random.bytes(2_000_000))
            for version in ["1.0.0", "1.1.0", "1.2.0"] {
                try shop.write("note.txt", random.bytes(400_000))
                try shop.release(version)
                try shop.publish(version)
            }
            try shop.done("keygen", "--role", "factory", "--out", "keys/new", "--no-passphrase")
            let sign = ["--channel", "channel", "--key", "keys/factory.key"]
            let key = ["--factory-key", "keys/factory.pub"]
            let commands: [(words: [String], target: String, key: String)] = [
                (["mirror", "channel", "mirror"] + key, "mirror", "factory"),
                (
                    ["resign", "--channel", "channel", "--key", "keys/new.key", "--out", "second"] + key, "second",
                    "new"
                ),
                (["republish", "demo@1.0.0", "--as", "1.3.0"] + sign, "channel", "factory"),
                (["prune", "--keep", "1", "--grace", "0s"] + sign, "channel", "factory"),
            ]
            try shop.copy("channel", to: "before")
            try shop.copy("keys", to: "keys-before")
            var killed = 0
            for command in commands {
                var usual = 0.0
                for round in 0..<6 {
                    for name in ["mirror", "second", "channel", "keys"] where shop.exists(name) {
                        try shop.remove(name)
                    }
                    try shop.copy("before", to: "channel")
                    try shop.copy("keys-before", to: "keys")
                    let limit = usual == 0 ? 60 : Double.random(in: 0.002...max(0.003, usual), using: &random)
                    let began = Date.now
                    let result = try shop.run(command.words, seconds: limit)
                    let took = Date.now.timeIntervalSince(began)
                    if result.timedOut { killed += 1 } else { usual = usual == 0 ? took : min(usual, took) }
                    let what = "seed \(seed), \(command.words[0]), round \(round)"
                    func verify() throws -> ToolResult {
                        try shop.run(["verify", command.target, "--factory-key", "keys/\(command.key).pub"])
                    }
                    if shop.exists("\(command.target)/index.signed") {
                        let verdict = try verify()
                        // A mirror's pair is written before index.signed.
                        let isAhead = command.target == "mirror" && verdict.standardError.contains("pair-mismatch")
                        #expect(verdict.status == 0 || isAhead, "\(what): \(verdict)")
                    }
                    let next = try shop.run(command.words)
                    #expect(next.status == 0, "\(what): \(next)")
                    let after = try verify()
                    #expect(after.status == 0 && shop.leftovers() == [], "\(what): \(after)")
                }
            }
            #expect(killed >= 4, "only \(killed) of 24 runs were killed: seed \(seed)")
        }
    }
}
