public import Foundation

/// Where the project's own test material lies, found from this file's place.
public enum ProjectFiles {
    /// The checkout.
    public static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    /// `Tests/Fixtures`
    public static let fixtures = root.appending(path: "Tests/Fixtures")
    /// The sample territory: layer directories `v1/…` and `v2/…`.
    public static let sample = fixtures.appending(path: "liechtenstein")
    /// The wire format's vectors, made by another implementation.
    public static let vectors = root.appending(path: "Tests/SnpackTestSupport/Vectors")
    /// A second, larger territory beside the checkout, where there is one.
    public static let sharedData: URL? = {
        let url = root.deletingLastPathComponent().appending(path: "shared/data/liechtenstein")
        return FileManager.default.fileExists(atPath: url.path) ? url : nil
    }()

    /// A vector file, decoded by Foundation (the vectors are not under test).
    public static func vector(_ name: String) throws -> Any {
        try JSONSerialization.jsonObject(with: Data(contentsOf: vectors.appending(path: name)))
    }

    /// An empty directory of its own, removed when the value is dropped by ``remove()``.
    public static func temporaryDirectory(_ name: String = "snpack-test") throws -> URL {
        let url = FileManager.default.temporaryDirectory.appending(path: "\(name)-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        return url
    }

    /// Runs `body` in an empty directory of its own and removes it afterwards.
    public static func inTemporaryDirectory<Result>(_ body: (URL) throws -> Result) throws -> Result {
        let url = try temporaryDirectory()
        defer { try? FileManager.default.removeItem(at: url) }
        return try body(url)
    }

    /// The same for asynchronous work.
    public static func inTemporaryDirectory<Result>(_ body: (URL) async throws -> Result) async throws -> Result {
        let url = try temporaryDirectory()
        defer { try? FileManager.default.removeItem(at: url) }
        return try await body(url)
    }
}
