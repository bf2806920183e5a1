import Foundation
import SnpackTestSupport
import Testing

/// The real program in a directory of its own: keys, releases, a channel, and a store beside it.
struct Journey {
    static let id = "liechtenstein"

    let directory: URL
    /// The path of the factory key, without its suffix.
    let key: String

    /// Starts with a new key and nothing else.
    init(in directory: URL) throws {
        self.init(at: directory)
        try run("keygen", "--role", "factory", "--out", "keys/factory", "--no-passphrase")
    }

    /// Goes on in a directory that has all of it.
    init(at directory: URL) {
        self.directory = directory
        key = directory.appending(path: "keys/factory").path
    }

    func place(_ path: String) -> URL { directory.appending(path: path) }

    // MARK: - The factory

    /// Runs a command that must succeed.
    @discardableResult
    func run(_ words: String...) throws -> ToolResult {
        let result = try SnpackProcess.run(words, in: directory)
        #expect(result.status == 0, "\(words.joined(separator: " ")): \(result)")
        return result
    }

    /// Builds a version of the sample out of its `v1` or `v2` directories and publishes it.
    func publish(_ version: String, from sample: String) throws {
        let layers = ProjectFiles.sample.appending(path: sample).path
        try run(
            "build", ProjectFiles.root.appending(path: "manifests/liechtenstein.json").path, "--version", version,
            "--layer", "valhalla-tiles=\(layers)/valhalla",
            "--layer", "pmtiles=\(layers)/pmtiles/liechtenstein.pmtiles",
            "--layer", "geocode-index=\(layers)/geocode/places.ndjson", "--layer", "style=\(layers)/style",
            "--layer", "poi-sidecar=\(layers)/poi-sidecar/poi.sqlite")
        try run("sign", "build/liechtenstein/\(version)", "--key", key + ".key")
        try run("publish", "build/liechtenstein/\(version)", "--channel", "channel", "--key", key + ".key")
    }

    /// Builds and signs a version of `test`, whose one small layer says the version.
    func buildSmall(_ version: String) throws {
        try Data("this is \(version)\n".utf8).write(to: place("notes.txt"))
        let definition = """
            {id: "test", display_name: "Test", attribution: "nobody", bbox: [9, 47, 10, 48],
             data_timestamp: "2026-11-01T00:00:00Z", layers: [{kind: "notes", source: "notes.txt"}]}
            """
        try Data(definition.utf8).write(to: place("test.json"))
        try run("build", "test.json", "--version", version)
        try run("sign", "build/test/\(version)", "--key", key + ".key")
    }

    // MARK: - The store

    /// The words of a store command on this journey's store.
    func storeWords(_ words: [String], root: String = "store") -> [String] {
        ["store"] + words + ["--root", root, "--factory-key", key + ".pub"]
    }

    /// Runs a store command that must succeed.
    @discardableResult
    func store(_ words: String...) throws -> ToolResult {
        let result = try SnpackProcess.run(storeWords(words), in: directory)
        #expect(result.status == 0, "store \(words.joined(separator: " ")): \(result)")
        return result
    }

    /// Runs a store command that must end with `status` and, if one is given, this error code.
    @discardableResult
    func store(_ words: String..., endsWith status: Int32, code: String? = nil) throws -> ToolResult {
        let result = try SnpackProcess.run(storeWords(words), in: directory)
        #expect(result.status == status, "store \(words.joined(separator: " ")): \(result)")
        if let code { #expect(result.standardError.contains("[\(code)]"), "\(result)") }
        return result
    }

    /// What a store command that must succeed prints with `--json`.
    func json(_ words: String...) throws -> [String: Any] {
        let result = try SnpackProcess.run(storeWords(words) + ["--json"], in: directory)
        #expect(result.status == 0, "store \(words.joined(separator: " ")): \(result)")
        return try #require(JSONSerialization.jsonObject(with: Data(result.output)) as? [String: Any])
    }

    /// The installed version of the only territory.
    func version() throws -> String? {
        (try json("list")["territories"] as? [[String: Any]])?.first?["version"] as? String
    }

    /// Names of the places that a search finds, best first.
    func names(_ query: String) throws -> [String] {
        (try json("search", Self.id, query)["places"] as? [[String: Any]] ?? []).compactMap { $0["name"] as? String }
    }

    func path(_ kind: String) throws -> URL {
        let text = try store("path", Self.id, kind).standardOutput
        return URL(filePath: text.trimmingCharacters(in: .newlines))
    }

    /// Everything below the store but its cache and locks.
    func storeFiles() -> [String] {
        let found = (try? FileManager.default.subpathsOfDirectory(atPath: place("store").path)) ?? []
        return found.filter { !$0.hasPrefix("cache") && !$0.hasPrefix("locks") }.sorted()
    }
}

/// The sample's versions 1.0.0 and 1.1.0 as a signed channel, built once for all tests of a run.
enum PublishedSample {
    private static let made: Result<URL, any Error> = Result {
        let home = try ProjectFiles.temporaryDirectory("snpack-sample")
        atexit { if let home = try? PublishedSample.made.get() { try? FileManager.default.removeItem(at: home) } }
        let journey = try Journey(in: home)
        try journey.publish("1.0.0", from: "v1")
        try journey.publish("1.1.0", from: "v2")
        return home
    }

    /// A copy of it: `keys`, `build`, and `channel`, which offers 1.1.0.
    static func inCopy(_ body: (Journey) throws -> Void) throws {
        let home = try made.get()
        try ProjectFiles.inTemporaryDirectory { directory in
            for name in ["keys", "build", "channel"] {
                try FileManager.default.copyItem(at: home.appending(path: name), to: directory.appending(path: name))
            }
            try body(Journey(at: directory))
        }
    }
}
