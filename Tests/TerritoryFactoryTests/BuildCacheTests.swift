import Blobs
import Diagnostics
import DurableFiles
import Foundation
import Hashing
import SnpackTestSupport
import Synchronization
import TerritoryFactory
import Testing

/// The build cache: what it may believe, and what it does without.
@Suite struct BuildCacheTests {
    private static let content = LayerContent(blake3: .of([1]), fileCount: 2, byteCount: 6)

    /// A tree of two files, and a cache beside it.
    private func inTree(_ body: (_ tree: URL, _ place: BuildCache.Place) throws -> Void) throws {
        try ProjectFiles.inTemporaryDirectory { root in
            let tree = root.appending(path: "tree")
            try FileManager.default.createDirectory(at: tree, withIntermediateDirectories: true)
            try Data("one".utf8).write(to: tree.appending(path: "a"))
            try Data("two".utf8).write(to: tree.appending(path: "b"))
            try body(tree, BuildCache.Place(directory: root.appending(path: "cache").path, maker: "1"))
        }
    }

    private func list(_ tree: URL) throws -> FileTree {
        var faults = FaultList()
        return try FileTree(listing: tree.path, faults: &faults)
    }

    private func youngest(_ tree: FileTree) -> Int64 {
        tree.files.reduce(0) { max($0, $1.identity.modified, $1.identity.changed) }
    }

    private func remember(_ tree: FileTree, after age: Int64 = 2 * second, at place: BuildCache.Place) {
        let cache = BuildCache(at: place, context: WorkContext())
        cache.remember(Self.content, of: tree, listedAt: youngest(tree) + age)
        cache.save()
    }

    private func recall(
        _ tree: FileTree, at place: BuildCache.Place, context: WorkContext = WorkContext()
    ) -> LayerContent? { BuildCache(at: place, context: context).content(of: tree) }

    @Test func anUnchangedTreeIsKnown() throws {
        try inTree { tree, place in
            let listed = try list(tree)
            #expect(recall(listed, at: place) == nil)
            remember(listed, at: place)
            #expect(recall(try list(tree), at: place) == Self.content)
        }
    }

    @Test(arguments: [0, 1, 2 * second - 1, -second, Int64.min / 2] as [Int64])
    func filesWrittenJustBeforeAreNotTrusted(age: Int64) throws {
        try inTree { tree, place in
            let listed = try list(tree)
            remember(listed, after: age, at: place)
            #expect(recall(listed, at: place) == nil)
            #expect(BuildCache(at: place, context: WorkContext()).hasSeen(theSizeOf: listed))
        }
    }

