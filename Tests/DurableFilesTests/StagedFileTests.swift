import Diagnostics
import DurableFiles
import Foundation
import SnpackTestSupport
import Testing

@Suite struct StagedFileTests {
    private func names(_ root: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: root.path).sorted()
    }

    private func mode(_ url: URL) -> Int {
        (try? FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? Int) ?? -1
    }

    @Test func nothingIsLeftOfAFileThatIsDropped() throws {
        try ProjectFiles.inTemporaryDirectory { root in
            let directory = try Directory.open(root.path)
            do {
                let file = try StagedFile(in: directory)
                try file.write([1, 2, 3])
                #expect(try names(root).count == 1)
            }
            #expect(try names(root) == [])
        }
    }

    @Test func aCommittedFileIsWholeAndHasItsMode() throws {
        try ProjectFiles.inTemporaryDirectory { root in
            let directory = try Directory.open(root.path)
            let before = umask(0o077)
            defer { umask(before) }
            try directory.write([1, 2, 3], to: "public")
            try directory.write([4], to: "secret", mode: 0o600)
            #expect(try names(root) == ["public", "secret"])
            #expect(mode(root.appending(path: "public")) == 0o644 && mode(root.appending(path: "secret")) == 0o600)
        }
    }

    @Test("a device, FIFO or socket keeps its place, seen through a link, too")
    func noFileReplacesADevice() throws {
        try ProjectFiles.inTemporaryDirectory { root in
            let directory = try Directory.open(root.path)
            #expect(mkfifo(root.appending(path: "fifo").path, 0o600) == 0)
            #expect(symlink("/dev/null", root.appending(path: "link").path) == 0)
            for name in ["fifo", "link"] {
                let error = #expect(throws: SnpackError.self) { try directory.write([1], to: name) }
                #expect(error?.code == .fileNotRegular, "\(name)")
                #expect(try directory.identity(of: name)?.kind != .file)
            }
            #expect(try names(root) == ["fifo", "link"])
        }
    }

    @Test func whatIsThereIsOnlyReplacedOnRequest() throws {
        try ProjectFiles.inTemporaryDirectory { root in
            let directory = try Directory.open(root.path)
            try directory.write([1], to: "f")
            let error = #expect(throws: SnpackError.self) { try directory.write([2], to: "f", replacing: false) }
            #expect(error?.code == .fileExists)
            #expect(try directory.contents(of: "f", limit: 9) == [1])
            try directory.write([2], to: "f")
            #expect(try directory.contents(of: "f", limit: 9) == [2])
            #expect(try names(root) == ["f"])
        }
    }

    @Test("Case 57: a symbolic link in the target's place is replaced, and what it points to stays as it is")
    func case057_plantedLink() throws {
        try ProjectFiles.inTemporaryDirectory { root in
            let victim = root.appending(path: "victim")
            try Data("untouched".utf8).write(to: victim)
            #expect(symlink("victim", root.appending(path: "f").path) == 0)
            try Directory.open(root.path).write([1], to: "f")
            #expect(try String(contentsOf: victim, encoding: .utf8) == "untouched")
            #expect(try Data(contentsOf: root.appending(path: "f")) == Data([1]))
        }
    }

    @Test("Case 57: temporary names cannot be foretold, and nobody else looks into a directory in the making")
    func case057_staging() throws {
        #expect(Set((0..<1_000).map { _ in TemporaryName.make() }).count == 1_000)
        try ProjectFiles.inTemporaryDirectory { root in
            let directory = try Directory.open(root.path)
            let staging = try directory.makeStagingDirectory()
            let name = try #require(names(root).first)
            #expect(TemporaryName.matches(name))
            #expect(mode(root.appending(path: name)) == 0o700)
            try staging.promote(to: "there")
            #expect(try names(root) == ["there"] && mode(root.appending(path: "there")) == 0o755)
        }
    }

    @Test("Case 83: leftovers of the dead are removed, and what the living work on stays")
    func case083_leftovers() throws {
        try ProjectFiles.inTemporaryDirectory { root in
            let directory = try Directory.open(root.path)
            for name in [TemporaryName.make(), TemporaryName.make()] {
                try FileManager.default.createDirectory(
                    at: root.appending(path: "\(name)/deep"), withIntermediateDirectories: true)
                try Data([1]).write(to: root.appending(path: "\(name)/deep/file"))
            }
            try Data([1]).write(to: root.appending(path: TemporaryName.make()))
            try Data([1]).write(to: root.appending(path: ".snpack-tmp-other"))
            let living = try StagedFile(in: directory)
            let staging = try directory.makeStagingDirectory()
            try directory.removeLeftovers()
            #expect(try names(root).count == 3)
            try living.commit(as: "file", replacing: false)
            try staging.promote(to: "directory")
            #expect(try names(root) == [".snpack-tmp-other", "directory", "file"])
        }
    }

    @Test func aLockExcludesUntilItsHolderEnds() throws {
        try ProjectFiles.inTemporaryDirectory { root in
            let directory = try Directory.open(root.path)
            var lock: FileLock? = try FileLock("lock", in: directory)
            let error = #expect(throws: SnpackError.self) { try FileLock("lock", in: directory) }
            #expect(error?.code == .lockBusy && error?.code.exitStatus == .conflict)
            _ = lock
            lock = nil
            _ = try FileLock("lock", in: directory)
        }
    }

    @Test func pathsAreSplitAtTheByte() throws {
        try ProjectFiles.inTemporaryDirectory { root in
            // A combining mark behind a slash makes one character of both.
            let deep = root.path + "/\u{301}a/\u{302}b"
            let made = try Directory.create(deep)
            try made.write([1], to: "f")
            #expect(try names(root) == ["\u{301}a"])
            #expect(try Directory.open(root.path).file(at: "\u{301}a/\u{302}b/f").byteCount == 1)
            let (parent, name) = try Directory.parent(of: deep + "//")
            #expect(name == "\u{302}b" && parent.path.utf8.suffix(4).elementsEqual("\u{301}a/".utf8))
            _ = try Directory.open(root.path).directory(at: "x/\u{301}/y", creating: 0o755)
            #expect(FileManager.default.fileExists(atPath: root.path + "/x/\u{301}/y"))
        }
    }

    @Test(arguments: ["", "/", ".", "..", "a/.."])
    func aPathThatNamesNoFileIsRefused(path: String) {
        #expect(throws: SnpackError.self) { try Directory.parent(of: path) }
    }

    @Test func aLinkOnTheWayIsNotFollowed() throws {
        try ProjectFiles.inTemporaryDirectory { root in
            try FileManager.default.createDirectory(
                at: root.appending(path: "real"), withIntermediateDirectories: true)
            try Data([1]).write(to: root.appending(path: "real/f"))
            #expect(symlink("real", root.appending(path: "link").path) == 0)
            #expect(symlink("real/f", root.appending(path: "file").path) == 0)
            let directory = try Directory.open(root.path)
            for path in ["link/f", "file"] {
                let error = #expect(throws: SnpackError.self) { try directory.file(at: path) }
                #expect(error?.code.exitStatus == .localIO)
            }
            try directory.removeTree("link")
            #expect(try names(root) == ["file", "real"], "the link went, what it points to stayed")
        }
    }

    @Test func futurePathsAreResolvedAsFarAsTheyAreThere() throws {
        try ProjectFiles.inTemporaryDirectory { root in
            let real = try #require(RealPath.of(root.path))
            #expect(symlink(root.path, root.appending(path: "link").path) == 0)
            #expect(RealPath.ofFuture(root.path + "/link/new/newer") == real + "/new/newer")
            #expect(RealPath.ofFuture("/") == "/")
            #expect(RealPath.ofFuture("/none-such/x") == "/none-such/x")
        }
    }
}
