package import Arguments
package import Diagnostics
import DurableFiles
import TerritoryModel

package struct ManualCommand: Command {
    package var spec: CommandSpec {
        CommandSpec(
            "manual", "print or write manual pages",
            discussion: """
                Prints the page of the program or of one command in the format of man(7). With --out the pages of all \
                commands are written, for a directory that man looks in, such as ~/.local/share/man/man1.
                """,
            positionals: [PositionalSpec("COMMAND", "the command's words", .any, form: .text)],
            options: [
                .value(
                    "out", "DIR", "write all pages here, one file a command, over older ones", short: "o",
                    form: .directory)
            ],
            examples: [
                CommandExample("snpack manual key show | man -l -", "read the page of key show"),
                CommandExample("snpack manual --out man1", "write all pages"),
            ])
    }

    package func run(_ arguments: ParsedArguments, in session: Session) throws(SnpackError) -> CommandResult {
        let words = arguments.values("COMMAND")
        guard let target = arguments.value("out") else {
            let page = ManualPage(try CommandPath(CommandTable.program, naming: words))
            return CommandResult(["name": .string(page.fileName), "page": .string(page.text)], verbatim: page.text)
        }
        if let word = words.first {
            throw SnpackError(
                .usageConflictingOptions, "--out writes all pages, and \(quoted(word)) names one",
                hint: "leave one of them out")
        }
        let directory = try Directory.create(target)
        let pages = CommandTable.program.paths.map { ManualPage($0) }
        for page in pages { try directory.write(Array(page.text.utf8), to: page.fileName) }
        let names = pages.map { directory.path(of: $0.fileName) }
        return CommandResult(
            ["files": .array(names.map(JSONValue.string))], lines: ["wrote \(names.count) manual pages to \(target)"])
    }
}
