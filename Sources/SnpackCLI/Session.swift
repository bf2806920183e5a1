package import Diagnostics

/// What a command runs in: its options for everybody, the terminal, the environment, and how to stop.
package struct Session: Sendable {
    package let options: GlobalOptions
    package let environment: Environment
    package let terminal: Terminal
    /// To hand to long work.
    package let context: WorkContext

    init(options: GlobalOptions, environment: Environment, terminal: Terminal, progress: TerminalProgress) {
        self.options = options
        self.environment = environment
        self.terminal = terminal
        context = WorkContext(jobs: options.jobs, cancel: Interruption.token, report: progress)
    }

    /// Tells the person something that does not stop the work.
    package func warn(_ warning: SnpackError) { context.report.warn(warning) }

    /// Tells a person who asked for `--verbose` what was done.
    package func note(_ line: String) { context.report.note(line) }
}
