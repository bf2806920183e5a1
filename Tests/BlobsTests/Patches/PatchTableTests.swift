import Blobs
import Diagnostics
import DurableFiles
import Foundation
import Hashing
import SnpackTestSupport
import TerritoryModel
import Testing

/// Steps that lie, each in one way, and what is said about it.
@Suite struct PatchTableTests {
    private static let mebibyte: UInt32 = 1 << 20

    /// A patch of three steps: 1 MiB copied, 1 MiB plain, 1 MiB patched; frames of 100 bytes each.
    private static let steps: [PatchTable.Step] = [
        .copy(oldOffset: 512, byteCount: mebibyte), .plain(frameByteCount: 100, newByteCount: mebibyte),
        .patch(frameByteCount: 100, oldOffset: 0, oldByteCount: mebibyte, newByteCount: mebibyte),
    ]
    private static let oldTarByteCount: UInt64 = 2 << 20
    private static let newTarByteCount: UInt64 = 3 << 20

    /// - Parameter bytes: the patch's size; nil for what the frames add up to.
    private func decode(
        _ table: [UInt8], frames: UInt64 = 200, tableByteCount: UInt64? = nil, newTarByteCount: UInt64 = newTarByteCount
    ) throws -> PatchTable {
        let patch = try Manifest.Patch(
            from: .of([1]), byteCount: frames + UInt64(table.count), blake3: .of([2]),
            oldTarByteCount: Self.oldTarByteCount, tableByteCount: tableByteCount ?? UInt64(table.count))
        return try PatchTable(decoding: table, of: patch, tarByteCount: newTarByteCount)
    }

    @Test func encodesWhatItDecodes() throws {
        let encoded = PatchTable(Self.steps).encoded
        #expect(encoded.count == 24 + 28 * 3)
        #expect(try decode(encoded).steps == Self.steps)
    }

    @Test func oldRangesMayOverlap() throws {
        let steps: [PatchTable.Step] = [
            .copy(oldOffset: 0, byteCount: 3 << 19), .copy(oldOffset: 1000, byteCount: 3 << 19),
        ]
        #expect(try decode(PatchTable(steps).encoded, frames: 0).steps == steps)
    }

    /// One field of one step, by its offset in the step, and a value that must not stand there.
    private struct Lie: CustomTestStringConvertible, Sendable {
        let name: String
        let step: Int
        let field: Int
        let value: [UInt8]
        var frames: UInt64 = 200
        var newTarByteCount: UInt64 = PatchTableTests.newTarByteCount
        var testDescription: String { name }

        init(
            _ name: String, step: Int, field: Int, _ value: some FixedWidthInteger, frames: UInt64 = 200,
            newTarByteCount: UInt64 = PatchTableTests.newTarByteCount
        ) {
            self.name = name
            self.step = step
            self.field = field
            self.value = withUnsafeBytes(of: value.littleEndian) { Array($0) }
            self.frames = frames
            self.newTarByteCount = newTarByteCount
        }
    }

    private static let lies: [Lie] = [
        Lie("unknown op", step: 1, field: 0, UInt32(3)),
        Lie("op of all ones", step: 1, field: 0, UInt32.max),
        Lie("copy with a frame", step: 0, field: 4, UInt32(1), frames: 201),
        Lie("copy past the end", step: 0, field: 8, UInt64(1 << 20) + 1),
        Lie("copy whose end overflows", step: 0, field: 8, UInt64.max - 10),
        Lie("copy of two lengths", step: 0, field: 16, UInt32(5)),
        Lie("copy of 4 GiB", step: 0, field: 16, UInt64(0xFFFF_FFFF_FFFF_FFFF)),
        Lie("plain with an old offset", step: 1, field: 8, UInt64(1)),
        Lie("plain with an old length", step: 1, field: 16, UInt32(1)),
        Lie("plain without a frame", step: 1, field: 4, UInt32(0), frames: 100),
        Lie("frame over its limit", step: 1, field: 4, UInt32(8_421_377), frames: 8_421_477),
        Lie("frame past the end", step: 1, field: 4, UInt32(101)),
        Lie("frame of 4 GiB", step: 1, field: 4, UInt32.max),
        Lie("makes nothing", step: 1, field: 20, UInt32(0), newTarByteCount: 2 << 20),
        Lie("plain makes more than 8 MiB", step: 1, field: 20, UInt32(8 << 20) + 1, newTarByteCount: (10 << 20) + 1),
        Lie("patch makes 4 GiB", step: 2, field: 20, UInt32.max),
        Lie("makes more than is signed", step: 1, field: 20, UInt32(1 << 20) + 1),
        Lie("makes less than is signed", step: 1, field: 20, UInt32(1 << 20) - 1),
        Lie("patch against nothing", step: 2, field: 16, UInt32(0)),
        Lie("patch against more than there is", step: 2, field: 16, UInt32(2 << 20) + 1),
        Lie("patch against more than 32 MiB", step: 2, field: 16, UInt32(32 << 20) + 1),
        Lie("patch window that overflows", step: 2, field: 8, UInt64.max),
        Lie("reserved field of a copy", step: 0, field: 24, UInt32(1)),
        Lie("reserved field of a patch", step: 2, field: 24, UInt32(0x8000_0000)),
    ]

