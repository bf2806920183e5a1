package import Arguments
package import Diagnostics
import TerritoryModel

package struct CompletionsCommand: Command {
    package var spec: CommandSpec {
        CommandSpec(
            "completions", "print a script that completes snpack's words in a shell",
            discussion: """
                bash: save it as ~/.local/share/bash-completion/completions/snpack. zsh: save it as _snpack in a \
                directory of $fpath. fish: save it as ~/.config/fish/completions/snpack.fish.
                """,
            positionals: [
                PositionalSpec(
                    "SHELL", "the shell it is for", form: .choice(CompletionShell.allCases.map(\.rawValue)))
            ],
            examples: [CommandExample("source <(snpack completions bash)", "complete in this bash from now on")])
    }

    package func run(_ arguments: ParsedArguments, in session: Session) throws(SnpackError) -> CommandResult {
        let name = arguments.required("SHELL")
        guard let shell = CompletionShell(rawValue: name) else {
            throw arguments.invalid(name, "SHELL", "bash, zsh or fish")
        }
        let script = shell.script(for: CommandTable.program)
        return CommandResult(["shell": .string(name), "script": .string(script)], verbatim: script)
    }
}
