import Arguments
import SnpackCLI
import Testing

/// The command line that scripts and CI jobs depend on: names, flags and exit statuses do not change.
@Suite struct ContractTests {
    private static let signing = "--channel c --key k.key"

    /// Every command with every option that is promised, repeatable ones twice.
    static let lines: [String] = [
        "keygen --role factory --out keys/factory --no-passphrase",
        "keygen --role region --out keys/region --passphrase-file f",
        "key show f.pub",
        "key export f.key --pem",
        "key import f.pem --role factory --out p",

        "build d.json --version 1.0.0 --data-timestamp 2026-01-01T00:00:00Z --out build --layer a=b --layer c=d --level 3"
            + " --reuse a --reuse b --patch-from a --patch-from b --no-cache --allow all --allow x",
        "build d.json --version 1.0.0 --no-patches",
        "sign a b --key f.key",
        "sign a --key f.key --passphrase-file p",
        "sign a --signer-command c --public-key k --role region",
        "publish a b \(signing) --name main --valid-for 30d --latest a@1.0.0 --latest b@1.0.0 --sequence 7 --adopt --state s",
        "publish a --channel c --stage --factory-key k",
        "publish --commit --channel c --factory-key k",
        "publish r --channel regions/x --key r.key --gateway base",
        "verify t --factory-key k --factory-key l --region-key m --region-key n --partial --junit f.xml",
        "verify t --factory-key k --shallow",
        "cut s --factory-key k --bbox -9.5,47,10,48 --name n --version 1.0.0 --omit style --omit pmtiles --out d",
        "cut s --factory-key k --area a.geojson --buffer 100 --name n --out d",
        "cut s --factory-key k --corridor a.geojson --buffer 100 --name n --out d",
        "pack r -o f.snpkg",
        "unpack f.snpkg -o d --factory-key k",
        "unpack f.snpkg -o d --no-verify",

        "inspect x", "diff a b", "list c",
        "yank a@1.0.0 --reason x \(signing)", "unyank a@1.0.0 \(signing)", "latest a@1.0.0 \(signing)",
        "refresh --valid-for 30d \(signing)", "republish a@1.0.0 --as 1.1.0 \(signing)",
        "prune --keep 3 --dry-run \(signing)",
        "resign --factory-key old.pub --out d \(signing)",
        "mirror s d --factory-key k --territory a --territory b --latest-only",
        "yank a@1.0.0 --reason x --channel c --stage --factory-key k",
        "unyank a@1.0.0 --channel c --stage --factory-key k", "latest a@1.0.0 --channel c --stage --factory-key k",
        "refresh --valid-for 30d --channel c --stage --factory-key k",
        "prune --keep 3 --channel c --stage --factory-key k",

        "geocode build p.ndjson -o d", "pmtiles convert a.mbtiles b.pmtiles", "valhalla unpack t.tar d",
        "completions bash", "completions zsh", "completions fish", "manual", "help build",
    ]

    private static let store =
        "--root d --factory-key a --factory-key b --region-key c --region-key d --retired-key e --retired-key f"
        + " --channel-name main"
    static let storeLines = [
        "install s", "install s a", "install s a@1.0.0 --omit style --omit pmtiles", "sync s a", "check s a", "list",
        "activate a", "active", "path a pmtiles", "style a", "style a --theme light", "style a --theme dark",
        "search a query --near -47,9 --viewbox -9,47,10,48 --limit 3", "reverse a -47,9 --limit 3", "verify a",
        "repair a",
        "repair a s", "rollback a", "remove a", "cache", "cache --clear",
        "install s a --allow-downgrade --allow-yanked --allow-expired --allow-older-index --max-age 7d",
        "sync s a --allow-downgrade --allow-yanked --allow-expired --allow-older-index --max-age 7d",
        "sync https://x a --api-key-file f --gateway", "check https://x a --api-key-file f --gateway",
    ].map { "store \($0) \(store)" }

    static let everywhere = "--json --quiet --verbose --no-color --jobs 4"

    @Test(arguments: lines + storeLines) func promisedLinesParse(_ line: String) throws {
        for words in ["\(line) \(Self.everywhere)", "\(Self.everywhere) \(line)"] {
            let words = words.split(separator: " ").map(String.init)
            guard case .run(let arguments) = try ArgumentParser.parse(words, by: CommandTable.program) else {
                Issue.record("\(line) runs nothing")
                continue
            }
            #expect(line.hasPrefix(arguments.path.words.joined(separator: " ")))
        }
    }

    /// What cannot do without an option says so, before anything is done.
    @Test(arguments: [
        "keygen --out k", "keygen --role factory", "build d.json", "sign a", "publish a --channel c",
        "publish a --key k",
        "cut s --factory-key k --bbox 1,2,3,4 --name n", "cut s --factory-key k --out d --name n", "pack r",
        "unpack f -o d",
        "verify t", "yank a@1.0.0 --channel c --key k", "republish a@1.0.0 --channel c --key k",
        "prune --channel c --key k",
        "mirror s d", "resign --channel c --out d --key k", "store list", "keygen --role admin --out k",
        "completions tcsh",
        "store list --root d --factory-key k --near 1,2", "verify t --retired-key k",
    ])
    func linesThatLackSomethingDoNotParse(_ line: String) {
        #expect(throws: (any Error).self) {
            try ArgumentParser.parse(line.split(separator: " ").map(String.init), by: CommandTable.program)
        }
    }

    @Test func nothingElseIsInTheTable() {
        let promised = Set((Self.lines + Self.storeLines).map { $0.split(separator: " ").map(String.init) })
        for path in CommandTable.program.paths where path.subcommands.isEmpty {
            #expect(promised.contains { $0.starts(with: path.words) }, "\(path.invocation)")
        }
    }

    @Test func exitStatusesAreTheManuals() {
        #expect(CommandTable.program.exitStatuses.map(\.status) == [0, 1, 2, 3, 4, 5, 6, 7, 8, 130, 143])
    }
}
