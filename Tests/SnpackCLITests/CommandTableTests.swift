import Arguments
import Diagnostics
import SnpackCLI
import SnpackTestSupport
import TerritoryModel
import Testing

extension CommandPath: CustomTestStringConvertible {
    /// A test's log names the command, and does not print the whole table.
    public var testDescription: String { invocation }
}

/// What must hold of the table as data, so that no command can be added wrongly.
@Suite struct CommandTableTests {
    static let paths = CommandTable.program.paths

    @Test(arguments: paths) func namesAreWordsAndUnique(_ path: CommandPath) {
        let words = path.subcommands.map(\.name) + path.options.map(\.name)
        #expect(words.allSatisfy { $0.wholeMatch(of: /[a-z][a-z0-9]*(-[a-z0-9]+)*/) != nil }, "\(words)")
        #expect(Set(path.subcommands.map(\.name)).count == path.subcommands.count)
        #expect(Set(path.options.map(\.name)).count == path.options.count, "\(path.invocation)")
        let letters = path.options.compactMap(\.short)
        #expect(Set(letters).count == letters.count, "\(path.invocation)")
        #expect(path.positionals.dropLast().allSatisfy { !$0.isVariadic })
        #expect(path.options.allSatisfy { $0.takesValue == !$0.valueName.isEmpty })
    }

    @Test(arguments: paths) func summariesAreShortAndHaveNoFullStop(_ path: CommandPath) {
        #expect(!path.summary.isEmpty && path.summary.count <= 72 && !path.summary.hasSuffix("."), "\(path.invocation)")
    }

    @Test(arguments: paths) func rulesNameOptionsThatAreThere(_ path: CommandPath) {
        let known = Set(path.options.map(\.name))
        for rule in path.rules {
            let names =
                switch rule {
                case .exactlyOne(let names), .atLeastOne(let names), .atMostOne(let names): names
                case .needs(let name, let others): [name] + others
                }
            #expect(known.isSuperset(of: names), "\(path.invocation): \(names)")
        }
    }

    /// The examples of the help are lines that parse, and run the command they are examples of.
    @Test(arguments: paths.filter { $0.subcommands.isEmpty }) func examplesParse(_ path: CommandPath) throws {
        #expect(!path.examples.isEmpty, "\(path.invocation)")
        for example in path.examples {
            let start = try #require(example.commandLine.firstRange(of: "snpack "), "\(example.commandLine)")
            let line = example.commandLine[start.upperBound...].prefix { $0 != "|" && $0 != ")" && $0 != ">" }
            let words = try SystemTool.run("bash", ["-c", "printf '%s\\n' \(line)"]).standardOutput
                .split(separator: "\n").map(String.init)
            guard case .run(let arguments) = try ArgumentParser.parse(words, by: CommandTable.program) else {
                Issue.record("\(example.commandLine) runs nothing")
                continue
            }
            #expect(arguments.path.words == path.words)
        }
    }
}
