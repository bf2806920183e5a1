import Foundation
import SnpackTestSupport
import Testing

/// The built program, killed at random moments of everything it does; a few kills here, 1,000 under `scripts/torture`.
@Suite struct TortureTests {
    /// One command, what it starts from, and what must hold whenever it is stopped.
    private struct Ordeal {
        let name: String
        /// Run in the workshop before each kill, to have something to do.
        let setUp: String
        let command: String
        /// Must succeed after the kill: what is there is whole.
        let soundness: String
        /// What ends the job, if it is not the command once more.
        var again: String?
    }

    /// `$0` is snpack, `$k` the pinned key.
    private static let ordeals = [
        Ordeal(
            name: "build", setUp: "rm -rf build/demo/2.0.0",
            command: #""$0" build demo.json --version 2.0.0 --level 1"#,
            soundness: #"[ ! -e build/demo/2.0.0 ] || "$0" unpack build/demo/2.0.0 -o out --no-verify; rm -rf out"#),
        Ordeal(
            name: "sign", setUp: "rm -f build/demo/1.1.0/manifest.json.sig",
            command: #""$0" sign build/demo/1.1.0 --key keys/factory.key"#,
            soundness: #"[ ! -e build/demo/1.1.0/manifest.json.sig ] || "$0" verify build/demo/1.1.0 $k"#),
        Ordeal(
            name: "publish", setUp: "rm -rf channel; cp -r channel-1 channel; rm -f keys/*.published.json",
            command: #""$0" publish build/demo/1.1.0 --channel channel --key keys/factory.key --adopt"#,
            soundness: #""$0" verify channel $k"#),
        Ordeal(
            name: "pack", setUp: "rm -f demo.snpkg", command: #""$0" pack build/demo/1.0.0 -o demo.snpkg"#,
            soundness: #"[ ! -e demo.snpkg ] || "$0" verify demo.snpkg $k"#),
        Ordeal(
            name: "unpack", setUp: "rm -rf out", command: #"[ -e out ] || "$0" unpack build/demo/1.0.0 -o out $k"#,
            soundness: #"[ ! -e out ] || "$0" verify out $k"#),
        Ordeal(
            name: "install", setUp: "rm -rf store", command: #""$0" store sync channel-1 demo --root store $k"#,
            soundness: #"[ ! -e store/territories/demo/state.json ] || "$0" store verify demo --root store $k"#),
        Ordeal(
            name: "update", setUp: "rm -rf store; cp -r store-1 store",
            command: #""$0" store sync channel-2 demo --root store $k"#,
            soundness: #""$0" store verify demo --root store $k"#),
        Ordeal(
            name: "repair",
            setUp:
                "rm -rf store; cp -r store-1 store; f=store/territories/demo/1.0.0/package/tree/b; chmod 644 $f; echo > $f",
            command: #""$0" store repair demo channel-2 --root store $k"#,
            soundness: #""$0" store list --root store $k | grep -q 1.0.0"#),
        Ordeal(
            name: "rollback", setUp: "rm -rf store; cp -r store-2 store",
            command: #""$0" store rollback demo --root store $k"#,
            soundness: #""$0" store verify demo --root store $k"#,
            again: #""$0" store sync channel-2 demo --root store $k"#),
        Ordeal(
            name: "remove", setUp: "rm -rf store; cp -r store-1 store",
            command: #""$0" store remove demo --root store $k"#,
            soundness: #"[ ! -e store/territories/demo/state.json ] || "$0" store verify demo --root store $k"#,
            again: #""$0" store sync channel-2 demo --root store $k"#),
    ]

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
            try shop.write("tree/big", random.bytes(2_000_000))
            try shop.release("1.0.0")
            try shop.publish("1.0.0")
            try shop.copy("channel", to: "channel-1")
            _ = try bash(#""$0" store sync channel demo --root store-1 $k"#)
            try shop.write("tree/big", random.bytes(2_000_000))
            try shop.release("1.1.0")
            try shop.publish("1.1.0")
            try shop.copy("channel", to: "channel-2")
            _ = try bash(#"cp -r store-1 store-2; "$0" store sync channel demo --root store-2 $k"#)

            var kills = 0
            var counts: [String: Int] = [:]
            // How long each command takes, learnt from the runs that end before their time.
            var usual: [String: Double] = [:]
            while kills < Self.killCount {
                let ordeal = Self.ordeals[kills % Self.ordeals.count]
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
