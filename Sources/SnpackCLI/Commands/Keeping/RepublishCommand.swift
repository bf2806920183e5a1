package import Arguments
package import Diagnostics
import TerritoryFactory
import TerritoryModel

package struct RepublishCommand: Command {
    package var spec: CommandSpec {
        KeepingCommand.spec(
            "republish", "publish a version's content again under a higher version",
            discussion: """
                The way to undo a bad release: clients never go back to a lower version, so the good one gets a higher \
                number. Its blobs are linked, not copied, and a client that still has them fetches none.
                """,
            options: [.value("as", "V2", "the new version, above all that were offered", required: true)],
            staging: false, example: "liechtenstein@1.0.0 --as 1.2.0", "bring a good version back over a bad one")
    }

    package func run(_ arguments: ParsedArguments, in session: Session) throws(SnpackError) -> CommandResult {
        let name = try arguments.releaseName(arguments.required("ID@V"))
        let version = try TerritoryVersion(parsing: arguments.required("as"))
        let outcome = try KeepingCommand.keeper(arguments, session).republish(name, as: version)
        return KeepingCommand.result(outcome, arguments, "\(name) is published as \(version)")
    }
}
