/// A command line that fits the table: what its command was given.
///
/// Options are asked for by their name without hyphens, positional arguments by theirs (`RELEASE`). Asking for what the
/// command's table does not declare is a mistake of ours, and stops the program.
package struct ParsedArguments: Sendable {
    package let path: CommandPath
    private let flags: Set<String>
    private let values: [String: [String]]

    init(path: CommandPath, flags: Set<String>, values: [String: [String]]) {
        self.path = path
        self.flags = flags
        self.values = values
    }

    /// Whether the flag is there.
    package func flag(_ name: String) -> Bool {
        precondition(path.options.contains { $0.name == name && !$0.takesValue }, "no flag \(name) is declared")
        return flags.contains(name)
    }

    /// Everything given under the name, in the order it was given.
    package func values(_ name: String) -> [String] {
        precondition(
            path.options.contains { $0.name == name && $0.takesValue }
                || path.positionals.contains { $0.name == name },
            "nothing named \(name) is declared")
        return values[name] ?? []
    }

    /// What is given under the name, if it is.
    package func value(_ name: String) -> String? { values(name).first }

    /// What is given under a name whose presence the parser has made sure of.
    package func required(_ name: String) -> String {
        guard let value = value(name) else { preconditionFailure("\(name) is not declared as required") }
        return value
    }

    /// The argument at a place, counted over all that are no options.
    package func positional(_ index: Int) -> String? {
        let all = path.positionals.flatMap { values[$0.name] ?? [] }
        return all.indices.contains(index) ? all[index] : nil
    }

    /// Whether an option, flag or argument of this name is there.
    package func isGiven(_ name: String) -> Bool { flags.contains(name) || values[name]?.isEmpty == false }

    /// How a person knows the name: `--bbox`, `LAT,LON`.
    func label(_ name: String) -> String {
        path.positionals.contains { $0.name == name } ? name : "--" + name
    }
}
