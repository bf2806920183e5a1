/// One command as data: parsing, help, completions and the manual are all made from it.
package struct CommandSpec: Sendable {
    package let name: String
    /// One line without a full stop.
    package let summary: String
    /// Paragraphs, parted by empty lines; flowed to the reader's width.
    package let discussion: String
    package let positionals: [PositionalSpec]
    /// A family's options are understood by all of its subcommands.
    package let options: [OptionSpec]
    package let rules: [OptionRule]
    package let examples: [CommandExample]
    /// A command with subcommands only groups them; it takes no arguments of its own.
    package let subcommands: [CommandSpec]

    package init(
        _ name: String, _ summary: String, discussion: String = "", positionals: [PositionalSpec] = [],
        options: [OptionSpec] = [], rules: [OptionRule] = [], examples: [CommandExample] = [],
        subcommands: [CommandSpec] = []
    ) {
        self.name = name
        self.summary = summary
        self.discussion = discussion
        self.positionals = positionals
        self.options = options
        self.rules = rules
        self.examples = examples
        self.subcommands = subcommands
    }

    /// The same command with these subcommands.
    package func containing(_ subcommands: [CommandSpec]) -> CommandSpec {
        CommandSpec(
            name, summary, discussion: discussion, positionals: positionals, options: options, rules: rules,
            examples: examples, subcommands: subcommands)
    }
}

/// A command line that works as it stands, and what it does.
package struct CommandExample: Sendable {
    package let commandLine: String
    package let purpose: String

    package init(_ commandLine: String, _ purpose: String) {
        self.commandLine = commandLine
        self.purpose = purpose
    }
}
