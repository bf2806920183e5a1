/// The whole command line as data.
package struct ProgramSpec: Sendable {
    package let name: String
    package let version: String
    /// The day of that version, as in `2026-11-30`: manual pages carry it.
    package let released: String
    package let summary: String
    package let discussion: String
    /// Understood before and after every command.
    package let globalOptions: [OptionSpec]
    package let groups: [CommandGroup]
    package let examples: [CommandExample]
    /// What the process can end with, and why.
    package let exitStatuses: [(status: Int32, meaning: String)]
    /// Variables of the environment that change what the program does, for the manual.
    package let environment: [(name: String, meaning: String)]
    /// Files of its own that it keeps, for the manual.
    package let files: [(path: String, meaning: String)]

    package init(
        _ name: String, version: String, released: String, _ summary: String, discussion: String = "",
        globalOptions: [OptionSpec] = [],
        groups: [CommandGroup], examples: [CommandExample] = [], exitStatuses: [(status: Int32, meaning: String)] = [],
        environment: [(name: String, meaning: String)] = [], files: [(path: String, meaning: String)] = []
    ) {
        self.name = name
        self.version = version
        self.released = released
        self.summary = summary
        self.discussion = discussion
        self.globalOptions = globalOptions
        self.groups = groups
        self.examples = examples
        self.exitStatuses = exitStatuses
        self.environment = environment
        self.files = files
    }

    package var commands: [CommandSpec] { groups.flatMap(\.commands) }

    /// The program itself, then every command with its subcommands, in the order of the table.
    package var paths: [CommandPath] {
        func descend(_ path: CommandPath) -> [CommandPath] {
            [path] + path.subcommands.flatMap { descend(path.appending($0)) }
        }
        return descend(CommandPath(self))
    }
}

/// Commands that belong under one heading.
package struct CommandGroup: Sendable {
    package let title: String
    package let commands: [CommandSpec]

    package init(_ title: String, _ commands: [CommandSpec]) {
        self.title = title
        self.commands = commands
    }
}
