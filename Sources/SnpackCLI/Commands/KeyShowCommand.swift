package import Arguments
package import Diagnostics

package struct KeyShowCommand: Command {
    package var spec: CommandSpec {
        CommandSpec(
            "show", "show a key's role, id and public key",
            discussion: "Needs no passphrase, and shows nothing secret.",
            positionals: [PositionalSpec("FILE", "a .key or .pub file, or a public key in PEM")],
            examples: [CommandExample("snpack key show keys/factory.pub", "show the key that apps pin")])
    }

    package func run(_ arguments: ParsedArguments, in session: Session) throws(SnpackError) -> CommandResult {
        let facts = try KeyFacts(reading: arguments.required("FILE"))
        return CommandResult(facts.json, lines: facts.lines)
    }
}
