public import Foundation

/// What a process left behind.
public struct ToolResult: Sendable, CustomStringConvertible {
    /// The exit status; 128 and the signal's number for one that a signal ended, as shells say it.
    public let status: Int32
    /// What it wrote to stdout.
    public let output: [UInt8]
    /// What it wrote to stderr, as text.
    public let standardError: String
    /// Whether it was stopped because its time was over.
    public let timedOut: Bool

    /// What it wrote to stdout, as text.
    public var standardOutput: String { String(decoding: output, as: UTF8.self) }

    /// All of it on one line, for messages.
    public var description: String {
        "status \(status)\(timedOut ? ", stopped after its time" : ""), stdout \(standardOutput.debugDescription), "
            + "stderr \(standardError.debugDescription)"
    }
}

/// Runs a program of the system and drains its pipes while it runs, so that neither waits for the other.
public enum SystemTool {
    /// Runs `tool` to its end.
    ///
    /// - Parameters:
    ///   - tool: a path, or a name to look up on `PATH`.
    ///   - environment: added to this process's own; nil takes a variable away.
    ///   - output: where stdout goes instead of the result, if anywhere.
    ///   - seconds: after which it is killed.
    public static func run(
        _ tool: String, _ arguments: [String], in directory: URL? = nil, environment: [String: String?] = [:],
        input: [UInt8] = [], output: FileHandle? = nil, seconds: Double = 60
    ) throws -> ToolResult {
        var variables = ProcessInfo.processInfo.environment
        for (name, value) in environment { variables[name] = value }
        let (stdin, stdout, stderr) = (Pipe(), Pipe(), Pipe())
        let child = try ChildProcess(
            tool, arguments, in: directory?.path, environment: variables,
            descriptors: (
                stdin.fileHandleForReading.fileDescriptor,
                (output ?? stdout.fileHandleForWriting).fileDescriptor, stderr.fileHandleForWriting.fileDescriptor
            ))
        for handle in [stdin.fileHandleForReading, stdout.fileHandleForWriting, stderr.fileHandleForWriting] {
            try handle.close()
        }

        let drains = [output == nil ? stdout : nil, stderr].map { pipe in pipe.map { Drain($0.fileHandleForReading) } }
        Thread.detachNewThread {
            // The child may end without reading; that is for the test to judge.
            signal(SIGPIPE, SIG_IGN)
            try? stdin.fileHandleForWriting.write(contentsOf: Data(input))
            try? stdin.fileHandleForWriting.close()
        }
        let (status, timedOut) = child.wait(seconds: seconds)
        return ToolResult(
            status: status, output: drains[0]?.bytes() ?? [],
            standardError: String(decoding: drains[1]?.bytes() ?? [], as: UTF8.self), timedOut: timedOut)
    }

    /// Reads a pipe to its end on a thread of its own.
    private final class Drain: @unchecked Sendable {
        private let done = DispatchSemaphore(value: 0)
        private var data = Data()

        init(_ handle: FileHandle) {
            Thread.detachNewThread { [self] in
                data = (try? handle.readToEnd()) ?? Data()
                done.signal()
            }
        }

        /// What came, once the other end is closed; a grandchild that keeps it open is not waited for.
        func bytes() -> [UInt8] {
            done.wait(timeout: .now() + 5) == .success ? Array(data) : []
        }
    }
}
