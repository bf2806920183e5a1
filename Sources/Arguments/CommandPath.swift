package import Diagnostics

/// A command together with what leads to it: `snpack`, `key`, `show`.
package struct CommandPath: Sendable {
    package let program: ProgramSpec
    package let commands: [CommandSpec]

    /// The program before any command.
    package init(_ program: ProgramSpec) {
        self.init(program: program, commands: [])
    }

    private init(program: ProgramSpec, commands: [CommandSpec]) {
        self.program = program
        self.commands = commands
    }

    /// The command that a person names word by word, as `help` does.
    package init(_ program: ProgramSpec, naming words: [String]) throws(SnpackError) {
        self.init(program)
        for word in words { self = try descending(to: word) }
    }

    package func appending(_ command: CommandSpec) -> CommandPath {
        CommandPath(program: program, commands: commands + [command])
    }

    /// The subcommand that a person calls `word`; names are never cut short.
    package func descending(to word: String) throws(SnpackError) -> CommandPath {
        if let command = subcommands.first(where: { $0.name.utf8.elementsEqual(word.utf8) }) {
            return appending(command)
        }
        throw SnpackError(
            .usageUnknownCommand, "\(quoted(word)) is not a command of \(invocation)",
            hint: nearest(to: word, among: subcommands.map(\.name)).map { "did you mean \($0)?" }
                ?? "\(invocation) --help lists the commands")
    }

    package var words: [String] { commands.map(\.name) }
    /// `snpack key show`
    package var invocation: String { ([program.name] + words).joined(separator: " ") }
    /// `snpack-key-show`: the name of its manual page.
    package var hyphenated: String { ([program.name] + words).joined(separator: "-") }

    package var summary: String { commands.last?.summary ?? program.summary }
    package var discussion: String { commands.last?.discussion ?? program.discussion }
    package var examples: [CommandExample] { commands.last?.examples ?? program.examples }
    package var positionals: [PositionalSpec] { commands.last?.positionals ?? [] }
    package var subcommands: [CommandSpec] { commands.last?.subcommands ?? program.commands }
    package var rules: [OptionRule] { commands.flatMap(\.rules) }

    /// The options of the command and of the families it is in, its own first.
    package var ownOptions: [OptionSpec] { commands.reversed().flatMap(\.options) }
    /// The options that hold for every command.
    package var sharedOptions: [OptionSpec] {
        program.globalOptions + (commands.isEmpty ? [.version, .help] : [.help])
    }
    package var options: [OptionSpec] { ownOptions + sharedOptions }

    /// `snpack build DEFINITION --version V [options]`
    package var synopsis: String {
        var parts = [invocation]
        if !subcommands.isEmpty { parts.append("COMMAND") }
        parts += positionals.map(\.usage)
        parts += ownOptions.filter(\.isRequired).map(\.usage)
        parts += rules.compactMap(synopsis(of:))
        parts.append("[options]")
        return parts.joined(separator: " ")
    }

    private func synopsis(of rule: OptionRule) -> String? {
        let (names, more): ([String], String)
        switch rule {
        case .exactlyOne(let all): (names, more) = (all, "")
        case .atLeastOne(let all): (names, more) = (all, "...")
        case .atMostOne, .needs: return nil
        }
        let choices = names.compactMap { name in options.first { $0.name == name }?.usage }
        return "(" + choices.joined(separator: " | ") + ")" + more
    }
}