    @Test(arguments: ["rewritten", "replaced", "renamed", "touched", "one more", "one less"])
    func aTreeThatChangedIsNotKnown(change: String) throws {
        try inTree { tree, place in
            remember(try list(tree), at: place)
            let (a, b) = (tree.appending(path: "a"), tree.appending(path: "b"))
            let time = try FileManager.default.attributesOfItem(atPath: a.path)[.modificationDate] as? Date
            switch change {
            case "rewritten":
                // In place, of the same size, and with its time put back.
                let file = try FileHandle(forWritingTo: a)
                try file.write(contentsOf: Data("eno".utf8))
                try file.close()
                try FileManager.default.setAttributes([.modificationDate: try #require(time)], ofItemAtPath: a.path)
            case "replaced":
                try FileManager.default.removeItem(at: a)
                try Data("eno".utf8).write(to: a)
                try FileManager.default.setAttributes([.modificationDate: try #require(time)], ofItemAtPath: a.path)
            case "renamed": try FileManager.default.moveItem(at: b, to: tree.appending(path: "c"))
            case "touched": try FileManager.default.setAttributes([.modificationDate: Date()], ofItemAtPath: a.path)
            case "one more": try Data().write(to: tree.appending(path: "c"))
            default: try FileManager.default.removeItem(at: b)
            }
            #expect(recall(try list(tree), at: place) == nil)
        }
    }

    @Test func anotherProgramsAnswersAreNone() throws {
        try inTree { tree, place in
            let listed = try list(tree)
            remember(listed, at: place)
            #expect(recall(listed, at: BuildCache.Place(directory: place.directory, maker: "2")) == nil)
            #expect(recall(listed, at: place) == Self.content)
        }
    }

    // MARK: - A file that is no good

    private func database(_ place: BuildCache.Place) -> URL {
        URL(filePath: place.directory).appending(path: "build.sqlite")
    }

    @Test func aDamagedRowIsNoAnswer() throws {
        try inTree { tree, place in
            let listed = try list(tree)
            remember(listed, at: place)
            let file = database(place)
            var bytes = try [UInt8](Data(contentsOf: file))
            let hex = Array(Self.content.blake3.hex.utf8)
            let at = try #require((0..<bytes.count - 64).first { Array(bytes[$0..<$0 + 64]) == hex })
            bytes[at] = bytes[at] == 0x30 ? 0x31 : 0x30
            try Data(bytes).write(to: file)
            #expect(recall(listed, at: place) == nil)
            remember(listed, at: place)
            #expect(recall(listed, at: place) == Self.content)
        }
    }

    @Test(arguments: [
        "", "no database", "SQLite format 3\0" + String(repeating: "x", count: 4_096), "cut off", "other",
    ])
    func aFileThatIsNoCacheIsMadeAnew(bytes: String) throws {
        try inTree { tree, place in
            let listed = try list(tree)
            remember(listed, at: place)
            let file = database(place)
            let whole = try Data(contentsOf: file)
            switch bytes {
            case "cut off": try whole.prefix(5_000).write(to: file)
            case "other":
                try FileManager.default.removeItem(at: file)
                #expect(
                    try SystemTool.run(
                        "python3",
                        [
                            "-c", "import sqlite3, sys; sqlite3.connect(sys.argv[1]).execute('CREATE TABLE t(x)')",
                            file.path,
                        ]
                    ).status == 0)
            default: try Data(bytes.utf8).write(to: file)
            }
            let notes = Notes()
            #expect(recall(listed, at: place, context: WorkContext(report: notes)) == nil)
            #expect(notes.lines.contains { $0.contains("the build cache is not used") })
            remember(listed, at: place)
            remember(listed, at: place)
            #expect(recall(listed, at: place) == Self.content)
        }
    }

    @Test func aPlaceThatCannotBeWrittenIsDoneWithout() throws {
        try inTree { tree, _ in
            let listed = try list(tree)
            // Below a file, and below a directory that nobody can make anything in.
            for directory in [tree.appending(path: "a/cache").path, "/proc/snpack-cache"] {
                let notes = Notes()
                let cache = BuildCache(
                    at: BuildCache.Place(directory: directory, maker: "1"), context: WorkContext(report: notes))
                #expect(cache.content(of: listed) == nil)
                cache.remember(Self.content, of: listed, listedAt: youngest(listed) + 2 * second)
                cache.save()
                #expect(notes.lines.count == 1)
            }
        }
    }

    @Test func twoBuildsShareOneCache() throws {
        try inTree { tree, place in
            let listed = try list(tree)
            let caches = (0..<2).map { _ in BuildCache(at: place, context: WorkContext()) }
            for cache in caches {
                cache.remember(Self.content, of: listed, listedAt: youngest(listed) + 2 * second)
            }
            for cache in caches { cache.save() }
            #expect(caches.allSatisfy { $0.content(of: listed) == Self.content })
            #expect(try FileManager.default.contentsOfDirectory(atPath: place.directory) == ["build.sqlite"])
        }
    }
}

private let second: Int64 = 1_000_000_000

/// Keeps what was noted.
private final class Notes: ProgressReporter {
    private let noted = Mutex<[String]>([])
    var lines: [String] { noted.withLock { $0 } }

    func begin(_ label: String, byteCount: UInt64?) {}
    func advance(_ byteCount: UInt64) {}
    func end() {}
    func warn(_ warning: SnpackError) {}
    func note(_ line: String) { noted.withLock { $0.append(line) } }
}
