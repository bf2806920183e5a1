import Diagnostics
import Glibc
import Signing

/// Asks for a passphrase on the terminal, whatever stdin and stdout are, and shows nothing of what is typed.
struct PassphrasePrompt {
    let cancel: CancelToken

    func ask(_ prompt: String) throws(SnpackError) -> SecretBytes {
        let terminal = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard terminal >= 0 else { throw Self.noTerminal }
        defer { close(terminal) }
        var usual = termios()
        guard tcgetattr(terminal, &usual) == 0 else { throw Self.noTerminal }
        var silent = usual
        silent.c_lflag &= ~tcflag_t(ECHO)
        silent.c_lflag |= tcflag_t(ECHONL)
        guard tcsetattr(terminal, TCSAFLUSH, &silent) == 0 else { throw Self.noTerminal }
        defer { tcsetattr(terminal, TCSAFLUSH, &usual) }

        let bytes = Array(prompt.utf8)
        guard write(terminal, bytes, bytes.count) == bytes.count else { throw Self.noTerminal }
        // A terminal hands over one line of at most 4,095 bytes.
        var line = [UInt8](repeating: 0, count: 4_096)
        while true {
            // Looked at between short waits, for a signal that comes just before a wait does not end it.
            try cancel.check()
            var waiting = pollfd(fd: terminal, events: Int16(POLLIN), revents: 0)
            guard poll(&waiting, 1, 100) > 0 else { continue }
            let count = read(terminal, &line, line.count)
            if count > 0 { return try SecretBytes.firstLine(wiping: &line, count: count) }
            if count == 0 || errno != EINTR { throw Self.noTerminal }
        }
    }

    private static let noTerminal = SnpackError(
        .passphraseNeeded, "a passphrase is needed, and there is no terminal to ask on",
        hint: "use --passphrase-file or SNPACK_PASSPHRASE_FILE")
}
