import Foundation
import SnpackTestSupport
import Testing

/// A directory with a small territory, a key pair and room for a channel, and the built program to work in it.
struct Workshop {
    let root: URL

    /// Runs `body` in a workshop of its own, with `keys/factory` made and `demo.json` defined.
    @discardableResult
    static func open<Result>(_ body: (Workshop) throws -> Result) throws -> Result {
        try ProjectFiles.inTemporaryDirectory { root in
            let shop = Workshop(root: root)
            try FileManager.default.createDirectory(at: root.appending(path: "keys"), withIntermediateDirectories: true)
            try shop.done("keygen", "--role", "factory", "--out", "keys/factory", "--no-passphrase")
            try shop.write("tree/a/one", "one")
            try shop.write("tree/b", String(repeating: "b", count: 40_000))
            try shop.write("note.txt", "a note")
            try shop.define()
            return try body(shop)
        }
    }

    // MARK: - Files

    func url(_ path: String) -> URL { root.appending(path: path) }

    func write(_ path: String, _ text: String) throws { try write(path, Array(text.utf8)) }

    func write(_ path: String, _ bytes: [UInt8]) throws {
        try FileManager.default.createDirectory(
            at: url(path).deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: url(path))
    }

    func read(_ path: String) throws -> [UInt8] { try [UInt8](Data(contentsOf: url(path))) }
    func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: url(path).path) }
    func remove(_ path: String) throws { try FileManager.default.removeItem(at: url(path)) }
    func copy(_ path: String, to target: String) throws {
        try FileManager.default.copyItem(at: url(path), to: url(target))
    }

    /// All files below `path`, by their relative paths.
    func files(below path: String) throws -> [String: [UInt8]] {
        var files: [String: [UInt8]] = [:]
        for name in FileManager.default.enumerator(atPath: url(path).path)?.compactMap({ $0 as? String }) ?? [] {
            var isDirectory: ObjCBool = false
            let full = url("\(path)/\(name)").path
            guard FileManager.default.fileExists(atPath: full, isDirectory: &isDirectory), !isDirectory.boolValue else {
                continue
            }
            files[name] = try read("\(path)/\(name)")
        }
        return files
    }

    /// Names of things in the making that nobody took away, anywhere in the workshop.
    func leftovers() -> [String] {
        let names = FileManager.default.enumerator(atPath: root.path)?.compactMap { $0 as? String } ?? []
        return names.filter { $0.contains(".snpack-tmp-") }
    }

    /// `demo.json`: a tree and a single file of kinds that no check knows.
    func define(_ id: String = "demo", _ more: String = "", layers: String? = nil) throws {
        let layers = layers ?? #"{"kind": "extra", "source": "tree"}, {"kind": "notes", "source": "note.txt"}"#
        try write(
            "\(id).json",
            """
            {
              "id": "\(id)", "display_name": "Demo", "attribution": "nobody", "bbox": [9, 47, 10, 48],
              "data_timestamp": "2026-01-01T00:00:00Z", \(more)
              "layers": [\(layers)]
            }
            """)
    }

    // MARK: - Commands

    func run(
        _ words: [String], environment: [String: String?] = [:], input: [UInt8] = [], seconds: Double = 120
    ) throws -> ToolResult {
        try SnpackProcess.run(words, in: root, environment: environment, input: input, seconds: seconds)
    }

    func run(_ words: String...) throws -> ToolResult { try run(words) }

    /// Runs a command that must succeed.
    @discardableResult
    func done(_ words: String..., sourceLocation: SourceLocation = #_sourceLocation) throws -> ToolResult {
        try done(words, sourceLocation: sourceLocation)
    }

    @discardableResult
    func done(_ words: [String], sourceLocation: SourceLocation = #_sourceLocation) throws -> ToolResult {
        let result = try run(words)
        try #require(result.status == 0, "\(words.joined(separator: " ")): \(result)", sourceLocation: sourceLocation)
        return result
    }

    /// Runs a command that must fail with `status` and an error of `code`, and have nothing to say on stdout.
    @discardableResult
    func fails(
        _ status: Int32, _ code: String, _ words: String..., sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> ToolResult {
        let result = try run(words)
        #expect(result.status == status, "\(words.joined(separator: " ")): \(result)", sourceLocation: sourceLocation)
        #expect(result.standardError.contains("[\(code)]"), "\(result)", sourceLocation: sourceLocation)
        #expect(result.output.isEmpty, "\(result)", sourceLocation: sourceLocation)
        #expect(leftovers() == [], sourceLocation: sourceLocation)
        return result
    }

    /// The object that a command prints with `--json`.
    func object(_ words: String..., sourceLocation: SourceLocation = #_sourceLocation) throws -> [String: Any] {
        let result = try run(words + ["--json"])
        return try #require(
            JSONSerialization.jsonObject(with: Data(result.output)) as? [String: Any], "\(result)",
            sourceLocation: sourceLocation)
    }

    /// Builds and signs a version of `demo`.
    func release(_ version: String, of id: String = "demo", sourceLocation: SourceLocation = #_sourceLocation) throws {
        try done("build", "\(id).json", "--version", version, sourceLocation: sourceLocation)
        try done("sign", "build/\(id)/\(version)", "--key", "keys/factory.key", sourceLocation: sourceLocation)
    }

    @discardableResult
    func publish(
        _ version: String, _ more: String..., sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> ToolResult {
        try done(
            ["publish", "build/demo/\(version)", "--channel", "channel", "--key", "keys/factory.key"] + more,
            sourceLocation: sourceLocation)
    }

    func verify(_ target: String, _ more: String...) throws -> ToolResult {
        try run(["verify", target, "--factory-key", "keys/factory.pub"] + more)
    }

    func sequence(_ channel: String = "channel") throws -> Int {
        let index = try JSONSerialization.jsonObject(with: Data(read("\(channel)/index.json"))) as? [String: Any]
        return try #require(index?["sequence"] as? Int)
    }
}
