import Blobs
import Diagnostics
import DurableFiles
import Foundation
import Hashing
import SnpackTestSupport
import TerritoryModel
import Testing

@Suite struct PatchWriterTests {
    /// Packs what lies at `path`, and gives the stream in its blob.
    private func packed(_ side: PatchSide, at path: URL, name: String) throws -> BlobTarStream {
        let place = try Directory.open(path.path)
        let file = try StagedFile(in: place)
        let made = try packBlob(
            side.tree, name: side.layer.path.rawValue, encoder: FrameEncoder(level: 1), into: file,
            context: WorkContext())
        try file.commit(as: "old.tar.zst", replacing: true)
        let blob = try Manifest.Blob(
            of: side.layer.path, fileCount: made.content.fileCount, layerByteCount: made.content.byteCount,
            byteCount: made.byteCount, blake3: made.blake3, tarByteCount: made.tarByteCount,
            tableByteCount: made.tableByteCount, tableBlake3: made.tableBlake3)
        let layer = try Manifest.Layer(
            kind: side.layer.kind, path: side.layer.path, isTree: side.layer.isTree, fileCount: side.layer.fileCount,
            byteCount: side.layer.byteCount, blake3: side.layer.blake3, blob: blob)
        return try BlobTarStream(place.file("old.tar.zst"), layer: layer, name: LayerPath(parsing: name))
    }

    @Test func nothingCanBeReadAnywhere() throws {
        try ProjectFiles.inTemporaryDirectory { directory in
            try Data(count: 40_000).write(to: directory.appending(path: "layer"))
            let side = try PatchSide(directory.appending(path: "layer").path)
            let blob = try packed(side, at: directory, name: "another-name")
            for stream in [side.files as any TarStream, blob] {
                for offset in [0, 1, 511, 512, stream.byteCount] {
                    #expect(try stream.bytes(at: offset, count: 0) == [], "\(offset)")
                }
                #expect(throws: SnpackError.self) { try stream.bytes(at: stream.byteCount + 1, count: 0) }
            }
        }
    }

    private func contents(of side: PatchSide) throws -> [String: [UInt8]] {
        var result: [String: [UInt8]] = [:]
        for file in side.tree.files {
            let name = side.tree.isTree ? file.path : side.layer.path.rawValue
            result[name] = try side.tree.open(file).bytes(at: 0, count: Int(file.byteCount))
        }
        return result
    }

    /// Writes the patch from old blob and old files, with 1, 2 and 8 jobs; all must be the same bytes, and applying it
    /// must give the new files.
    /// - Returns: bytes of the patch; nil if it was not worth having.
    @discardableResult
    private func roundTrip(_ old: PatchSide, _ new: PatchSide, in directory: URL, allJobs: Bool = true) throws -> Int? {
        let name = new.layer.path.rawValue
        let files = try FileTarStream(old.tree, name: name)
        let blob = try packed(old, at: directory, name: name)
        #expect(blob.byteCount == files.byteCount)
        let made = try patchBytes(from: blob, to: new, jobs: 2, in: directory)
        let others = allJobs ? [(blob as any TarStream, 1), (blob, 8), (files, 2)] : [(files, 1)]
        for (stream, jobs) in others {
            let other = try patchBytes(from: stream, to: new, jobs: jobs, in: directory)
            #expect(other?.bytes == made?.bytes)
        }
        guard let made else { return nil }
        #expect(made.patch.from == old.layer.blake3)
        for stream in [files as any TarStream, blob] {
            let taken = CollectedFiles()
            try PatchReader(MemoryFile(made.bytes), patch: made.patch, of: new.layer).read(
                from: stream, into: taken, context: WorkContext(jobs: 3))
            #expect(taken.isFinished)
            #expect(taken.files == (try contents(of: new)))
        }
        return made.bytes.count
    }

    // MARK: - The sample

    @Test(arguments: [
        ("valhalla", "valhalla"), ("pmtiles/liechtenstein.pmtiles", "map.pmtiles"), ("geocode-tantivy", "geocode"),
        ("poi-sidecar/poi.sqlite", "poi.sqlite"), ("style", "style"),
    ])
    func sampleUpdatesToTheSameBytes(path: String, name: String) throws {
        try ProjectFiles.inTemporaryDirectory { directory in
            let old = try PatchSide(ProjectFiles.sample.appending(path: "v1/\(path)").path, name: name)
            let new = try PatchSide(ProjectFiles.sample.appending(path: "v2/\(path)").path, name: name)
            let byteCount = try roundTrip(old, new, in: directory)
            #expect((byteCount == nil) == (old.layer.blake3 == new.layer.blake3))
            print("sample \(name): \(byteCount ?? 0) bytes for \(new.layer.byteCount)")
        }
    }

