package import Arguments
package import Diagnostics

package struct InspectCommand: Command {
    package var spec: CommandSpec {
        CommandSpec(
            "inspect", "say what a file or directory is and what is in it",
            discussion: "Tells, and vouches for nothing: verify does that.",
            positionals: [
                PositionalSpec(
                    "ANYTHING", "a layer directory, .pmtiles, .gph, blob, release, .snpkg, channel or key")
            ],
            examples: [CommandExample("snpack inspect build/liechtenstein/1.0.0", "look into a release")])
    }

    package func run(_ arguments: ParsedArguments, in session: Session) throws(SnpackError) -> CommandResult {
        try Inspection(of: arguments.required("ANYTHING"), context: session.context).result()
    }
}
