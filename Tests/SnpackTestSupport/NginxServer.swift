public import Foundation

/// A real nginx on 127.0.0.1 that serves one directory, with its configuration and logs in a directory of its own.
///
/// Use it in tests with `.enabled(if: NginxServer.isInstalled, "needs nginx (Debian: nginx-light)")`.
public final class NginxServer {
    private static let binary = ["/usr/sbin/nginx", "/usr/local/sbin/nginx", "/usr/bin/nginx"]
        .first { FileManager.default.isExecutableFile(atPath: $0) }
    /// Whether there is an nginx to start.
    public static var isInstalled: Bool { binary != nil }

    /// The free port that it listens on.
    public let port: UInt16
    private let process = Process()
    private let home: URL

    private let isSecure: Bool

    /// Serves `root`; `directives` go into the `server` block, such as `max_ranges 0;` or a `location`. A secure one
    /// needs `ssl_certificate` and `ssl_certificate_key` there.
    public init(root: URL, isSecure: Bool = false, directives: String = "") throws {
        guard let binary = Self.binary else { throw POSIXError(.ENOENT) }
        self.isSecure = isSecure
        home = try ProjectFiles.temporaryDirectory("snpack-nginx")
        // Freed and taken again by nginx: another process may come between, then its start fails and so does the test.
        let listener = try ListeningSocket()
        port = listener.port
        close(listener.descriptor)
        let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
            .map { "    \($0)_temp_path \(home.path)/\($0);\n" }.joined()
        let configuration = """
            daemon off;
            master_process off;
            pid \(home.path)/pid;
            error_log \(home.path)/error.log;
            events { worker_connections 256; }
            http {
            \(temporary)    access_log \(home.path)/access.log;
                default_type application/octet-stream;
                server {
                    listen 127.0.0.1:\(port)\(isSecure ? " ssl" : "");
                    root \(root.path);
                    \(directives)
                }
            }

            """
        let file = home.appending(path: "nginx.conf")
        try configuration.write(to: file, atomically: false, encoding: .utf8)
        process.executableURL = URL(filePath: binary)
        process.arguments = ["-p", home.path, "-c", file.path, "-e", "\(home.path)/error.log"]
        process.standardError = FileHandle.nullDevice
        try process.run()
        let end = ContinuousClock.now + .seconds(10)
        while !canConnect(to: port) {
            guard process.isRunning, ContinuousClock.now < end else {
                let reason = (try? String(contentsOf: home.appending(path: "error.log"), encoding: .utf8)) ?? ""
                stop()
                throw CocoaError(.executableLoad, userInfo: [NSLocalizedDescriptionKey: "nginx: \(reason)"])
            }
            Thread.sleep(forTimeInterval: 0.01)
        }
    }

    deinit { stop() }

    /// The address of a path that begins with `/`.
    public func url(_ path: String = "/") -> String { "http\(isSecure ? "s" : "")://127.0.0.1:\(port)\(path)" }

    /// The lines of the access log, in nginx's combined format. A line is written when its answer is done.
    public var accessLog: [String] {
        let text = (try? String(contentsOf: home.appending(path: "access.log"), encoding: .utf8)) ?? ""
        return text.split(separator: "\n").map(String.init)
    }

    /// Ends this nginx and removes its directory.
    public func stop() {
        if process.isRunning {
            // Not SIGTERM: a child started from a dispatch thread inherits a mask that blocks it.
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }
        try? FileManager.default.removeItem(at: home)
    }
}