    @Test(.enabled(if: ProjectFiles.sharedData != nil, "the larger territory is not beside this checkout"))
    func twoYearsOfRealChangesUpdateToTheSameBytes() throws {
        let data = try #require(ProjectFiles.sharedData)
        for path in ["valhalla", "pmtiles/liechtenstein.pmtiles"] {
            try ProjectFiles.inTemporaryDirectory { directory in
                let old = try PatchSide(ProjectFiles.sample.appending(path: "v1/\(path)").path)
                let new = try PatchSide(data.appending(path: "v1/\(path)").path)
                try roundTrip(old, new, in: directory, allJobs: false)
            }
        }
    }

    // MARK: - What moves how much

    private struct Layers {
        let directory: URL
        var old: URL { directory.appending(path: "old") }
        var new: URL { directory.appending(path: "new") }

        func write(_ files: [String: [UInt8]], to root: URL) throws {
            try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
            for (path, bytes) in files {
                let url = root.appending(path: path)
                try FileManager.default.createDirectory(
                    at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Data(bytes).write(to: url)
            }
        }
    }

    private func byteCount(
        from old: [String: [UInt8]], to new: [String: [UInt8]], isTree: Bool = true
    ) throws -> Int? {
        try ProjectFiles.inTemporaryDirectory { directory in
            let layers = Layers(directory: directory)
            try layers.write(old, to: layers.old)
            try layers.write(new, to: layers.new)
            func side(_ root: URL, _ files: [String: [UInt8]]) throws -> PatchSide {
                try PatchSide(isTree ? root.path : root.appending(path: files.keys.first ?? "").path)
            }
            return try roundTrip(side(layers.old, old), side(layers.new, new), in: directory, allJobs: false)
        }
    }

    @Test func equalLayersNeedNoPatch() throws {
        #expect(try byteCount(from: ["a": [1, 2, 3]], to: ["a": [1, 2, 3]]) == nil)
    }

    @Test func layersWithoutACommonByteGetNoPatch() throws {
        var chance = SeededGenerator(1)
        #expect(try byteCount(from: ["a": chance.bytes(300_000)], to: ["a": chance.bytes(300_000)]) == nil)
    }

    @Test func insertionNearTheFrontOfALargeFileCostsAboutItself() throws {
        var chance = SeededGenerator(2)
        let old = chance.bytes(20 << 20)
        var new = old
        new.insert(contentsOf: chance.bytes(5_000), at: 1_000)
        new.removeSubrange(12 << 20..<(12 << 20) + 777)
        for isTree in [true, false] {
            let count = try #require(try byteCount(from: ["a.bin": old], to: ["a.bin": new], isTree: isTree))
            #expect(count < 7_000)
        }
    }

    @Test func movedAndRenamedFilesCostAlmostNothing() throws {
        var chance = SeededGenerator(3)
        let (large, middle, small) = (chance.bytes(400_000), chance.bytes(100_000), chance.bytes(3_000))
        let count = try #require(
            try byteCount(
                from: ["a/large": large, "b/middle": middle, "small": small, "stays": small + middle],
                to: ["z/was-large": large, "middle": middle, "new/small": small, "stays": small + middle]))
        #expect(count < 6_000)
    }

    @Test func renamedAndEditedFileIsPatchedAgainstWhatItWas() throws {
        var chance = SeededGenerator(4)
        let old = (0..<6).map { _ in chance.bytes(500_000) }
        var new = old
        for file in new.indices { for _ in 0..<50 { new[file][Int.random(in: 0..<500_000, using: &chance)] ^= 1 } }
        func files(_ contents: [[UInt8]], _ prefix: String) -> [String: [UInt8]] {
            Dictionary(uniqueKeysWithValues: contents.enumerated().map { ("\(prefix)\($0 * 37 % 11).seg", $1) })
        }
        let count = try #require(try byteCount(from: files(old, "old"), to: files(new.reversed(), "renamed")))
        #expect(count < 15_000)
    }

    @Test func manySmallChangedFilesShareFrames() throws {
        var chance = SeededGenerator(5)
        var old: [String: [UInt8]] = [:]
        var new: [String: [UInt8]] = [:]
        for index in 0..<2_000 {
            var bytes = chance.bytes(700)
            old["d\(index % 7)/f\(index)"] = bytes
            bytes[index % 700] ^= 1
            new["d\(index % 7)/f\(index)"] = bytes
        }
        let count = try #require(try byteCount(from: old, to: new))
        #expect(count < 60_000)
    }

    @Test func fileBecomesTreeAndTreeBecomesFile() throws {
        var chance = SeededGenerator(6)
        let bytes = chance.bytes(200_000)
        try ProjectFiles.inTemporaryDirectory { directory in
            let layers = Layers(directory: directory)
            try layers.write(["one": bytes], to: layers.old)
            try layers.write(["in/tree": bytes, "more": [1]], to: layers.new)
            let file = try PatchSide(layers.old.appending(path: "one").path, name: "file")
            let tree = try PatchSide(layers.new.path, name: "tree")
            #expect(try #require(try roundTrip(file, tree, in: directory)) < 2_000)
            #expect(try #require(try roundTrip(tree, file, in: directory)) < 2_000)
        }
    }

