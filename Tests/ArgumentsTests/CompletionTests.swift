import Arguments
import Foundation
import SnpackTestSupport
import Testing

/// The scripts are run by the shells they are for: bash always, zsh and fish where they are installed.
@Suite struct CompletionTests {
    static func installed(_ tool: String) -> Bool {
        ["/bin/", "/usr/bin/", "/usr/local/bin/"].contains { FileManager.default.isExecutableFile(atPath: $0 + tool) }
    }

    /// Writes the shell's script to a file, runs the shell with `arguments` there and gives what it prints.
    static func run(_ shell: CompletionShell, _ arguments: (_ scriptPath: String) -> [String]) throws -> ToolResult {
        try ProjectFiles.inTemporaryDirectory { directory in
            let script = directory.appending(path: "_tool")
            try Data(shell.script(for: SampleProgram.spec).utf8).write(to: script)
            for name in ["map.json", "notes.txt"] { try Data().write(to: directory.appending(path: name)) }
            try FileManager.default.createDirectory(
                at: directory.appending(path: "maps"), withIntermediateDirectories: false)
            return try SystemTool.run(shell.rawValue, arguments(script.path), in: directory)
        }
    }

    /// What bash offers for a line whose last word is being typed.
    static func bashOffers(_ words: [String]) throws -> [String] {
        let line = words.map { "'\($0)'" }.joined(separator: " ")
        let command = """
            source "$0"; COMP_WORDS=(\(line)); COMP_CWORD=\(words.count - 1); _tool tool '' ''
            ((${#COMPREPLY[@]})) && printf '%s\\n' "${COMPREPLY[@]}"; true
            """
        let result = try run(.bash) { ["--norc", "-euo", "pipefail", "-c", command, $0] }
        #expect(result.status == 0 && result.standardError == "", "\(result)")
        return result.standardOutput.split(separator: "\n").map(String.init).sorted()
    }

    @Test func bashAcceptsTheScript() throws {
        let result = try Self.run(.bash) { ["-n", $0] }
        #expect(result.status == 0 && result.standardError == "")
    }

    @Test(arguments: [
        (["tool", ""], ["build", "cut", "join", "key", "store"]),
        (["tool", "b"], ["build"]),
        (["tool", "--json", "k"], ["key"]),
        (["tool", "--jobs", "4", "ke"], ["key"]),
        (["tool", "--jobs", "=", "4", "ke"], ["key"]),
        (["tool", "key", ""], ["export", "show"]),
        (["tool", "build", "--f"], ["--factory-key"]),
        (["tool", "store", "list", "--r"], ["--root"]),
        (["tool", "build", "--role", ""], ["factory", "region"]),
        (["tool", "build", "--role", "="], ["factory", "region"]),
        (["tool", "build", "--role", "=", "re"], ["region"]),
        (["tool", "build", "--version", ""], []),
        (["tool", "build", "m"], ["map.json", "maps"]),
        (["tool", "build", "map.json", "m"], []),
        (["tool", "build", "--out", "m"], ["maps"]),
        (["tool", "build", "-o", ""], ["maps"]),
        (["tool", "build", "--role", "factory", "no"], ["notes.txt"]),
        (["tool", "key", "show", "no"], ["notes.txt"]),
        (["tool", "join", "maps", "a", "b", "no"], ["notes.txt"]),
        (["tool", "store", "style", ""], ["dark", "light"]),
        (["tool", "build", "--", "--x"], []),
    ])
    func bashOffersWhatFits(_ words: [String], _ offers: [String]) throws {
        #expect(try Self.bashOffers(words) == offers)
    }

    @Test(.enabled(if: installed("zsh"), "zsh is not installed"))
    func zshAcceptsTheScript() throws {
        let result = try Self.run(.zsh) { ["-n", $0] }
        #expect(result.status == 0 && result.standardError == "")
    }

    /// A zsh in a pseudo-terminal of its own presses Tab, and lists what comes up.
    @Test(
        .enabled(if: installed("zsh"), "zsh is not installed"),
        arguments: [
            ("tool ", ["build", "cut", "join", "key", "store"]), ("tool key ", ["export", "show"]),
            ("tool build --role ", ["factory", "region"]), ("tool build --o", ["--out"]),
            ("tool build --out ", ["maps"]), ("tool --json store style --root x ", ["dark", "light"]),
        ] as [(String, [String])])
    func zshOffersWhatFits(_ line: String, _ offers: [String]) throws {
        let driver = """
            zmodload zsh/zpty
            zpty z zsh -f -i
            zpty -w z "PS1=; PS2=; stty -echo; autoload -Uz compinit; compinit -D -u; source $1
            zstyle ':completion:*' verbose no
            compadd() { local -a found; builtin compadd -O found \\"\\$@\\"; print -rl -- 'offer '\\$^found; builtin compadd \\"\\$@\\" }
            bindkey '^I' complete-word; bindkey '^X' send-break; print rea''dy"
            zpty -r -m z found '*ready*' || exit 3
            zpty -w -n z "$2"$'\\t'
            sleep 1
            while zpty -r -t z chunk; do print -rn -- $chunk; done
            zpty -d z
            """
        let result = try Self.run(.zsh) { ["-f", "-c", driver, "driver", $0, line] }
        let found = Set(
            result.standardOutput.split(whereSeparator: \.isNewline).compactMap { text in
                text.firstRange(of: "offer ").map {
                    String(text[$0.upperBound...]).trimmingCharacters(in: .whitespaces)
                }
            })
        #expect(found.isSuperset(of: offers), "\(result)")
        #expect(found.isDisjoint(with: ["notes.txt"]))
    }

    @Test(
        .enabled(if: installed("fish"), "fish is not installed"),
        arguments: [
            ("tool ", ["build", "cut", "join", "key", "store"]), ("tool --jobs 4 k", ["key"]),
            ("tool key ", ["export", "show"]), ("tool build --role ", ["factory", "region"]),
            ("tool build --role=", ["--role=factory", "--role=region"]), ("tool build --o", ["--out"]),
            ("tool build --out ", ["maps/"]), ("tool build no", ["notes.txt"]), ("tool key show no", ["notes.txt"]),
            ("tool store --root list style ", ["dark", "light"]), ("tool build --version ", []),
        ] as [(String, [String])])
    func fishOffersWhatFits(_ line: String, _ offers: [String]) throws {
        let result = try Self.run(.fish) { ["--no-config", "-c", "source $argv[1]; complete -C $argv[2]", $0, line] }
        #expect(result.status == 0 && result.standardError == "", "\(result)")
        let found = result.standardOutput.split(separator: "\n").map { String($0.prefix { $0 != "\t" }) }
        #expect(found.sorted() == offers)
    }
}
