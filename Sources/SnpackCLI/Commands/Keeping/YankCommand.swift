package import Arguments
package import Diagnostics
import TerritoryFactory
import TerritoryModel

package struct YankCommand: Command {
    package var spec: CommandSpec {
        KeepingCommand.spec(
            "yank", "withdraw a version, with the reason",
            discussion: """
                The version stays listed and its files stay, so that nobody's download breaks; it is not newly installed any \
                more, and where it is installed it is flagged and goes on working. If it was the territory's latest, the \
                greatest version that is not withdrawn takes its place. Clients never go back by themselves: snpack republish \
                gives them a good version under a higher number.
                """,
            options: [.value("reason", "TEXT", "why, as people will read it: 1 to 500 characters", required: true)],
            example: "liechtenstein@1.1.0 --reason \"a bridge is missing\"", "withdraw a bad version")
    }

    package func run(_ arguments: ParsedArguments, in session: Session) throws(SnpackError) -> CommandResult {
        let name = try arguments.releaseName(arguments.required("ID@V"))
        let reason = try DisplayText(writing: arguments.required("reason"), length: Limits.yankReason)
        let outcome = try KeepingCommand.keeper(arguments, session).yank(name, reason: reason)
        return KeepingCommand.result(outcome, arguments, "\(name) is withdrawn")
    }
}
