import Diagnostics
import DurableFiles
import Foundation
import SnpackTestSupport
import Testing

@Suite struct FileTreeTests {
    private func make(_ paths: [String], in root: URL) throws {
        for path in paths {
            let url = root.appending(path: path)
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(path.utf8).write(to: url)
        }
    }

    @Test func filesAscendByTheBytesOfTheirPaths() throws {
        try ProjectFiles.inTemporaryDirectory { root in
            let names = ["a", "a.b", "a/../b/x", "B", "é", "b/y", "\u{301}z/q"].map { $0.replacing("a/../", with: "") }
            try make(names, in: root)
            var faults = FaultList()
            let tree = try FileTree(listing: root.path, faults: &faults)
            #expect(faults.isEmpty && tree.isTree)
            #expect(
                tree.files.map(\.path)
                    == ["B", "a", "a.b", "b/x", "b/y", "é", "\u{301}z/q"].sorted {
                        $0.utf8.lexicographicallyPrecedes($1.utf8)
                    })
            #expect(tree.byteCount == UInt64(names.reduce(0) { $0 + $1.utf8.count }))
        }
    }

    @Test func aWalkCanBeCancelled() throws {
        try ProjectFiles.inTemporaryDirectory { root in
            try make(["a/b/c"], in: root)
            let cancel = CancelToken()
            var faults = FaultList()
            // In the middle, some directories down: not a fault of a file among others.
            let error = #expect(throws: SnpackError.self) {
                try FileTree(listing: root.path, faults: &faults, cancel: cancel) { path in
                    if path == "a/b" { cancel.cancel() }
                    return false
                }
            }
            #expect(error?.code == .interrupted && faults.isEmpty)
        }
    }

    @Test func trailingSlashesChangeNothing() throws {
        try ProjectFiles.inTemporaryDirectory { root in
            try make(["d/f"], in: root)
            var faults = FaultList()
            let tree = try FileTree(listing: root.path + "//", faults: &faults)
            #expect(tree.diskPath(of: tree.files[0]) == root.path + "/d/f")
        }
    }

    @Test func everyFaultIsListedAndNamed() throws {
        try ProjectFiles.inTemporaryDirectory { root in
            try make(["fine", "deep/fine"], in: root)
            #expect(symlink("fine", root.appending(path: "link").path) == 0)
            #expect(symlink("nowhere", root.appending(path: "deep/dangling").path) == 0)
            #expect(mkfifo(root.appending(path: "deep/fifo").path, 0o600) == 0)
            let raw = Array(root.path.utf8) + Array("/bad-".utf8) + [0xFF, 0x1B, 0]
            let descriptor = raw.withUnsafeBytes { creat($0.baseAddress!.assumingMemoryBound(to: CChar.self), 0o644) }
            close(descriptor)
            var faults = FaultList()
            let tree = try FileTree(listing: root.path, faults: &faults)
            #expect(tree.files.map(\.path) == ["deep/fine", "fine"])
            #expect(faults.count == 4)
            let texts = faults.faults.map { "\($0.path ?? "") \($0.message)" }.sorted()
            #expect(texts.contains { $0.contains("/deep/dangling a symbolic link") }, "\(texts)")
            #expect(texts.contains { $0.contains("/deep/fifo a device, socket or FIFO") }, "\(texts)")
            #expect(texts.contains { $0.contains("/link a symbolic link") }, "\(texts)")
            #expect(texts.contains { $0.hasSuffix("a file name is not UTF-8: \"bad-\\xff\\x1b\"") }, "\(texts)")
        }
    }

    @Test func aRootThatIsNothingToReadIsAnError() throws {
        try ProjectFiles.inTemporaryDirectory { root in
            var faults = FaultList()
            let fifo = root.appending(path: "fifo").path
            #expect(mkfifo(fifo, 0o600) == 0)
            for (path, code) in [(root.path + "/none", "file.not-found"), (fifo, "file.not-regular")] {
                let error = #expect(throws: SnpackError.self) { try FileTree(listing: path, faults: &faults) }
                #expect(error?.code.name == code)
            }
        }
    }

    @Test func aFileThatChangedSinceItWasListedIsRefused() throws {
        try ProjectFiles.inTemporaryDirectory { root in
            try make(["a", "b", "c"], in: root)
            var faults = FaultList()
            let tree = try FileTree(listing: root.path, faults: &faults)
            try Data("a longer text".utf8).write(to: root.appending(path: "a"))
            // Same size, another file.
            try FileManager.default.removeItem(at: root.appending(path: "b"))
            try Data("x".utf8).write(to: root.appending(path: "b"))
            for index in 0..<2 {
                let error = #expect(throws: SnpackError.self) { try tree.open(tree.files[index]) }
                #expect(error?.code == .fileChanged)
            }
            _ = try tree.open(tree.files[2])
        }
    }

    @Test("Case 117: what cannot be read as a file is an error and no trap, and a FIFO does not block")
    func case117_oddFiles() throws {
        try ProjectFiles.inTemporaryDirectory { root in
            let fifo = root.appending(path: "fifo").path
            #expect(mkfifo(fifo, 0o600) == 0)
            for path in [root.path, fifo, "/dev/zero", "/dev/null"] {
                let error = #expect(throws: SnpackError.self) { try OpenFile(reading: path) }
                #expect(error?.code == .fileNotRegular, "\(path)")
            }
            // A regular file by its looks; reading it at 0 is an error of the kernel's.
            let memory = try OpenFile(reading: "/proc/self/mem")
            let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 16, alignment: 1)
            defer { buffer.deallocate() }
            let error = #expect(throws: SnpackError.self) { try memory.read(into: buffer, at: 0) }
            #expect(error?.code.exitStatus == .localIO)
            let short = root.appending(path: "short")
            try Data([1, 2, 3]).write(to: short)
            let file = try OpenFile(reading: short.path)
            #expect(truncate(short.path, 1) == 0)
            #expect(throws: SnpackError.self) { try file.bytes(at: 0, count: 3) }
            #expect(throws: SnpackError.self) { try file.bytes(at: .max, count: 1) }
            #expect(throws: SnpackError.self) { try file.read(into: buffer, at: .max - 4) }
        }
    }
}
