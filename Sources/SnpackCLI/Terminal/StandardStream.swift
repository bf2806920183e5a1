import Diagnostics
import Glibc
import Synchronization

/// stdout or stderr, written without buffering and without dying of a reader that went away.
final class StandardStream: Sendable {
    enum Outcome {
        case open
        /// The reader has gone (`| head`): nothing more is written, and nothing is wrong.
        case closed
        case failed(number: Int32)
    }

    static let output = StandardStream(STDOUT_FILENO)
    static let error = StandardStream(STDERR_FILENO)

    private let descriptor: Int32
    private let state = Mutex(Outcome.open)

    private init(_ descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// Gives descriptors 0 to 2 something harmless where the parent closed them, so that no file we open becomes stdout.
    static func reopenClosed() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 {
            _ = open("/dev/null", O_RDWR)
        }
    }

    var isTerminal: Bool { isatty(descriptor) == 1 }

    /// The terminal's width in columns, if it is one that knows.
    var columnCount: Int? {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }

    var outcome: Outcome { state.withLock { $0 } }

    func write(_ bytes: some Collection<UInt8>) {
        state.withLock { state in
            guard case .open = state else { return }
            state = Self.writeAll(Array(bytes), to: descriptor)
        }
    }

    private static func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Outcome {
        bytes.withUnsafeBytes { buffer in
            var rest = buffer[...]
            while !rest.isEmpty {
                let count = Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                if count >= 0 {
                    rest = rest.dropFirst(count)
                } else if errno == EPIPE {
                    return .closed
                } else if errno == EAGAIN {
                    var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                    _ = poll(&waiting, 1, -1)
                } else if errno != EINTR {
                    return .failed(number: errno)
                }
            }
            return .open
        }
    }
}
