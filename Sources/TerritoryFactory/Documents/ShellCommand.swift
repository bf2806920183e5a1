import Diagnostics
import Glibc

/// One run of a shell command that is given bytes on stdin and answers on stdout.
enum ShellCommand {
    /// What the command printed, cut at `limit` bytes, and its exit status; nil if a signal ended it.
    ///
    /// The answer ends with the command: what it leaves running behind itself is not waited for.
    /// - Throws: `signer.failed` if it cannot be started; `interrupted`, once the command is ended.
    static func run(
        _ command: String, input: [UInt8], outputLimit: Int, cancel: CancelToken
    ) throws(SnpackError) -> (output: [UInt8], status: Int32?) {
        // A file, not a pipe: the command may read it late, in part or not at all.
        guard let file = tmpfile() else { throw failed("no temporary file for its input") }
        defer { fclose(file) }
        guard fwrite(input, 1, input.count, file) == input.count, fflush(file) == 0 else {
            throw failed("its input cannot be written")
        }
        rewind(file)
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw failed("no pipe for its answer") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let process = spawn(command, input: fileno(file), output: ends[1])
        close(ends[1])
        guard let process else {
            close(ends[0])
            throw failed("it cannot be started")
        }
        var child = Child(process: process)
        let output = readAll(ends[0], of: &child, limit: outputLimit, cancel)
        // Before it is waited for: whoever prints without end is then told that nobody reads on.
        close(ends[0])
        try child.end(cancel)
        let isExit = child.status & 0x7F == 0
        return (output, isExit ? child.status >> 8 & 0xFF : nil)
    }

    private static func failed(_ reason: String) -> SnpackError {
        SnpackError(.signerFailed, "the signer command did not run: \(reason)")
    }

    private static func spawn(_ command: String, input: Int32, output: Int32) -> pid_t? {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, input, 0)
        posix_spawn_file_actions_adddup2(&actions, output, 1)
        // The command starts as from a shell: no signal blocked, none ignored that this process ignores.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        var ignored = sigset_t()
        sigemptyset(&ignored)
        sigaddset(&ignored, SIGPIPE)
        sigaddset(&ignored, SIGXFSZ)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setsigdefault(&attributes, &ignored)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        let words: [UnsafeMutablePointer<CChar>?] = [strdup("sh"), strdup("-c"), strdup(command), nil]
        defer { for word in words { free(word) } }
        var process = pid_t()
        return posix_spawn(&process, "/bin/sh", &actions, &attributes, words, environ) == 0 ? process : nil
    }

    /// Reads until the end, the limit, the command's end or a stop, looked for between short waits.
    private static func readAll(
        _ descriptor: Int32, of child: inout Child, limit: Int, _ cancel: CancelToken
    ) -> [UInt8] {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 4_096)
        while bytes.count < limit, !cancel.isCancelled {
            // Looked at first: what it printed is in the pipe by then.
            let isOver = child.isOver
            var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&waiting, 1, isOver ? 0 : 20) > 0 else {
                if isOver { break }
                continue
            }
            let count = read(descriptor, &piece, piece.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            bytes += piece[..<count]
        }
        return Array(bytes.prefix(limit))
    }
}

/// A process that this one started.
private struct Child {
    /// Milliseconds between two looks.
    private static let pause: Int32 = 2
    /// How long it may take to end once it is asked to, in looks.
    private static let patience = 500

    let process: pid_t
    private(set) var status: Int32 = 0
    private var hasEnded = false

    init(process: pid_t) { self.process = process }

    /// True once it has ended, and its status is known.
    var isOver: Bool {
        mutating get {
            if hasEnded { return true }
            let found = waitpid(process, &status, WNOHANG)
            // Where SIGCHLD is ignored the system keeps no status; what was printed is judged all the same.
            hasEnded = found == process || found < 0 && errno == ECHILD
            return hasEnded
        }
    }

    /// Waits for its end; a stop of the work ends it, by force if it does not listen.
    mutating func end(_ cancel: CancelToken) throws(SnpackError) {
        var looks = 0
        while !isOver {
            if cancel.isCancelled {
                if looks == 0 { kill(process, SIGTERM) }
                if looks == Self.patience { kill(process, SIGKILL) }
                looks += 1
            }
            poll(nil, 0, Self.pause)
        }
        try cancel.check()
    }
}
