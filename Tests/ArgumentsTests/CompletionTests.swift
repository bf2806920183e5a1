import Arguments
import Foundation
import SnpackTestSupport
import Testing

/// The scripts are run by the shells they are for: bash always, zsh and fish where they are there.
@Suite struct CompletionTests {
    /// Runs `body` with the shell's script in a directory that has a few files.
    static func withScript<Result>(of shell: CompletionShell, _ body: (_ script: URL, URL) throws -> Result) throws
        -> Result
    {
        try ProjectFiles.inTemporaryDirectory { directory in
            let script = directory.appending(path: "_tool")
            try Data(shell.script(for: SampleProgram.spec).utf8).write(to: script)
            for name in ["map.json", "notes.txt"] { try Data().write(to: directory.appending(path: name)) }
            try FileManager.default.createDirectory(
                at: directory.appending(path: "maps"), withIntermediateDirectories: false)
            return try body(script, directory)
        }
    }

    /// The shell reads the script to its end without a complaint.
    private func accepts(_ shell: CompletionShell) throws {
        try Self.withScript(of: shell) { script, _ in
            let result = try SystemTool.run(shell.rawValue, ["-n", script.path])
            #expect(result.status == 0 && result.standardError == "", "\(result)")
        }
    }

    @Test func bashAcceptsTheScript() throws { try accepts(.bash) }

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
        try Self.withScript(of: .bash) { script, directory in
            let (found, result) = try ShellCompletion.bash(
                "source '\(script.path)'", function: "_tool", words: words, in: directory)
            #expect(result.status == 0 && result.standardError == "" && found == offers, "\(result)")
        }
    }

    @Test(.enabled(if: ShellCompletion.isInstalled("zsh"), "zsh is not installed"))
    func zshAcceptsTheScript() throws { try accepts(.zsh) }

    /// A zsh in a pseudo-terminal of its own presses Tab, and lists what comes up.
    @Test(
        .enabled(if: ShellCompletion.isInstalled("zsh"), "zsh is not installed"),
        arguments: [
            ("tool ", ["build", "cut", "join", "key", "store"]), ("tool key ", ["export", "show"]),
            ("tool build --role ", ["factory", "region"]), ("tool build --o", ["--out"]),
            ("tool build --out ", ["maps"]), ("tool --json store style --root x ", ["dark", "light"]),
        ] as [(String, [String])])
    func zshOffersWhatFits(_ line: String, _ offers: [String]) throws {
        let (found, result) = try Self.withScript(of: .zsh) { script, directory in
            try ShellCompletion.zsh("compinit -D -u; source $directory", at: script, line: line, in: directory)
        }
        #expect(found.isSuperset(of: offers), "\(result)")
        #expect(found.isDisjoint(with: ["notes.txt"]))
    }

    @Test(
        .enabled(if: ShellCompletion.isInstalled("fish"), "fish is not installed"),
        arguments: [
            ("tool ", ["build", "cut", "join", "key", "store"]), ("tool --jobs 4 k", ["key"]),
            ("tool key ", ["export", "show"]), ("tool build --role ", ["factory", "region"]),
            ("tool build --role=", ["--role=factory", "--role=region"]), ("tool build --o", ["--out"]),
            ("tool build --out ", ["maps/"]), ("tool build no", ["notes.txt"]), ("tool key show no", ["notes.txt"]),
            ("tool store --root list style ", ["dark", "light"]), ("tool build --version ", []),
        ] as [(String, [String])])
    func fishOffersWhatFits(_ line: String, _ offers: [String]) throws {
        try Self.withScript(of: .fish) { script, directory in
            let (found, result) = try ShellCompletion.fish(
                "source $argv[1]", at: script, line: line, in: directory)
            #expect(result.status == 0 && result.standardError == "" && found == offers, "\(result)")
        }
    }
}
