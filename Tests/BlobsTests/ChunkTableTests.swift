import Blobs
import Diagnostics
import DurableFiles
import Hashing
import Testing

/// The rules of a chunk table, one row each.
@Suite struct ChunkTableTests {
    private static func chunk(frame: UInt32, content: UInt32) -> ChunkTable.Chunk {
        ChunkTable.Chunk(
            frameByteCount: frame, contentByteCount: content, frameBlake3: .of([1]), contentBlake3: .of([2]))
    }

    private func refused(
        _ bytes: [UInt8], blob: UInt64, tar: UInt64, _ reason: String, _ location: SourceLocation = #_sourceLocation
    ) {
        let error = #expect(throws: SnpackError.self, sourceLocation: location) {
            try ChunkTable(decoding: bytes, blobByteCount: blob, tarByteCount: tar)
        }
        #expect(error?.code == .blobTableInvalid, sourceLocation: location)
        #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")", sourceLocation: location)
    }

    private let good = ChunkTable([chunk(frame: 100, content: 1_536), chunk(frame: 200, content: 2_048)])
    private var blob: UInt64 { good.byteCount + 300 }
    private let tar: UInt64 = 3_584

    @Test func tableSurvivesItsBytes() throws {
        #expect(good.encoded.count == 24 + 2 * 72)
        #expect(Array(good.encoded[..<4]) == [0x5D, 0x2A, 0x4D, 0x18])
        #expect(try ChunkTable(decoding: good.encoded, blobByteCount: blob, tarByteCount: tar) == good)
    }

    @Test func everyFieldOfTheHeadMatters() {
        for (offset, reason) in [
            (0, "skippable frame"), (4, "size field"), (8, "version 1"), (12, "version 1"), (16, "does not fit"),
            (20, "reserved"),
        ] {
            var bytes = good.encoded
            bytes[offset] ^= 0x40
            refused(bytes, blob: blob, tar: tar, reason)
        }
    }

    @Test func everyByteOfTheHeadMatters() {
        for offset in 0..<24 {
            var bytes = good.encoded
            bytes[offset] ^= 1
            #expect(throws: SnpackError.self) {
                try ChunkTable(decoding: bytes, blobByteCount: blob, tarByteCount: tar)
            }
        }
    }

    @Test func lengthMustBeThatOfItsChunks() {
        refused([], blob: blob, tar: tar, "too short")
        refused(Array(good.encoded[..<95]), blob: blob, tar: tar, "too short")
        refused(Array(good.encoded.dropLast()), blob: blob, tar: tar, "size field")
        refused(good.encoded + [0], blob: blob, tar: tar, "size field")
        let none = ChunkTable([]).encoded
        refused(none, blob: 24, tar: 0, "too short")
    }

    @Test func frameSizesStayWithinTheirLimits() throws {
        let most = ChunkTable([Self.chunk(frame: 1_053_700, content: 1_049_600)])
        _ = try ChunkTable(decoding: most.encoded, blobByteCount: most.byteCount + 1_053_700, tarByteCount: 1_049_600)
        let least = ChunkTable([Self.chunk(frame: 1, content: 1)])
        _ = try ChunkTable(decoding: least.encoded, blobByteCount: least.byteCount + 1, tarByteCount: 1)
        for (frame, content, reason) in [
            (UInt32(0), UInt32(1), "frame size"), (1_053_701, 1, "frame size"), (UInt32.max, 1, "frame size"),
            (1, 0, "length is out of range"), (1, 1_049_601, "length is out of range"),
            (1, UInt32.max, "length is out of range"),
        ] {
            let table = ChunkTable([Self.chunk(frame: frame, content: content)])
            refused(table.encoded, blob: table.byteCount + UInt64(frame), tar: UInt64(content), reason)
        }
    }

    @Test func sumsMustBeTheSignedSizes() {
        refused(good.encoded, blob: blob - 1, tar: tar, "add up to the blob")
        refused(good.encoded, blob: blob + 1, tar: tar, "add up to the blob")
        refused(good.encoded, blob: blob, tar: tar - 1, "add up to")
        refused(good.encoded, blob: blob, tar: tar + 1, "add up to")
    }

    @Test func thereMayBeTwoChunksForEveryMebibyteAndOneMore() throws {
        func table(_ count: Int) -> (table: ChunkTable, blob: UInt64, tar: UInt64) {
            let table = ChunkTable((0..<count).map { _ in Self.chunk(frame: 10, content: 1_000) })
            return (table, table.byteCount + 10 * UInt64(count), 1_000 * UInt64(count))
        }
        // Up to 1 MiB of tar: 3 chunks.
        let three = table(3)
        _ = try ChunkTable(decoding: three.table.encoded, blobByteCount: three.blob, tarByteCount: three.tar)
        let four = table(4)
        refused(four.table.encoded, blob: four.blob, tar: four.tar, "too many")
    }

    @Test func aTableIsFoundAtTheEndOfABlobNobodyVouchesFor() throws {
        let bytes = [UInt8](repeating: 7, count: 300) + good.encoded
        #expect(try ChunkTable(lastIn: MemoryFile(bytes)) == good)
    }

    @Test func aFileWithoutTableIsNoBlobWhateverItsLength() {
        for count in 0..<400 {
            let error = #expect(throws: SnpackError.self) {
                try ChunkTable(lastIn: MemoryFile([UInt8](repeating: 0x5D, count: count)))
            }
            #expect(error?.code == .blobTableInvalid, "\(count) bytes")
        }
        // A head alone, whose size field fits the file: there is no room for a chunk before it.
        #expect(throws: SnpackError.self) { try ChunkTable(lastIn: MemoryFile(ChunkTable([]).encoded)) }
        #expect(throws: SnpackError.self) { try ChunkTable(lastIn: MemoryFile(good.encoded)) }
    }
}
