public import Foundation

/// Runs the `snpack` that was built together with the tests.
public enum SnpackProcess {
    /// The program that `SNPACK_BINARY` names, or the one that was built with the tests.
    public static let path: String = {
        if let named = ProcessInfo.processInfo.environment["SNPACK_BINARY"] { return named }
        // The test bundle lies beside it; the process itself may be a runner from the toolchain.
        let places =
            CommandLine.arguments.filter { $0.contains(".xctest") } + [Bundle.main.executablePath].compactMap(\.self)
        let besides = places.map { URL(filePath: $0).deletingLastPathComponent() }
        let configuration: String
        #if DEBUG
            configuration = "debug"
        #else
            configuration = "release"
        #endif
        let candidates = besides + [ProjectFiles.root.appending(path: ".build/\(configuration)")]
        return candidates.map { $0.appending(path: "snpack").path }.first(where: isProgram) ?? "snpack-is-not-built"
    }()

    private static func isProgram(_ path: String) -> Bool {
        var isDirectory: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) && !isDirectory.boolValue
            && FileManager.default.isExecutableFile(atPath: path)
    }

    /// Runs `snpack` with `arguments` to its end, with an environment that no setting of the caller's shell reaches.
    ///
    /// - Parameters:
    ///   - environment: added to a plain one; nil takes a variable away.
    ///   - input: what it may read from stdin.
    ///   - output: where stdout goes instead of the result, if anywhere.
    ///   - seconds: after which it is killed and ``ToolResult/timedOut`` says so.
    public static func run(
        _ arguments: [String], in directory: URL? = nil, environment: [String: String?] = [:], input: [UInt8] = [],
        output: FileHandle? = nil, seconds: Double = 120
    ) throws -> ToolResult {
        var variables: [String: String?] = [
            "NO_COLOR": nil, "SNPACK_PASSPHRASE_FILE": nil, "GITHUB_ACTIONS": nil,
            // Without a home there is no build cache: what a test builds is built.
            "HOME": nil, "XDG_CACHE_HOME": nil,
        ]
        variables.merge(environment) { $1 }
        return try SystemTool.run(
            path, arguments, in: directory, environment: variables, input: input, output: output, seconds: seconds)
    }
}
