import Blobs
import Diagnostics
import DurableFiles
import Foundation
import SnpackTestSupport
import TerritoryModel
import Testing

/// Patches one after the other, each from the files that the one before it wrote.
@Suite struct PatchChainTests {
    @Test(arguments: [true, false])
    func chainOfFourVersionsEndsInTheSameFiles(isTree: Bool) throws {
        try ProjectFiles.inTemporaryDirectory { directory in
            let seed = UInt64.random(in: 0 ... .max)
            print("patch chain: seed \(seed)")
            var chance = SeededGenerator(seed)
            var files = Dictionary(
                uniqueKeysWithValues: (0..<(isTree ? 6 : 1)).map { ("in/f\($0).bin", chance.bytes(80_000)) })
            var versions: [PatchSide] = []
            for version in 1...4 {
                let root = directory.appending(path: "v\(version)")
                for (path, bytes) in files {
                    let url = root.appending(path: path)
                    try FileManager.default.createDirectory(
                        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
                    try Data(bytes).write(to: url)
                }
                versions.append(try PatchSide(isTree ? root.path : root.appending(path: "in/f0.bin").path))
                for path in files.keys {
                    let place = Int.random(in: 0..<60_000, using: &chance)
                    files[path]?.replaceSubrange(place..<place + 100, with: chance.bytes(300))
                }
            }

            var installed = versions[0]
            for (number, next) in versions.enumerated().dropFirst() {
                let made = try #require(try patchBytes(from: versions[number - 1].files, to: next, in: directory))
                let place = directory.appending(path: "installed\(number)")
                let root = try Directory.create(place.path)
                let writer = LayerWriter(next.layer, into: root, fileMode: 0o644)
                try PatchReader(MemoryFile(made.bytes), patch: made.patch, of: next.layer).read(
                    from: installed.files, into: writer, context: WorkContext(jobs: 2))
                installed = try PatchSide(isTree ? place.path : place.appending(path: "layer").path)
                #expect(installed.layer.blake3 == next.layer.blake3)
            }
            #expect(installed.tree.files.map(\.path).count == versions[3].tree.files.count)
        }
    }

    /// Whoever has a file open keeps reading what it was: a patch writes new files and none over an old one.
    @Test func oldFilesStayAsTheyWere() throws {
        try ProjectFiles.inTemporaryDirectory { directory in
            var chance = SeededGenerator(9)
            var bytes = chance.bytes(200_000)
            let (before, after) = (directory.appending(path: "before"), directory.appending(path: "after"))
            try Data(bytes).write(to: before)
            let old = try PatchSide(before.path)
            bytes[77] ^= 1
            try Data(bytes).write(to: after)
            let new = try PatchSide(after.path)
            let made = try #require(try patchBytes(from: old.files, to: new, in: directory))
            let open = try OpenFile(reading: before.path)
            let writer = LayerWriter(
                new.layer, into: try Directory.create(directory.appending(path: "staged").path), fileMode: 0o644)
            try PatchReader(MemoryFile(made.bytes), patch: made.patch, of: new.layer).read(
                from: old.files, into: writer, context: WorkContext(jobs: 2))
            try open.checkUnchanged()
            #expect(try PatchSide(before.path).layer.blake3 == old.layer.blake3)
        }
    }
}
