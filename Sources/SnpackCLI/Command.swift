package import Arguments
package import Diagnostics
package import TerritoryModel

/// One command: its row in the table, and what it does.
///
/// A command that does not wait for anything asynchronous leaves out `async`; it then runs, and may block, on the main
/// thread.
package protocol Command: Sendable {
    var spec: CommandSpec { get }

    /// Does the work. Prints nothing: results are returned, news and warnings go to the session.
    @MainActor
    func run(_ arguments: ParsedArguments, in session: Session) async throws(SnpackError) -> CommandResult
}

/// What a command has to say at its end.
package struct CommandResult: Sendable {
    package enum Text: Sendable {
        /// Lines for people; control characters from outside are shown escaped.
        case lines([String])
        /// A document that is printed as it is: a script, a manual page.
        case verbatim(String)
    }

    /// The members of the object that `--json` prints.
    package var json: JSONObject
    /// What is printed without `--json`.
    package var text: Text
    /// What was found to be wrong, for commands that look at everything before they end.
    package var faults: FaultList
    /// Lines for the system that runs the command, printed on stderr as they are.
    package var annotations: [String] = []
    /// What the process ends with.
    package var status: ExitStatus

    package init(_ json: JSONObject, lines: [String]) {
        self.json = json
        text = .lines(lines)
        faults = FaultList()
        status = .done
    }

    package init(_ json: JSONObject, verbatim: String) {
        self.init(json, lines: [])
        text = .verbatim(verbatim)
    }

    /// Ends with the faults' common status, or with `.done` if there are none.
    package init(_ json: JSONObject, lines: [String], faults: FaultList) {
        self.init(json, lines: lines)
        self.faults = faults
        status = faults.commonStatus
    }
}
