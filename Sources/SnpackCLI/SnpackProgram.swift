import Arguments
import Diagnostics
import Glibc
import TerritoryModel

/// The `snpack` process from its first line to its exit status.
package enum SnpackProgram {
    /// Runs this process's own command line.
    @MainActor
    package static func main() async -> Int32 {
        StandardStream.reopenClosed()
        // A reader that goes away, and a limit on file sizes, are errors of the write, not the end of the process.
        for number in [SIGPIPE, SIGXFSZ] { signal(number, SIG_IGN) }
        Interruption.install()
        var arguments: [String] = []
        var isUTF8 = true
        for pointer in UnsafeBufferPointer(start: CommandLine.unsafeArgv, count: Int(CommandLine.argc)).dropFirst() {
            guard let pointer else { break }
            isUTF8 = isUTF8 && String(validatingCString: pointer) != nil
            arguments.append(String(cString: pointer))
        }
        return await main(arguments, environment: .process, isUTF8: isUTF8)
    }

    @MainActor
    private static func main(_ arguments: [String], environment: Environment, isUTF8: Bool) async -> Int32 {
        let terminal = Terminal(
            environment: environment, allowsColour: !ArgumentParser.isGiven(GlobalOptions.noColor, in: arguments))
        // Asked for before parsing: a line that does not parse is answered in JSON too.
        let output = Output(terminal: terminal, json: ArgumentParser.isGiven(GlobalOptions.json, in: arguments))
        do throws(SnpackError) {
            guard isUTF8 else {
                throw SnpackError(
                    .usageNotUTF8, "an argument is not UTF-8", hint: "rename the file, or give it by another path")
            }
            switch try ArgumentParser.parse(arguments, by: CommandTable.program) {
            case .version: return output.finish(version)
            case .help(let path): return output.finish(help(path))
            case .incomplete(let path): return output.fail(incomplete: path)
            case .run(let parsed): return await run(parsed, environment, output)
            }
        } catch { return output.fail(error) }
    }

    @MainActor
    private static func run(_ arguments: ParsedArguments, _ environment: Environment, _ output: Output) async -> Int32 {
        do throws(SnpackError) {
            let options = try GlobalOptions(arguments)
            guard let command = CommandTable.command(at: arguments.path) else {
                preconditionFailure("\(arguments.path.invocation) is in the table")
            }
            let progress = TerminalProgress(output: output, options: options)
            let session = Session(
                options: options, environment: environment, terminal: output.terminal, progress: progress)
            defer { progress.end() }
            let result = try await command.run(arguments, in: session)
            progress.end()
            return output.finish(result)
        } catch { return output.fail(error) }
    }

    private static var version: CommandResult {
        CommandResult(
            ["name": "snpack", "version": .string(SnpackVersion.number)], lines: ["snpack \(SnpackVersion.number)"])
    }

    static func help(_ path: CommandPath) -> CommandResult {
        let text = HelpText(path).text
        return CommandResult(["help": .string(text)], verbatim: text)
    }
}