    /// A one-file layer that got another name: its old entry is named as the new layer is.
    @Test func renamedLayerIsReadUnderItsNewName() throws {
        var chance = SeededGenerator(8)
        var bytes = chance.bytes(100_000)
        let long = String(repeating: "long-name-", count: 15)
        for (before, after) in [("map.pmtiles", "maps.pmtiles"), ("a", long), (long, "a")] {
            try ProjectFiles.inTemporaryDirectory { directory in
                let layers = Layers(directory: directory)
                try layers.write(["file": bytes], to: layers.old)
                bytes[500] ^= 1
                try layers.write(["file": bytes], to: layers.new)
                let old = try PatchSide(layers.old.appending(path: "file").path, name: before)
                let new = try PatchSide(layers.new.appending(path: "file").path, name: after)
                #expect(try #require(try roundTrip(old, new, in: directory)) < 3_000)
            }
        }
    }

    @Test func refusesANewLayerThatIsNotTheOneDescribed() throws {
        try ProjectFiles.inTemporaryDirectory { directory in
            let layers = Layers(directory: directory)
            try layers.write(["a": [1], "b": [2]], to: layers.old)
            try layers.write(["a": [1], "b": [3]], to: layers.new)
            let old = try PatchSide(layers.old.path)
            let new = try PatchSide(layers.new.path)
            try layers.write(["b": [4]], to: layers.new)
            let changed = try PatchSide(layers.new.path)
            let file = try StagedFile(in: Directory.open(directory.path))
            let error = #expect(throws: SnpackError.self) {
                try PatchWriter().write(
                    from: old.files, to: changed.files, of: new.layer, into: file, context: WorkContext())
            }
            #expect(error?.code == .layerMismatch)
        }
    }

    // MARK: - Chance

    @Test func randomEditsUpdateToTheSameBytes() throws {
        let seed = UInt64.random(in: 0 ... .max)
        print("random patches: seed \(seed)")
        var chance = SeededGenerator(seed)
        for round in 0..<12 {
            let old = RandomTree.make(&chance)
            let new = RandomTree.edited(old, &chance)
            let isSingle = round % 4 == 3
            do {
                if isSingle {
                    let (path, bytes) = try #require(old.min { $0.key < $1.key })
                    let edited = RandomTree.edited(bytes, &chance)
                    _ = try byteCount(from: [path: bytes], to: [path: edited], isTree: false)
                } else {
                    _ = try byteCount(from: old, to: new)
                }
            } catch { Issue.record("round \(round) of seed \(seed): \(error)") }
        }
    }
}

/// Trees and edits by chance: files that are inserted, deleted, moved, renamed, swapped, emptied, cut and drawn out.
enum RandomTree {
    static func make(_ chance: inout SeededGenerator) -> [String: [UInt8]] {
        var files: [String: [UInt8]] = [:]
        for index in 0..<Int.random(in: 1...25, using: &chance) {
            files["d\(index % 3)/f\(index).bin"] = content(&chance)
        }
        return files
    }

    private static func content(_ chance: inout SeededGenerator) -> [UInt8] {
        switch Int.random(in: 0...5, using: &chance) {
        case 0: []
        case 1: [UInt8](repeating: 0, count: Int.random(in: 0...200_000, using: &chance))
        case 2: Array(repeating: chance.bytes(1_000), count: Int.random(in: 1...100, using: &chance)).flatMap(\.self)
        default: chance.bytes(Int.random(in: 1...300_000, using: &chance))
        }
    }

    static func edited(_ bytes: [UInt8], _ chance: inout SeededGenerator) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 0...4, using: &chance) {
            let place = Int.random(in: 0...bytes.count, using: &chance)
            switch Int.random(in: 0...3, using: &chance) {
            case 0: bytes.insert(contentsOf: chance.bytes(Int.random(in: 1...9_000, using: &chance)), at: place)
            case 1: bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 0...9_000, using: &chance)))
            case 2: bytes = Array(bytes[place...] + bytes[..<place])
            default: if place < bytes.count { bytes[place] ^= 0xFF }
            }
        }
        return bytes
    }

    static func edited(_ files: [String: [UInt8]], _ chance: inout SeededGenerator) -> [String: [UInt8]] {
        var files = files
        for path in files.keys.sorted() where Int.random(in: 0...2, using: &chance) > 0 {
            guard let bytes = files[path] else { continue }
            switch Int.random(in: 0...6, using: &chance) {
            case 0: files[path] = nil
            case 1:
                files[path] = nil
                files["moved/\(path)"] = bytes
            case 2: files["copy/\(path)"] = bytes
            case 3:
                let other = files.keys.sorted().randomElement(using: &chance) ?? path
                (files[path], files[other]) = (files[other], bytes)
            case 4: files[path] = []
            default: files[path] = edited(bytes, &chance)
            }
        }
        if files.isEmpty { files["last"] = [] }
        return files
    }
}
