import Foundation
import Glibc

/// A process started by `posix_spawn`, with no descriptor but the three it is given and no signal blocked.
///
/// Foundation's `Process` reads past the end of directory entries while it looks for open descriptors, which can end the
/// process that starts hundreds of others.
struct ChildProcess {
    let identifier: pid_t

    // Two of glibc's own that Swift does not see.
    private typealias Actions = UnsafeMutablePointer<posix_spawn_file_actions_t>
    private static let addCloseFrom = unsafeBitCast(
        dlsym(nil, "posix_spawn_file_actions_addclosefrom_np"), to: (@convention(c) (Actions, Int32) -> Int32).self)
    private static let addChangeDirectory = unsafeBitCast(
        dlsym(nil, "posix_spawn_file_actions_addchdir_np"),
        to: (@convention(c) (Actions, UnsafePointer<CChar>) -> Int32).self)

    /// - Parameters:
    ///   - tool: a path, or a name to look up on `PATH`.
    ///   - descriptors: what the child has as stdin, stdout and stderr.
    init(
        _ tool: String, _ arguments: [String], in directory: String?, environment: [String: String],
        descriptors: (Int32, Int32, Int32)
    ) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (target, descriptor) in [descriptors.0, descriptors.1, descriptors.2].enumerated() {
            posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(target))
        }
        _ = Self.addCloseFrom(&actions, 3)
        if let directory { _ = directory.withCString { Self.addChangeDirectory(&actions, $0) } }

        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        var ordinary = sigset_t()
        sigemptyset(&ordinary)
        for signal in [SIGPIPE, SIGTERM, SIGINT, SIGHUP] { sigaddset(&ordinary, signal) }
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &ordinary)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

        let words = ([tool] + arguments).map { strdup($0) } + [nil]
        let variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for pointer in words + variables { free(pointer) } }
        var identifier: pid_t = 0
        let failure = posix_spawnp(&identifier, tool, &actions, &attributes, words, variables)
        guard failure == 0 else { throw POSIXError(POSIXErrorCode(rawValue: failure) ?? .EIO) }
        self.identifier = identifier
    }

    /// Waits for the end, which it brings about by SIGKILL after `seconds`.
    /// - Returns: the exit status, or 128 and the signal; and whether the time ran out.
    func wait(seconds: Double) -> (status: Int32, timedOut: Bool) {
        let deadline = Date(timeIntervalSinceNow: seconds)
        var (status, pause, timedOut): (Int32, UInt32, Bool) = (0, 200, false)
        while waitpid(identifier, &status, WNOHANG) == 0 {
            if !timedOut, Date() > deadline {
                timedOut = true
                kill(identifier, SIGKILL)
            }
            usleep(pause)
            pause = min(pause * 2, 10_000)
        }
        let signal = status & 0x7F
        return (signal == 0 ? (status >> 8) & 0xFF : 128 + signal, timedOut)
    }
}
