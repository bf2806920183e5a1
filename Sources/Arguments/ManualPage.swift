/// The manual page of a command in the man(7) macros, which groff and mandoc both read.
package struct ManualPage {
    private let path: CommandPath

    package init(_ path: CommandPath) {
        self.path = path
    }

    /// `snpack-key-show.1`
    package var fileName: String { "\(path.hyphenated).1" }

    package var text: String {
        let title = path.hyphenated.uppercased()
        let name = path.program.name
        var lines = [
            ".TH \(Self.escaped(title)) 1 \(path.program.released) \"\(Self.escaped("\(name) \(path.program.version)"))\"",
            ".SH NAME", "\(Self.escaped(path.hyphenated)) \\- \(Self.escaped(path.summary))",
            ".SH SYNOPSIS", "\\fB\(Self.escaped(path.invocation))\\fR" + synopsisTail,
            ".SH DESCRIPTION",
        ]
        let described = paragraphs(path.discussion)
        let opening = described.isEmpty ? [HelpText.capitalized(path.summary) + "."] : described
        lines.append(opening.map(Self.line).joined(separator: "\n.PP\n"))
        lines += commands
        lines += section("ARGUMENTS", path.positionals.map { ($0.usage, explanation($0.summary, $0.form)) })
        lines += section("OPTIONS", (path.ownOptions + path.sharedOptions).map(Self.entry))
        lines += examples
        lines += aboutTheProcess
        lines += seeAlso
        return lines.joined(separator: "\n") + "\n"
    }

    private var synopsisTail: String {
        Self.escaped(String(path.synopsis.dropFirst(path.invocation.count)))
    }

    private var commands: [String] {
        let groups = path.commands.isEmpty ? path.program.groups : [CommandGroup("Commands", path.subcommands)]
        return groups.flatMap { section($0.title.uppercased(), $0.commands.map { ($0.name, $0.summary) }) }
    }

    private var examples: [String] {
        guard !path.examples.isEmpty else { return [] }
        let blocks = path.examples.map { example in
            [
                Self.line(HelpText.capitalized(example.purpose) + ":"), ".PP", ".RS 4", ".nf",
                Self.line(example.commandLine), ".fi", ".RE",
            ].joined(separator: "\n")
        }
        return [".SH EXAMPLES", blocks.joined(separator: "\n.PP\n")]
    }

    /// What holds for every command stands on the program's page alone.
    private var aboutTheProcess: [String] {
        guard path.commands.isEmpty else { return [] }
        let program = path.program
        return section("EXIT STATUS", program.exitStatuses.map { (String($0.status), $0.meaning) })
            + section("ENVIRONMENT", program.environment.map { ($0.name, $0.meaning) })
            + section("FILES", program.files.map { ($0.path, $0.meaning) })
    }

    private var seeAlso: [String] {
        let others = path.commands.isEmpty ? [] : [CommandPath(path.program)]
        let all = others + path.subcommands.map(path.appending)
        guard !all.isEmpty else { return [] }
        return [".SH SEE ALSO", all.map { "\\fB\(Self.escaped($0.hyphenated))\\fR(1)" }.joined(separator: ",\n")]
    }

    private func section(_ title: String, _ entries: [(term: String, meaning: String)]) -> [String] {
        guard !entries.isEmpty else { return [] }
        return [".SH \(title)"]
            + entries.flatMap { [".TP", "\\fB\(Self.escaped($0.term))\\fR", Self.line($0.meaning)] }
    }

    private static func entry(_ option: OptionSpec) -> (term: String, meaning: String) {
        ((option.short.map { "-\($0), " } ?? "") + option.usage, explanation(option))
    }

    /// A line of text: never a request, whatever it begins with.
    private static func line(_ text: String) -> String {
        let safe = escaped(text)
        return safe.hasPrefix(".") || safe.hasPrefix("'") ? "\\&" + safe : safe
    }

    /// Hyphens that can be copied to a shell, backslashes that stay, plain quotes that stay plain.
    private static func escaped(_ text: String) -> String {
        var result = ""
        for character in text {
            switch character {
            case "\\": result += "\\e"
            case "-": result += "\\-"
            case "'": result += "\\(aq"
            case "\"": result += "\\(dq"
            case "`": result += "\\(ga"
            case "^": result += "\\(ha"
            case "~": result += "\\(ti"
            default: result.append(character)
            }
        }
        return result
    }
}
