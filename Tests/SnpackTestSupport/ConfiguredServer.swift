public import Foundation

/// Web servers that are started with a configuration file of this project, on ports of their own.
public final class ConfiguredServer {
    private static func program(_ name: String) -> String? {
        ["/usr/bin", "/usr/sbin", "/usr/local/bin", "/usr/local/sbin"].map { "\($0)/\(name)" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }
    public static var hasNginx: Bool { program("nginx") != nil }
    public static var hasCaddy: Bool { program("caddy") != nil }

    /// Where the file's first site, 8080, and second, 8081, listen.
    public let ports: [UInt16]
    private let process = Process()
    private let home: URL

    /// nginx with `scripts/serve/nginx.conf`, its root being `root`. `edit` changes the text first.
    public static func nginx(root: URL, edit: (String) -> String = { $0 }) throws -> ConfiguredServer {
        try ConfiguredServer("nginx", "nginx.conf", root, edit) { text, home in
            let directories = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
                .map { "\($0)_temp_path \(home)/\($0);" }.joined(separator: " ")
            let file =
                "daemon off; master_process off; pid \(home)/pid; error_log \(home)/error.log; "
                + "events { } http { access_log off; \(directories)\n\(text)\n}\n"
            try file.write(toFile: "\(home)/nginx.conf", atomically: false, encoding: .utf8)
            return ["-p", home, "-c", "\(home)/nginx.conf", "-e", "\(home)/error.log"]
        }
    }

    /// Caddy with `scripts/serve/Caddyfile`, its root being `root`.
    public static func caddy(root: URL, edit: (String) -> String = { $0 }) throws -> ConfiguredServer {
        try ConfiguredServer("caddy", "Caddyfile", root, edit) { text, home in
            let file = "{\n\tadmin off\n\tauto_https off\n\tstorage file_system \(home)/storage\n}\n" + text
            try file.write(toFile: "\(home)/Caddyfile", atomically: false, encoding: .utf8)
            return ["run", "--config", "\(home)/Caddyfile", "--adapter", "caddyfile"]
        }
    }

    private init(
        _ name: String, _ file: String, _ root: URL, _ edit: (String) -> String,
        _ arguments: (_ text: String, _ home: String) throws -> [String]
    ) throws {
        guard let program = Self.program(name) else { throw POSIXError(.ENOENT) }
        home = try ProjectFiles.temporaryDirectory("snpack-\(name)")
        var ports: [UInt16] = []
        for _ in 0..<2 {
            let listener = try ListeningSocket()
            ports.append(listener.port)
            close(listener.descriptor)
        }
        self.ports = ports
        let source = ProjectFiles.root.appending(path: "scripts/serve/\(file)")
        let text = edit(try String(contentsOf: source, encoding: .utf8)).replacing("/srv/maps/channel", with: root.path)
            .replacing("127.0.0.1:8080", with: "127.0.0.1:\(ports[0])")
            .replacing("127.0.0.1:8081", with: "127.0.0.1:\(ports[1])")
        process.executableURL = URL(filePath: program)
        process.arguments = try arguments(text, home.path)
        process.environment = ["HOME": home.path, "PATH": "/usr/bin:/bin"]
        let log = home.appending(path: "stderr")
        try Data().write(to: log)
        process.standardError = try FileHandle(forWritingTo: log)
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        let end = ContinuousClock.now + .seconds(20)
        while !ports.allSatisfy(canConnect) {
            guard process.isRunning, ContinuousClock.now < end else {
                let reason = (try? String(contentsOf: log, encoding: .utf8)) ?? ""
                stop()
                throw CocoaError(.executableLoad, userInfo: [NSLocalizedDescriptionKey: "\(name): \(reason)"])
            }
            Thread.sleep(forTimeInterval: 0.02)
        }
    }

    deinit { stop() }

    public func stop() {
        if process.isRunning {
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }
        try? FileManager.default.removeItem(at: home)
    }
}
