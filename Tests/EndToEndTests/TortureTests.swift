import Foundation
import SnpackTestSupport
import Testing

/// The built program, killed at random moments of everything it does; a few kills here, 1,000 under `scripts/torture`.
@Suite struct TortureTests {
    private static var killCount: Int {
        ProcessInfo.processInfo.environment["SNPACK_TORTURE"].flatMap(Int.init) ?? 50
    }

    @Test("killed at any moment of any command, old or new is left, and the next run finishes")
    func kills() throws {
        let seed =
            ProcessInfo.processInfo.environment["SNPACK_SEED"].flatMap(UInt64.init) ?? UInt64.random(in: 1 ... .max)
        var random = SplitMix(seed: seed)
        try Workshop.open { shop in
            func bash(_ script: String) throws -> ToolResult {
                try SystemTool.run(
                    "bash", ["-c", "k='--factory-key keys/factory.pub'; " + script, SnpackProcess.path], in: shop.root)
            }
            let poi = ProjectFiles.sample.appending(path: "v1/poi-sidecar/poi.sqlite").path
            try shop.define("country", layers: #"{"kind": "poi-sidecar", "source": "\#(poi)"}"#)
            try shop.write("tree/big", random.bytes(2_000_000))
            try shop.release("1.0.0")
            try shop.publish("1.0.0")
            try shop.copy("channel", to: "channel-1")
            _ = try bash(#""$0" store sync channel demo --root store-1 $k"#)
            try shop.write("tree/big", random.bytes(2_000_000))
            try shop.release("1.1.0")
            try shop.publish("1.1.0")
            try shop.copy("channel", to: "channel-2")
            let prepared = try bash(
                #"""
                set -e
                cp -r store-1 store-2; "$0" store sync channel demo --root store-2 $k
                "$0" keygen --role factory --out keys/new --no-passphrase
                "$0" build country.json --version 1.0.0 --level 1
                "$0" sign build/country/1.0.0 --key keys/factory.key
                """#)
            try #require(prepared.status == 0, "\(prepared)")

            var kills = 0
            var counts: [String: Int] = [:]
            // How long each command takes, learnt from the runs that end before their time.
            var usual: [String: Double] = [:]
            while kills < Self.killCount {
                let ordeal = Ordeal.all[kills % Ordeal.all.count]
                let what = "\(ordeal.name), seed \(seed), kill \(kills)"
                let prepared = try bash(ordeal.setUp)
                try #require(prepared.status == 0, "\(what): \(prepared)")
                let began = Date.now
                let limit = usual[ordeal.name].map { Double.random(in: 0.001...max(0.002, $0), using: &random) } ?? 60
                // The group is killed, with whatever the command has started.
                let script = """
                    k='--factory-key keys/factory.pub'
                    set -m; ( \(ordeal.command) ) >/dev/null 2>&1 & pid=$!
                    ( sleep \(limit); kill -9 -$pid 2>/dev/null ) & watch=$!
                    wait $pid 2>/dev/null; s=$?
                    kill -9 -$watch 2>/dev/null; exit $s
                    """
                let run = try SystemTool.run("bash", ["-c", script, SnpackProcess.path], in: shop.root)
                let took = Date.now.timeIntervalSince(began)
                if run.status == 137 {
                    kills += 1
                    counts[ordeal.name, default: 0] += 1
                } else {
                    #expect(run.status == 0, "\(what): \(run)")
                    usual[ordeal.name] = min(took, usual[ordeal.name] ?? took)
                }
                let sound = try bash(ordeal.soundness)
                #expect(sound.status == 0, "\(what), as it was left: \(sound)")
                let next = try bash(ordeal.again ?? ordeal.command)
                #expect(next.status == 0, "\(what), once more: \(next)")
                let after = try bash(ordeal.soundness)
                #expect(after.status == 0, "\(what), after that: \(after)")
                #expect(shop.leftovers() == [], "\(what)")
                if !shop.leftovers().isEmpty { break }
            }
            print("torture: \(kills) kills: \(counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" })")
        }
    }
}
