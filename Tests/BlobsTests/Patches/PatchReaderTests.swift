import Blobs
import Compression
import Diagnostics
import DurableFiles
import Foundation
import Hashing
import SnpackTestSupport
import TerritoryModel
import Testing

@Suite struct PatchReaderTests {
    /// A small tree, its next version and the patch between them.
    private struct Case {
        let old: PatchSide
        let new: PatchSide
        let patch: Manifest.Patch
        let bytes: [UInt8]

        init(in directory: URL, scale: Int = 100) throws {
            var chance = SeededGenerator(7)
            let (before, after) = (directory.appending(path: "old"), directory.appending(path: "new"))
            for side in [before, after] {
                try FileManager.default.createDirectory(at: side, withIntermediateDirectories: true)
            }
            let kept = chance.bytes(3_000 * scale)
            var edited = chance.bytes(2_000 * scale)
            for side in [before, after] {
                try Data(kept).write(to: side.appending(path: "kept.bin"))
                try Data(edited).write(to: side.appending(path: "edited.bin"))
                for _ in 0..<max(4, scale / 3) { edited[Int.random(in: 0..<edited.count, using: &chance)] ^= 0x55 }
            }
            try Data(chance.bytes(90 * scale)).write(to: after.appending(path: "added.bin"))
            old = try PatchSide(before.path)
            new = try PatchSide(after.path)
            (patch, bytes) = try #require(try patchBytes(from: old.files, to: new, in: directory))
        }

        func signed(_ bytes: [UInt8], tableByteCount: Int? = nil) throws -> Manifest.Patch {
            try Manifest.Patch(
                from: patch.from, byteCount: UInt64(bytes.count), blake3: .of(bytes),
                oldTarByteCount: patch.oldTarByteCount,
                tableByteCount: tableByteCount.map(UInt64.init) ?? patch.tableByteCount)
        }

        func apply(_ bytes: [UInt8], as patch: Manifest.Patch, jobs: Int = 2) throws {
            try PatchReader(MemoryFile(bytes), patch: patch, of: new.layer).read(
                from: old.files, context: WorkContext(jobs: jobs))
        }
    }

    @Test func provesThePatchBeforeItIsUsed() throws {
        try ProjectFiles.inTemporaryDirectory { directory in
            let sample = try Case(in: directory)
            try sample.apply(sample.bytes, as: sample.patch)
            for place in [0, sample.bytes.count / 2, sample.bytes.count - 1] {
                var damaged = sample.bytes
                damaged[place] ^= 1
                let error = #expect(throws: SnpackError.self) { try sample.apply(damaged, as: sample.patch) }
                #expect(error?.code == .patchMismatch)
            }
            for other in [Array(sample.bytes.dropLast()), sample.bytes + [0], []] {
                let error = #expect(throws: SnpackError.self) { try sample.apply(other, as: sample.patch) }
                #expect(error?.code == .patchMismatch)
            }
        }
    }

