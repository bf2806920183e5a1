/// A shell whose completions can be made from the table.
package enum CompletionShell: String, CaseIterable, Sendable {
    case bash, zsh, fish

    /// The script to load in that shell.
    package func script(for program: ProgramSpec) -> String {
        switch self {
        case .bash: BashCompletion(program).script
        case .zsh: ZshCompletion(program).script
        case .fish: FishCompletion(program).script
        }
    }
}
