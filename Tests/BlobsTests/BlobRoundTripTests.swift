import Blobs
import Diagnostics
import DurableFiles
import Foundation
import Hashing
import SnpackTestSupport
import TerritoryModel
import Testing

@Suite struct BlobRoundTripTests {
    private static let files: [(path: String, bytes: [UInt8])] = {
        var random = SplitMix(seed: 31)
        return [
            ("B", random.bytes(700)), ("a", random.bytes(3_000_000)), ("a.b", []),
            ("bb/c", [UInt8](repeating: 7, count: 1 << 20)), ("é", random.bytes(511)),
            (String(repeating: "n", count: 101), random.bytes(512)), ("名.db", random.bytes(1)),
        ]
    }()

    @Test(arguments: [1, 2, 8])
    func whatWasPackedComesOutForAnyNumberOfJobs(jobs: Int) throws {
        let one = try PackedLayer(Self.files, jobs: 1)
        let packed = try PackedLayer(Self.files, jobs: jobs)
        #expect(packed.blob == one.blob, "the bytes depend on the number of jobs")
        #expect(packed.layer == one.layer)
        let sink = MemorySink()
        try packed.read(into: sink, jobs: jobs)
        let expected = Self.files.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
        #expect(sink.files.map(\.path) == expected.map(\.path))
        #expect(sink.files.map(\.bytes) == expected.map(\.bytes))
        #expect(sink.isFinished)
    }

    @Test(arguments: [1, 2, 8])
    func randomLayersSurviveTheRoundTrip(jobs: Int) throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SplitMix(seed: seed)
        for _ in 0..<4 {
            var files: [(path: String, bytes: [UInt8])] = []
            for index in 0..<Int.random(in: 1...60, using: &random) {
                let size = Int.random(in: 0...(index % 7 == 0 ? 1_500_000 : 2_000), using: &random)
                files.append(("d\(index % 5)/f\(index)", random.bytes(size)))
            }
            let packed = try PackedLayer(files, jobs: jobs)
            let sink = MemorySink()
            try packed.read(into: sink, jobs: jobs)
            #expect(
                sink.files.map(\.bytes)
                    == files.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }.map(\.bytes),
                "seed \(seed)")
        }
    }

    @Test func singleFileIsNamedByItsPlace() throws {
        let packed = try PackedLayer([("map.pmtiles", [1, 2, 3])], isTree: false)
        let sink = MemorySink()
        try packed.read(into: sink)
        #expect(sink.files.map(\.path) == ["map.pmtiles"])
        #expect(packed.layer.blake3 == .of([1, 2, 3]))
    }

    @Test func aDirectoryNameMayBeginWithACombiningMark() throws {
        // The slash and U+0301 are one character to Swift and two bytes to the disk.
        let packed = try PackedLayer([("a/\u{301}b/c", [1]), ("a/\u{301}b/\u{301}", [2])])
        try ProjectFiles.inTemporaryDirectory { directory in
            let root = try Directory.open(directory.path)
            try packed.read(into: LayerWriter(packed.layer, into: root, fileMode: 0o644))
            #expect(try [UInt8](Data(contentsOf: directory.appending(path: "a/\u{301}b/c"))) == [1])
            #expect(try [UInt8](Data(contentsOf: directory.appending(path: "a/\u{301}b/\u{301}"))) == [2])
        }
    }

    @Test func compressedContentCostsNoSpace() throws {
        var random = SplitMix(seed: 5)
        let bytes = random.bytes(1 << 20)
        let packed = try PackedLayer([("noise", bytes)], isTree: false, level: 19)
        #expect(packed.blob.count < bytes.count + 2_000)
    }

    // MARK: - Other people's tools

    private func inBlobFile(_ body: (URL, URL) throws -> Void) throws {
        try ProjectFiles.inTemporaryDirectory { directory in
            let blob = directory.appending(path: "layer.tar.zst")
            try Data(PackedLayer(Self.files).blob).write(to: blob)
            let out = directory.appending(path: "out")
            try FileManager.default.createDirectory(at: out, withIntermediateDirectories: true)
            try body(blob, out)
        }
    }

    private func expectFiles(in out: URL) throws {
        for file in Self.files {
            let found = try [UInt8](Data(contentsOf: out.appending(path: file.path)))
            #expect(found == file.bytes, "\(file.path)")
        }
    }

    @Test func stockZstdAndTarUnpackABlob() throws {
        try inBlobFile { blob, out in
            let tar = out.deletingLastPathComponent().appending(path: "layer.tar")
            let zstd = try SystemTool.run("zstd", ["-q", "-d", blob.path, "-o", tar.path])
            #expect(zstd.status == 0, "\(zstd)")
            let listed = try SystemTool.run("tar", ["-tvf", tar.path], environment: ["LC_ALL": "C.UTF-8"])
            #expect(listed.status == 0 && listed.standardError == "", "\(listed)")
            #expect(
                listed.standardOutput.split(separator: "\n").allSatisfy {
                    $0.hasPrefix("-rw-r--r-- 0/0 ") && $0.contains(" 1970-01-01 00:00 ")
                }, "\(listed)")
            #expect(try SystemTool.run("tar", ["-xf", tar.path, "-C", out.path]).status == 0)
            try expectFiles(in: out)
        }
    }

    @Test func bsdtarUnpacksABlob() throws {
        try inBlobFile { blob, out in
            let result = try SystemTool.run(
                "bsdtar", ["-xf", blob.path, "-C", out.path], environment: ["LC_ALL": "C.UTF-8"])
            #expect(result.status == 0 && result.standardError == "", "\(result)")
            try expectFiles(in: out)
        }
    }

    @Test func pythonReadsABlob() throws {
        try inBlobFile { blob, out in
            let tar = out.deletingLastPathComponent().appending(path: "layer.tar")
            #expect(try SystemTool.run("zstd", ["-q", "-d", blob.path, "-o", tar.path]).status == 0)
            let script = """
                import sys, tarfile
                archive = tarfile.open(sys.argv[1], "r:")
                members = archive.getmembers()
                assert all(m.isreg() and m.mode == 0o644 and m.uid == m.gid == m.mtime == 0 for m in members)
                assert [m.name.encode() for m in members] == sorted(m.name.encode() for m in members)
                archive.extractall(sys.argv[2])
                """
            let result = try SystemTool.run("python3", ["-W", "ignore", "-c", script, tar.path, out.path])
            #expect(result.status == 0, "\(result)")
            try expectFiles(in: out)
        }
    }

    @Test func addressIsWhatB3sumSays() throws {
        try ProjectFiles.inTemporaryDirectory { directory in
            for file in Self.files {
                let url = directory.appending(path: file.path)
                try FileManager.default.createDirectory(
                    at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Data(file.bytes).write(to: url)
            }
            let line = "find . -type f -printf '%P\\0' | LC_ALL=C sort -z | xargs -0 b3sum -- | b3sum --no-names"
            let result = try SystemTool.run("sh", ["-c", line], in: directory)
            #expect(try result.standardOutput == "\(PackedLayer(Self.files).layer.blake3.hex)\n", "\(result)")
        }
    }
}