    @Test func detectsAChangedOldLayer() throws {
        try ProjectFiles.inTemporaryDirectory { directory in
            let sample = try Case(in: directory)
            // One byte, in the last file, long after what most steps read.
            let path = directory.appending(path: "old/kept.bin")
            var bytes = try Data(contentsOf: path)
            bytes[bytes.count - 1] ^= 1
            try bytes.write(to: path)
            let changed = try PatchSide(directory.appending(path: "old").path)
            let reader = PatchReader(MemoryFile(sample.bytes), patch: sample.patch, of: sample.new.layer)
            let files = CollectedFiles()
            let error = #expect(throws: SnpackError.self) {
                try reader.read(from: changed.files, into: files, context: WorkContext(jobs: 2))
            }
            #expect(error?.code == .patchOldLayerChanged)
            #expect(files.files.isEmpty)
            // A file more.
            try Data([1]).write(to: directory.appending(path: "old/more.bin"))
            let longer = try PatchSide(directory.appending(path: "old").path)
            let second = #expect(throws: SnpackError.self) {
                try reader.read(from: longer.files, context: WorkContext())
            }
            #expect(second?.code == .patchOldLayerChanged)
        }
    }

    @Test func detectsAFileThatChangesAfterItWasListed() throws {
        try ProjectFiles.inTemporaryDirectory { directory in
            let sample = try Case(in: directory)
            let file = try FileHandle(forWritingTo: directory.appending(path: "old/kept.bin"))
            try file.seek(toOffset: 5)
            try file.write(contentsOf: [1, 2, 3])
            try file.close()
            #expect(throws: SnpackError.self) { try sample.apply(sample.bytes, as: sample.patch) }
        }
    }

    @Test func refusesAResultThatIsNotTheSignedLayer() throws {
        try ProjectFiles.inTemporaryDirectory { directory in
            let sample = try Case(in: directory)
            // A step frame that is well-formed and copies from one byte beside.
            let frames = Array(sample.bytes.dropLast(Int(sample.patch.tableByteCount)))
            let reader = PatchReader(MemoryFile(sample.bytes), patch: sample.patch, of: sample.new.layer)
            var steps = try reader.table().steps
            let place = try #require(steps.indices.first { if case .copy = steps[$0] { true } else { false } })
            guard case .copy(let offset, let count) = steps[place] else { return }
            steps[place] = .copy(oldOffset: offset - 1, byteCount: count)
            let lying = frames + PatchTable(steps).encoded
            let error = #expect(throws: SnpackError.self) { try sample.apply(lying, as: sample.signed(lying)) }
            #expect([.tarNotCanonical, .layerMismatch].contains(error?.code))
        }
    }

    /// Frames under a true signature that do not keep the rules: another size, a checksum, a large window, bytes behind.
    @Test func refusesFramesThatDoNotKeepTheRules() throws {
        try ProjectFiles.inTemporaryDirectory { directory in
            let sample = try Case(in: directory)
            let stream = try sample.new.files.bytes(at: 0, count: Int(sample.new.files.byteCount))
            let good = try stream.withUnsafeBytes { try ZstdCompressor().frame(of: $0, level: 3) }
            func made(_ frame: [UInt8]) throws -> [UInt8] {
                let step = PatchTable.Step.plain(
                    frameByteCount: UInt32(frame.count), newByteCount: UInt32(stream.count))
                return frame + PatchTable([step]).encoded
            }
            func apply(_ frame: [UInt8]) throws {
                let bytes = try made(frame)
                try sample.apply(bytes, as: sample.signed(bytes, tableByteCount: 24 + 28))
            }
            try apply(good)
            var checksum = good
            checksum[4] |= 4
            var dictionary = good
            dictionary[4] |= 1
            var size = good
            size[5] ^= 1
            // Not one segment: a window byte follows, here one that asks for 2 GiB.
            var window = good
            window[4] &= ~0x20
            window.insert(21 << 3, at: 5)
            let skippable: [UInt8] = [0x50, 0x2A, 0x4D, 0x18, 1, 0, 0, 0, 0]
            for frame in [
                checksum, dictionary, size, window, good + [0], Array(good.dropLast()), good + good, skippable,
                good + skippable, Array("no frame".utf8), [0],
            ] {
                let error = #expect(throws: SnpackError.self) { try apply(frame) }
                #expect(error?.code == .patchFrameInvalid)
            }
        }
    }

    @Test func flippedBitsUnderATrueSignatureNeverTrap() throws {
        try ProjectFiles.inTemporaryDirectory { directory in
            let sample = try Case(in: directory, scale: 3)
            let seed = UInt64.random(in: 0 ... .max)
            print("patch flips: seed \(seed)")
            var chance = SeededGenerator(seed)
            let tableStart = sample.bytes.count - Int(sample.patch.tableByteCount)
            var accepted = 0
            for round in FuzzRounds(10_000) {
                var damaged = sample.bytes
                let range = round % 2 == 0 ? 0..<tableStart : tableStart..<damaged.count
                for _ in 0..<Int.random(in: 1...4, using: &chance) {
                    damaged[Int.random(in: range, using: &chance)] ^= 1 << UInt8.random(in: 0...7, using: &chance)
                }
                do { try sample.apply(damaged, as: sample.signed(damaged)) } catch is SnpackError { continue }
                accepted += 1
            }
            // Only flips that undo each other or change nothing that is read can pass, and then the layer is proven.
            #expect(accepted < 500)
        }
    }

    @Test func stopsWhenItIsCancelled() throws {
        try ProjectFiles.inTemporaryDirectory { directory in
            let sample = try Case(in: directory)
            let context = WorkContext(jobs: 2)
            context.cancel.cancel()
            let error = #expect(throws: SnpackError.self) {
                try PatchReader(MemoryFile(sample.bytes), patch: sample.patch, of: sample.new.layer).read(
                    from: sample.old.files, context: context)
            }
            #expect(error?.code == .interrupted)
        }
    }
}
