/// A stable name of one kind of error, such as `index.rolled-back`, with the exit status it ends in.
///
/// Codes are part of the command line's contract: scripts match on them. A code is never reworded and never reused.
/// Every module declares its own in an extension of this type.
public struct ErrorCode: Hashable, Sendable, CustomStringConvertible {
    /// `subject.kind` in lowercase letters, digits, dots and hyphens.
    public let name: String
    /// What the process ends with when this error ends it.
    public let exitStatus: ExitStatus

    package init(_ name: String, _ exitStatus: ExitStatus) {
        self.name = name
        self.exitStatus = exitStatus
    }

    public var description: String { name }
}

extension ErrorCode {
    /// The person stopped the work (SIGINT, a cancelled task).
    public static let interrupted = ErrorCode("interrupted", .interrupted)
}
