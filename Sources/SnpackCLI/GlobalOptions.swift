import Arguments
import Diagnostics
import FoundationEssentials

/// What holds for every command.
package struct GlobalOptions: Sendable {
    package let json: Bool
    package let quiet: Bool
    package let verbose: Bool
    package let jobs: Int

    static let json = OptionSpec.flag("json", "print exactly one JSON object, errors too")
    static let noColor = OptionSpec.flag("no-color", "no colour; NO_COLOR and TERM=dumb say the same")

    static let specs: [OptionSpec] = [
        json,
        .flag("quiet", "no progress; only results, warnings and errors", short: "q"),
        .flag("verbose", "say what is done, step by step", short: "v"),
        noColor,
        .value("jobs", "N", "how many threads to use (default: all cores)", short: "j"),
    ]

    init(_ arguments: ParsedArguments) throws(SnpackError) {
        json = arguments.flag("json")
        quiet = arguments.flag("quiet")
        verbose = arguments.flag("verbose")
        jobs =
            try arguments.unsignedInteger("jobs", in: 1...1_024).flatMap { Int(exactly: $0) }
            ?? ProcessInfo.processInfo.activeProcessorCount
    }
}
