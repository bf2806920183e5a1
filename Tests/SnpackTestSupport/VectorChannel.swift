public import Foundation

/// A bad channel of the vectors: `channel-ok` with files laid over it and others removed.
public struct VectorChannel: Sendable, CustomStringConvertible {
    public let name: String
    /// What `verify` must end with.
    public let exit: Int32
    private let delete: [String]

    public var description: String { name }

    /// The good channel: one territory, versions 1.0.0 and 1.1.0.
    public static let ok = ProjectFiles.vectors.appending(path: "channel-ok")
    /// A custom region's channel.
    public static let region = ProjectFiles.vectors.appending(path: "region-ok")

    /// All bad channels.
    public static let bad: [VectorChannel] = {
        struct Case: Decodable {
            let exit: Int32
            let delete: [String]
        }
        let root = ProjectFiles.vectors.appending(path: "channel-bad")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: root.path)) ?? []
        return names.sorted().compactMap { name in
            guard let data = try? Data(contentsOf: root.appending(path: "\(name)/case.json")),
                let found = try? JSONDecoder().decode(Case.self, from: data)
            else { return nil }
            return VectorChannel(name: name, exit: found.exit, delete: found.delete)
        }
    }()

    /// Lays the channel out in `directory`, which must not be there yet.
    public func lay(out directory: URL) throws {
        let files = FileManager.default
        try files.copyItem(at: Self.ok, to: directory)
        let overlay = ProjectFiles.vectors.appending(path: "channel-bad/\(name)/overlay")
        for path in files.enumerator(atPath: overlay.path)?.compactMap({ $0 as? String }) ?? [] {
            let source = overlay.appending(path: path)
            guard try source.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true else { continue }
            let target = directory.appending(path: path)
            try files.createDirectory(at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
            try? files.removeItem(at: target)
            try files.copyItem(at: source, to: target)
        }
        for path in delete { try files.removeItem(at: directory.appending(path: path)) }
    }

    /// The vectors' public keys: `factory_public`, `region_public`, `stranger_public`.
    public static func key(_ name: String) throws -> String {
        let keys = try ProjectFiles.vector("signatures.json") as? [String: Any]
        guard let key = keys?[name] as? String else { throw CocoaError(.fileReadCorruptFile) }
        return key
    }
}
