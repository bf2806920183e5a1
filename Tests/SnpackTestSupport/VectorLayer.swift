public import Foundation

/// A layer of `Vectors/layers.json`: files by their formula, and what they come to.
public struct VectorLayer: Decodable, Sendable, CustomStringConvertible {
    public struct File: Decodable, Sendable {
        public let path: String
        public let size: Int
        public let salt: Int

        /// Byte i is (7·i + ⌊i/251⌋ + salt) mod 256; in files over 1 MiB the pattern starts again every 65,536 bytes.
        public var bytes: [UInt8] {
            let period = size > 1_048_576 ? 65_536 : max(1, size)
            let pattern = (0..<min(size, period)).map { UInt8(truncatingIfNeeded: 7 * $0 + $0 / 251 + salt) }
            return (0..<size).map { pattern[$0 % period] }
        }
    }

    public let name: String
    public let tree: Bool
    public let files: [File]
    public let blake3: String
    public let tar_bytes: UInt64
    public let tar_blake3: String
    public let chunks: [Int]

    public var description: String { name }

    /// All layers of the vectors.
    public static let all: [VectorLayer] = {
        let url = ProjectFiles.vectors.appending(path: "layers.json")
        let layers = (try? Data(contentsOf: url)).flatMap { try? JSONDecoder().decode([VectorLayer].self, from: $0) }
        return layers ?? []
    }()

    /// Writes the files below `directory`; returns the path of the tree, or of the one file.
    public func write(below directory: URL) throws -> String {
        for file in files {
            let url = directory.appending(path: file.path)
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(file.bytes).write(to: url)
        }
        return tree ? directory.path : directory.appending(path: files[0].path).path
    }
}
