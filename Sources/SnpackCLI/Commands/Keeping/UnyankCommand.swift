package import Arguments
package import Diagnostics
import TerritoryFactory

package struct UnyankCommand: Command {
    package var spec: CommandSpec {
        KeepingCommand.spec(
            "unyank", "offer a withdrawn version again",
            discussion: "Takes back what snpack yank did.", example: "liechtenstein@1.1.0", "offer a version again")
    }

    package func run(_ arguments: ParsedArguments, in session: Session) throws(SnpackError) -> CommandResult {
        let name = try arguments.releaseName(arguments.required("ID@V"))
        let outcome = try KeepingCommand.keeper(arguments, session).unyank(name)
        return KeepingCommand.result(outcome, arguments, "\(name) is offered again")
    }
}