    @Test(arguments: lies) private func refusesLyingSteps(_ lie: Lie) throws {
        var table = PatchTable(Self.steps).encoded
        let at = 24 + 28 * lie.step + lie.field
        table.replaceSubrange(at..<at + lie.value.count, with: lie.value)
        let error = #expect(throws: SnpackError.self) {
            try decode(table, frames: lie.frames, newTarByteCount: lie.newTarByteCount)
        }
        #expect(error?.code == .patchTableInvalid)
    }

    @Test func refusesALongWindowEvenWhereTheOldStreamIsLonger() throws {
        let steps: [PatchTable.Step] = [
            .patch(frameByteCount: 9, oldOffset: 0, oldByteCount: (32 << 20) + 1, newByteCount: 5_000)
        ]
        let table = PatchTable(steps).encoded
        let patch = try Manifest.Patch(
            from: .of([1]), byteCount: 9 + UInt64(table.count), blake3: .of([2]), oldTarByteCount: 1 << 30,
            tableByteCount: UInt64(table.count))
        let error = #expect(throws: SnpackError.self) {
            try PatchTable(decoding: table, of: patch, tarByteCount: 5_000)
        }
        #expect(error?.code == .patchTableInvalid)
    }

    @Test(arguments: [0, 4, 8, 12, 16, 20])
    func refusesAWrongHead(field: Int) throws {
        for value in [UInt32(0x1234), .max] {
            var table = PatchTable(Self.steps).encoded
            table.replaceSubrange(field..<field + 4, with: withUnsafeBytes(of: value) { Array($0) })
            let error = #expect(throws: SnpackError.self) { try decode(table) }
            #expect(error?.code == .patchTableInvalid)
        }
    }

    @Test func refusesEveryOtherLength() throws {
        let table = PatchTable(Self.steps).encoded
        for count in 0..<table.count {
            #expect(throws: SnpackError.self) {
                try decode(Array(table[..<count]), tableByteCount: UInt64(table.count))
            }
        }
        #expect(throws: SnpackError.self) { try decode(table + [0], tableByteCount: UInt64(table.count)) }
    }

    @Test func flippedBitsNeverTrap() throws {
        let seed = UInt64.random(in: 0 ... .max)
        print("patch table flips: seed \(seed)")
        var chance = SeededGenerator(seed)
        let table = PatchTable(Self.steps).encoded
        for _ in FuzzRounds(10_000) {
            var damaged = table
            for _ in 0..<Int.random(in: 1...3, using: &chance) {
                damaged[Int.random(in: 0..<table.count, using: &chance)] ^= 1 << UInt8.random(in: 0...7, using: &chance)
            }
            // What is taken in spite of the flips keeps every limit.
            guard let taken = try? decode(damaged) else { continue }
            #expect(taken.steps.reduce(0) { $0 + UInt64($1.newByteCount) } == Self.newTarByteCount)
            #expect(taken.steps.reduce(0) { $0 + UInt64($1.frameByteCount) } == 200)
        }
    }
}
