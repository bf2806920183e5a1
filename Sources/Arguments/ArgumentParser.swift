package import Diagnostics

/// What a command line asks for.
package enum Invocation: Sendable {
    case run(ParsedArguments)
    case help(CommandPath)
    case version
    /// The line ends before it names a command that can run.
    case incomplete(CommandPath)
}

/// Reads a command line by the table. Pure: no printing, no environment.
package struct ArgumentParser {
    private var path: CommandPath
    private var values: [String: [String]] = [:]
    private var flags: Set<String> = []
    private var words: [String] = []

    /// Reads the words after the program's name.
    ///
    /// Options stand anywhere after the command they belong to, those of the program anywhere at all; `--` ends them.
    /// Whoever asks for help gets help, whatever else is wrong with the line.
    package static func parse(_ arguments: [String], by program: ProgramSpec) throws(SnpackError) -> Invocation {
        var parser = ArgumentParser(path: CommandPath(program))
        do throws(SnpackError) {
            try parser.read(arguments)
            return try parser.finish()
        } catch {
            if isGiven(.help, in: arguments) { return .help(parser.path) }
            throw error
        }
    }

    /// Whether the flag stands before any `--`. It also answers for lines that do not parse.
    package static func isGiven(_ option: OptionSpec, in arguments: [String]) -> Bool {
        let short = option.short.map { "-\($0)" }
        return arguments.prefix { $0 != "--" }.contains { $0 == option.dashed || $0 == short }
    }

    private init(path: CommandPath) {
        self.path = path
    }

    private mutating func read(_ arguments: [String]) throws(SnpackError) {
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            if argument.utf8.elementsEqual("--".utf8) {
                words += rest
                return
            } else if argument.utf8.starts(with: "--".utf8) {
                try readLong(argument, &rest)
            } else if isOption(argument) {
                try readShort(argument, &rest)
            } else if path.subcommands.isEmpty {
                words.append(argument)
            } else {
                path = try path.descending(to: argument)
            }
        }
    }

    /// `-o`, but neither `-` (a file by custom) nor `-33.9` (a number).
    private func isOption(_ argument: String) -> Bool {
        let bytes = argument.utf8
        guard bytes.first == UInt8(ascii: "-"), let second = bytes.dropFirst().first else { return false }
        return second != UInt8(ascii: ".") && !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(second)
    }

    private mutating func readLong(
        _ argument: String, _ rest: inout ArraySlice<String>
    ) throws(SnpackError) {
        let parts = argument.utf8.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
        let dashed = String(parts[0]) ?? argument
        guard let option = path.options.first(where: { $0.dashed.utf8.elementsEqual(parts[0]) }) else {
            throw unknownOption(dashed)
        }
        try take(option, inline: parts.count == 2 ? String(parts[1]) : nil, spelled: dashed, &rest)
    }

    /// Letters may share a hyphen; the first that takes a value takes what is left.
    private mutating func readShort(
        _ argument: String, _ rest: inout ArraySlice<String>
    ) throws(SnpackError) {
        var letters = argument.dropFirst()
        while let letter = letters.popFirst() {
            guard let option = path.options.first(where: { $0.short == letter }) else {
                throw unknownOption("-\(letter)")
            }
            let inline = option.takesValue && !letters.isEmpty ? String(letters) : nil
            if inline != nil { letters = "" }
            try take(option, inline: inline, spelled: "-\(letter)", &rest)
        }
    }

    private mutating func take(
        _ option: OptionSpec, inline: String?, spelled: String, _ rest: inout ArraySlice<String>
    ) throws(SnpackError) {
        guard option.takesValue else {
            if let inline {
                throw SnpackError(
                    .usageUnexpectedValue, "\(spelled) takes no value, but was given \(quoted(inline))",
                    hint: "write \(option.dashed) alone")
            }
            flags.insert(option.name)
            return
        }
        let value: String
        if let inline {
            value = inline
        } else if let next = rest.first, !isOption(next) {
            value = next
            rest.removeFirst()
        } else {
            throw SnpackError(
                .usageMissingValue, "\(spelled) needs a value",
                hint: "write \(option.usage), or \(option.dashed)=\(option.valueName) if the value begins with a hyphen"
            )
        }
        if option.kind == .value, values[option.name] != nil {
            throw SnpackError(
                .usageRepeatedOption, "\(option.dashed) is given twice", hint: "keep the one that is meant")
        }
        try check(value, is: option.form, label: option.dashed)
        values[option.name, default: []].append(value)
    }

    private func check(_ value: String, is form: ValueForm, label: String) throws(SnpackError) {
        if [.path, .directory].contains(form), value.isEmpty {
            // As in --root "$NAME" where NAME is not set: no directory, and not the working directory either.
            throw SnpackError(
                .usageInvalidValue, "\(label) is given an empty path", hint: "write . for the working directory")
        }
        guard case .choice(let choices) = form, !choices.contains(where: { $0.utf8.elementsEqual(value.utf8) })
        else { return }
        let known = choices.joined(separator: ", ")
        throw SnpackError(
            .usageInvalidValue, "\(quoted(value)) is no value of \(label)",
            hint: nearest(to: value, among: choices).map { "did you mean \($0)? Known are \(known)" }
                ?? "known are \(known)")
    }

    private func unknownOption(_ spelled: String) -> SnpackError {
        let near = nearest(to: String(spelled.drop { $0 == "-" }), among: path.options.map(\.name))
        let elsewhere = path.commands.isEmpty ? "options of a command stand after its name; " : ""
        return SnpackError(
            .usageUnknownOption, "\(quoted(spelled)) is not an option of \(path.invocation)",
            hint: near.map { "did you mean --\($0)?" } ?? "\(elsewhere)\(path.invocation) --help lists them")
    }

    private func finish() throws(SnpackError) -> Invocation {
        if flags.contains(OptionSpec.help.name) { return .help(path) }
        if flags.contains(OptionSpec.version.name) { return .version }
        guard path.subcommands.isEmpty else {
            if let word = words.first { _ = try path.descending(to: word) }
            return .incomplete(path)
        }
        let arguments = ParsedArguments(
            path: path, flags: flags, values: values.merging(try positionalValues()) { first, _ in first })
        try checkOptions(arguments)
        return .run(arguments)
    }

    private func positionalValues() throws(SnpackError) -> [String: [String]] {
        var result: [String: [String]] = [:]
        var rest = words[...]
        for positional in path.positionals {
            let taken = positional.isVariadic ? rest : rest.prefix(1)
            if taken.isEmpty, positional.isRequired {
                throw SnpackError(
                    .usageMissingArgument, "\(path.invocation) needs \(positional.name)",
                    hint: "usage: \(path.synopsis)")
            }
            for value in taken { try check(value, is: positional.form, label: positional.name) }
            result[positional.name] = Array(taken)
            rest = rest.dropFirst(taken.count)
        }
        if let extra = rest.first {
            throw SnpackError(
                .usageExtraArgument, "\(path.invocation) does not take the argument \(quoted(extra))",
                hint: "usage: \(path.synopsis)")
        }
        return result
    }

    private func checkOptions(_ arguments: ParsedArguments) throws(SnpackError) {
        for option in path.ownOptions where option.isRequired && !arguments.isGiven(option.name) {
            throw SnpackError(
                .usageMissingOption, "\(path.invocation) needs \(option.usage)", hint: "usage: \(path.synopsis)")
        }
        for rule in path.rules { try rule.check(arguments) }
    }
}
