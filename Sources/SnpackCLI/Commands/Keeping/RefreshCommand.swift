package import Arguments
package import Diagnostics
import TerritoryFactory

package struct RefreshCommand: Command {
    package var spec: CommandSpec {
        KeepingCommand.spec(
            "refresh", "sign the index again, so that it stays fresh",
            discussion: """
                Nothing but the sequence and the times changes. Without --valid-for the new index is good for as long as \
                the last was. Run it from a timer, well within the validity.
                """,
            positionals: [], example: "--valid-for 30d", "keep a channel fresh for another 30 days")
    }

    package func run(_ arguments: ParsedArguments, in session: Session) throws(SnpackError) -> CommandResult {
        let outcome = try KeepingCommand.keeper(arguments, session).refresh()
        return KeepingCommand.result(outcome, arguments, "the index is signed again")
    }
}
