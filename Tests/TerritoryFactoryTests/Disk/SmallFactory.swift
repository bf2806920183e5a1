import Diagnostics
import DurableFiles
import Foundation
import Signing
import SnpackTestSupport
import TerritoryFactory
import TerritoryModel
import TerritoryPackage
import Testing

/// Factory work on a territory of one small file, each step with the disk of one's choice.
struct SmallFactory {
    static let now = Timestamp(secondsSince1970: 1_796_083_200)
    let key: SecretKey

    init() throws { key = try SecretKey.generate(role: .factory) }

    /// A definition whose one layer says the version; `build/demo/<version>` is the release.
    func build(_ version: String, in root: URL, layers: String? = nil, _ disk: any Disk = SystemDisk()) throws -> String
    {
        try Data("content of \(version)".utf8).write(to: root.appending(path: "note.txt"))
        let definition = """
            {id: 'demo', display_name: 'Demo', attribution: 'nobody', bbox: [9, 47, 10, 48],
             data_timestamp: '2026-01-01T00:00:00Z', layers: [\(layers ?? "{kind: 'notes', source: 'note.txt'}")]}
            """
        var options = ReleaseBuilder.Options(version: try TerritoryVersion(parsing: version), tool: "test")
        options.output = root.appending(path: "build").path
        options.disk = disk
        return try ReleaseBuilder(
            try TerritoryDefinition(decoding: Array(definition.utf8), directory: root.path), options: options,
            context: WorkContext()
        ).build().path
    }

    /// Builds and signs.
    func release(_ version: String, in root: URL, layers: String? = nil) throws -> String {
        let path = try build(version, in: root, layers: layers)
        try sign(path, "manifest.json")
        return path
    }

    func sign(_ directory: String, _ name: String) throws {
        let directory = try Directory.open(directory)
        let document = try directory.contents(of: name, limit: 1 << 20)
        try directory.write(key.signatureFile(of: document), to: name + ".sig")
    }

    /// What a channel is published with: a state file beside it, and the disk for both.
    func succession(_ root: URL, _ disk: any Disk) -> IndexSuccession {
        var succession = IndexSuccession(now: Self.now)
        succession.statePath = root.appending(path: "key.published.json").path
        succession.disk = disk
        return succession
    }

    @discardableResult
    func publish(
        _ version: String, in root: URL, staging: Bool = false, _ disk: any Disk = SystemDisk()
    ) throws -> UInt64 {
        try ChannelPublisher(
            ChannelChange(
                of: root.appending(path: "channel").path,
                finish: staging ? .stage(try key.pinned(), .factory) : .sign(key),
                succession: succession(root, disk), disk: disk), context: WorkContext()
        ).publish([root.appending(path: "build/demo/\(version)").path]).index.sequence
    }

    func commit(in root: URL, _ disk: any Disk = SystemDisk()) throws {
        _ = try ChannelEditor(root.appending(path: "channel").path, keys: key.pinned(), disk: disk).commitStaged()
    }

    /// The live sequence of a channel in which there is nothing wrong; 0 where there is no index.
    func soundSequence(_ root: URL) throws -> UInt64 {
        let channel = root.appending(path: "channel")
        guard FileManager.default.fileExists(atPath: channel.appending(path: "index.signed").path) else { return 0 }
        let report = try ChannelProof(
            ChannelDirectory(Directory.open(channel.path)), keys: key.pinned(), depth: .deep, isPartial: false,
            now: Self.now, context: WorkContext()
        ).report()
        try report.faults.throwIfAny("the channel has faults")
        return report.index?.sequence ?? 0
    }

    /// The sequence of the channel's catalogue, whose files are all there and whole.
    func catalogueSequence(_ root: URL) throws -> UInt64? {
        let channel = try Directory.open(root.appending(path: "channel").path)
        let page = try channel.contents(of: "index.html", limit: 1 << 20)
        #expect(page.suffix(8) == Array("</html>\n".utf8)[...])
        #expect(try StrictJSON.parse(channel.contents(of: "catalogue.geojson", limit: 1 << 20)).objectValue != nil)
        return try StrictJSON.parse(channel.contents(of: "catalogue.json", limit: 1 << 20))
            .objectValue?["sequence"]?.numberValue?.unsignedInteger
    }

    /// Everything below a directory but what is in the making, by relative path; nil if there is nothing.
    static func contents(_ directory: URL) throws -> [String: Data]? {
        guard let names = FileManager.default.enumerator(atPath: directory.path)?.compactMap({ $0 as? String }),
            FileManager.default.fileExists(atPath: directory.path)
        else { return nil }
        var files: [String: Data] = [:]
        for name in names where !name.contains(TemporaryName.prefix) {
            let url = directory.appending(path: name)
            files[name] =
                url.hasDirectoryPath || (try? url.resourceValues(forKeys: [.isDirectoryKey]))?.isDirectory == true
                ? Data() : try Data(contentsOf: url)
        }
        return files
    }
}
