/// One option of a command, as data.
package struct OptionSpec: Sendable {
    package enum Kind: Sendable, Equatable {
        /// Present or not.
        case flag
        /// Takes one value, once.
        case value
        /// Takes one value, any number of times.
        case repeated
    }

    /// Without the two hyphens: `factory-key`.
    package let name: String
    /// The one-letter form, as in `-o`.
    package let short: Character?
    package let kind: Kind
    /// How help names the value: `FILE.key`. Empty for a flag.
    package let valueName: String
    package let form: ValueForm
    package let isRequired: Bool
    package let summary: String

    private init(
        _ name: String, short: Character?, kind: Kind, valueName: String, form: ValueForm, isRequired: Bool,
        summary: String
    ) {
        self.name = name
        self.short = short
        self.kind = kind
        self.valueName = valueName
        self.form = form
        self.isRequired = isRequired
        self.summary = summary
    }

    package static func flag(_ name: String, _ summary: String, short: Character? = nil) -> OptionSpec {
        OptionSpec(
            name, short: short, kind: .flag, valueName: "", form: .text, isRequired: false, summary: summary)
    }

    package static func value(
        _ name: String, _ valueName: String, _ summary: String, short: Character? = nil, form: ValueForm = .text,
        required: Bool = false
    ) -> OptionSpec {
        OptionSpec(
            name, short: short, kind: .value, valueName: valueName, form: form, isRequired: required,
            summary: summary)
    }

    package static func repeated(
        _ name: String, _ valueName: String, _ summary: String, short: Character? = nil, form: ValueForm = .text,
        required: Bool = false
    ) -> OptionSpec {
        OptionSpec(
            name, short: short, kind: .repeated, valueName: valueName, form: form, isRequired: required,
            summary: summary)
    }

    package var takesValue: Bool { kind != .flag }

    /// `--factory-key`
    package var dashed: String { "--" + name }

    /// `--factory-key K`
    package var usage: String { takesValue ? "\(dashed) \(valueName)" : dashed }
}

extension OptionSpec {
    /// Understood after every command; the parser answers it itself.
    package static let help = flag("help", "say how the command is used, and end", short: "h")
    /// Understood before any command; after one, `--version` is that command's own.
    package static let version = flag("version", "say which version this is, and end", short: "V")
}

/// What must hold between the options of a command beyond each one's own form.
package enum OptionRule: Sendable {
    /// One of these, and only one.
    case exactlyOne([String])
    /// One of these, or several.
    case atLeastOne([String])
    /// One of these, or none.
    case atMostOne([String])
    /// The first makes no sense without all of the others.
    case needs(String, [String])
}
