package import Arguments
package import Diagnostics
import TerritoryModel

package struct HelpCommand: Command {
    package var spec: CommandSpec {
        CommandSpec(
            "help", "say how a command is used",
            positionals: [PositionalSpec("COMMAND", "the command's words", .any, form: .text)],
            examples: [CommandExample("snpack help key show", "say how key show is used")])
    }

    package func run(_ arguments: ParsedArguments, in session: Session) throws(SnpackError) -> CommandResult {
        SnpackProgram.help(try CommandPath(CommandTable.program, naming: arguments.values("COMMAND")))
    }
}
