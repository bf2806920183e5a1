import Foundation
import SnpackTestSupport
import Testing

/// A workshop whose channel has versions of `demo`, each with a note of its own.
extension Workshop {
    static func withChannel(_ versions: [String], _ body: (Workshop) throws -> Void) throws {
        try open { shop in
            for version in versions { try shop.publishNote(version) }
            try body(shop)
        }
    }

    func publishNote(_ version: String, _ more: String...) throws {
        try write("note.txt", "the note of \(version)\n" + String(repeating: version, count: 3_000))
        try release(version)
        try done(["publish", "build/demo/\(version)", "--channel", "channel", "--key", "keys/factory.key"] + more)
    }

    /// Runs a command on the channel, signed by the factory's key, that must succeed.
    @discardableResult
    func keep(_ words: String..., sourceLocation: SourceLocation = #_sourceLocation) throws -> ToolResult {
        try done(words + ["--channel", "channel", "--key", "keys/factory.key"], sourceLocation: sourceLocation)
    }

    func index(_ channel: String = "channel") throws -> [String: Any] {
        try #require(JSONSerialization.jsonObject(with: Data(read("\(channel)/index.json"))) as? [String: Any])
    }

    /// The entry of the only territory.
    func territory(_ channel: String = "channel") throws -> [String: Any] {
        try #require((index(channel)["territories"] as? [[String: Any]])?.first)
    }

    func latest(_ channel: String = "channel") throws -> String? { try territory(channel)["latest_version"] as? String }

    func versions(_ channel: String = "channel") throws -> [String] {
        (try territory(channel)["versions"] as? [[String: Any]] ?? []).compactMap { $0["version"] as? String }
    }

    func store(_ words: String..., root: String = "store", key: String = "keys/factory.pub") throws -> ToolResult {
        try run(["store"] + words + ["--root", root, "--factory-key", key])
    }

    func installed(root: String = "store", key: String = "keys/factory.pub") throws -> [String: Any] {
        let list = try run(["store", "list", "--root", root, "--factory-key", key, "--json"])
        let object = try JSONSerialization.jsonObject(with: Data(list.output)) as? [String: Any]
        return (object?["territories"] as? [[String: Any]])?.first ?? [:]
    }

    func isSound(_ channel: String = "channel", key: String = "keys/factory.pub", _ more: String...) throws -> Bool {
        let result = try run(["verify", channel, "--factory-key", key] + more)
        if result.status != 0 { Issue.record("\(result)") }
        return result.status == 0
    }

    func inode(_ path: String) throws -> UInt64? {
        try FileManager.default.attributesOfItem(atPath: url(path).path)[.systemFileNumber] as? UInt64
    }

    /// The path of a version's only blob of a kind whose file has this name.
    func blob(_ file: String, of version: String, in channel: String = "channel") throws -> String {
        let base = "\(channel)/territories/demo/\(version)/layers"
        let found = try FileManager.default.contentsOfDirectory(atPath: url(base).path)
            .first { exists("\(base)/\($0)/\(file).tar.zst") }
        return "\(base)/\(try #require(found))/\(file).tar.zst"
    }
}
