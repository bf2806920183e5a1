/// The exit status of the `snpack` process, one number per kind of trouble.
public enum ExitStatus: Int32, Sendable {
    /// Everything asked for was done.
    case done = 0
    /// None of the kinds below.
    case other = 1
    /// The command line, a definition or a key does not fit what was asked.
    case usage = 2
    /// Something does not verify: signature, hash, role, order, expiry.
    case verification = 3
    /// What was named is not there.
    case notFound = 4
    /// Something else holds it, or it exists with other content.
    case conflict = 5
    /// The local disk: permission, space, read or write.
    case localIO = 6
    /// The network, or what a server answered.
    case network = 7
    /// A format, a `critical` key or an engine that this version does not know.
    case unsupported = 8
    /// Stopped by SIGINT.
    case interrupted = 130
    /// Stopped by SIGTERM.
    case terminated = 143
}
