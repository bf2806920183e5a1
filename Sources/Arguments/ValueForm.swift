/// What the text of an option or argument stands for, as far as the table needs to know: shells complete by it, and a
/// choice is checked while parsing.
package enum ValueForm: Sendable, Equatable {
    /// Anything; no completion.
    case text
    /// A file or directory.
    case path
    /// A directory.
    case directory
    /// One of a few words, and nothing else.
    case choice([String])
}
