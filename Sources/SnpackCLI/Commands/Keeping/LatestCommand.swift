package import Arguments
package import Diagnostics
import TerritoryFactory

package struct LatestCommand: Command {
    package var spec: CommandSpec {
        KeepingCommand.spec(
            "latest", "choose the version that clients are offered",
            discussion: """
                By default a territory's latest version is the greatest that is no pre-release. The choice holds until a \
                version is published. Clients that have a higher version keep it.
                """,
            example: "liechtenstein@1.1.0", "offer a version")
    }

    package func run(_ arguments: ParsedArguments, in session: Session) throws(SnpackError) -> CommandResult {
        let name = try arguments.releaseName(arguments.required("ID@V"))
        let outcome = try KeepingCommand.keeper(arguments, session).offer(name)
        return KeepingCommand.result(outcome, arguments, "\(name) is the latest version")
    }
}
