/// What `--help` prints: at most 80 columns, no colour, the same everywhere.
package struct HelpText {
    private static let width = 80
    private static let column = 28

    private let path: CommandPath

    package init(_ path: CommandPath) {
        self.path = path
    }

    package var text: String {
        var blocks = ["\(Self.capitalized(path.summary)).", usage]
        blocks += paragraphs(path.discussion).map { flow($0, width: Self.width).joined(separator: "\n") }
        blocks += commands
        blocks.append(section("Arguments", path.positionals.map { ($0.usage, explanation($0.summary, $0.form)) }))
        blocks.append(section("Options", path.ownOptions.map(Self.entry)))
        blocks.append(section(path.commands.isEmpty ? "Options" : "Everywhere", path.sharedOptions.map(Self.entry)))
        blocks.append(examples)
        if !path.subcommands.isEmpty { blocks.append("\(path.invocation) COMMAND --help says more about a command.") }
        return blocks.filter { !$0.isEmpty }.joined(separator: "\n\n") + "\n"
    }

    private var usage: String {
        let label = "Usage: "
        let indent = "\n" + String(repeating: " ", count: label.count)
        return label + flow(path.synopsis, width: Self.width - label.count).joined(separator: indent)
    }

    private var commands: [String] {
        let groups = path.commands.isEmpty ? path.program.groups : [CommandGroup("Commands", path.subcommands)]
        return groups.map { section($0.title, $0.commands.map { ($0.name, $0.summary) }) }
    }

    private var examples: String {
        guard !path.examples.isEmpty else { return "" }
        return (["Examples:"] + path.examples.map { "  # \($0.purpose)\n  \($0.commandLine)" }).joined(separator: "\n")
    }

    /// Terms to the left, what they mean to the right; a long term has a line of its own.
    private func section(_ title: String, _ entries: [(term: String, meaning: String)]) -> String {
        guard !entries.isEmpty else { return "" }
        let indent = String(repeating: " ", count: Self.column)
        var lines = ["\(title):"]
        for (term, meaning) in entries {
            var first = "  " + term
            if first.count + 2 > Self.column {
                lines.append(first)
                first = indent
            } else {
                first += String(repeating: " ", count: Self.column - first.count)
            }
            for (index, line) in flow(meaning, width: Self.width - Self.column).enumerated() {
                lines.append((index == 0 ? first : indent) + line)
            }
        }
        return lines.joined(separator: "\n")
    }

    private static func entry(_ option: OptionSpec) -> (term: String, meaning: String) {
        ((option.short.map { "-\($0), " } ?? "    ") + option.usage, explanation(option))
    }

    static func capitalized(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }
}
