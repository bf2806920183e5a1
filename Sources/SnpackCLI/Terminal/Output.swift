import Arguments
import Diagnostics
import Glibc
import TerritoryModel

/// How a run ends: its result on stdout, or its error; lines for people, or one JSON object.
final class Output: Sendable {
    let terminal: Terminal
    let json: Bool
    private let warnings = WarningList()

    /// The layout of the JSON objects. Members are added freely; the number grows when one changes its meaning.
    private static let schema: JSONValue = 1

    init(terminal: Terminal, json: Bool) {
        self.terminal = terminal
        self.json = json
    }

    /// Shows a warning now, or keeps it for the JSON object.
    func warn(_ warning: SnpackError) {
        if json { warnings.add(warning) } else { tell(warning.lines("warning", .warning, on: terminal)) }
    }

    /// A line of news on stderr.
    func tell(_ lines: [String]) {
        terminal.error.write(lines.map { $0 + "\n" }.joined().utf8)
    }

    /// Prints the result and gives the exit status.
    func finish(_ result: CommandResult) -> Int32 {
        if json {
            var object = result.json
            if !result.faults.isEmpty { object["faults"] = .array(result.faults.faults.map { .object($0.json) }) }
            write(object)
        } else {
            switch result.text {
            case .lines(let lines): terminal.output.write(lines.map { printable($0) + "\n" }.joined().utf8)
            case .verbatim(let text): terminal.output.write(text.utf8)
            }
            for fault in result.faults.faults { tell(fault.lines("fault", .error, on: terminal)) }
            let untold = result.faults.count - result.faults.faults.count
            if untold > 0 { tell(["snpack: \(untold) more faults"]) }
        }
        tell(result.annotations)
        return ended(result.status)
    }

    /// Prints the error and gives the exit status.
    func fail(_ error: SnpackError) -> Int32 {
        let error = error.withHint
        if json { write(["error": .object(error.json)]) } else { tell(error.lines("error", .error, on: terminal)) }
        return ended(error.code == .interrupted ? Interruption.exitStatus : error.code.exitStatus)
    }

    /// For a line that names no command: the help that whoever typed it needs, but not as a result.
    func fail(incomplete path: CommandPath) -> Int32 {
        let error = SnpackError(
            .usageMissingCommand, "\(path.invocation) needs a command",
            hint: "one of: " + path.subcommands.map(\.name).joined(separator: ", "))
        if json { return fail(error) }
        terminal.error.write(HelpText(path).text.utf8)
        return ended(error.code.exitStatus)
    }

    private func write(_ object: JSONObject) {
        var object = object
        object["schema"] = Self.schema
        let warned = warnings.all
        if !warned.isEmpty { object["warnings"] = .array(warned.map { .object($0.json) }) }
        terminal.output.write(printable(json: JSONValue.object(object).canonicalBytes))
    }

    /// A reader that has gone is no trouble of ours; a result that could not be written is.
    private func ended(_ status: ExitStatus) -> Int32 {
        guard case .failed(let number) = terminal.output.outcome else { return status.rawValue }
        let reason = String(cString: strerror(number))
        let error = SnpackError(
            .outputFailed, "cannot write the result to stdout: \(reason)",
            hint: "the work itself is done; send the output elsewhere and run the command again to see it")
        tell(error.lines("error", .error, on: terminal))
        return status == .done ? error.code.exitStatus.rawValue : status.rawValue
    }
}
