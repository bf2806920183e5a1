import Blobs
import Compression
import Diagnostics
import DurableFiles
import Hashing
import SnpackTestSupport
import TerritoryModel
import Testing

/// Blobs that are not what is signed, and blobs that are signed and yet not to be taken.
@Suite struct BadBlobTests {
    private static let good = Result {
        // Two chunks and a bit, most of it easy to compress: a small blob that is quickly read.
        var random = SplitMix(seed: 43)
        return try PackedLayer([
            ("a", random.bytes(900) + [UInt8](repeating: 7, count: 1_050_000)), ("b/c", [1, 2, 3]),
            ("d", random.bytes(500)),
        ])
    }

    private func code(
        _ packed: PackedLayer, _ bytes: [UInt8]? = nil, jobs: Int = 2, into sink: (any LayerSink)? = nil,
        at location: SourceLocation = #_sourceLocation
    ) -> (code: ErrorCode?, message: String) {
        let error = #expect(throws: SnpackError.self, sourceLocation: location) {
            try packed.read(bytes, into: sink, jobs: jobs)
        }
        return (error?.code, error?.message ?? "")
    }

    // MARK: - Damage

    /// A table of 1.2 TB, as the wire format allows it, in a file of holes.
    @Test func aTableThatNoMemoryHoldsIsRefused() throws {
        let (chunks, tar) = (UInt64(1) << 33, Limits.byteCount - 1_024)
        let path = try LayerPath(parsing: "map.pmtiles")
        let layer = try Manifest.Layer(
            kind: .pmtiles, path: path, isTree: false, fileCount: 1, byteCount: tar - 1_536, blake3: .of([]),
            blob: Manifest.Blob(
                of: path, fileCount: 1, layerByteCount: tar - 1_536, byteCount: 1 << 53 - 1, blake3: .of([]),
                tarByteCount: tar, tableByteCount: 24 + 72 * chunks, tableBlake3: .of([])))
        let error = #expect(throws: SnpackError.self) {
            try BlobReader(HollowFile(byteCount: layer.blob.byteCount), layer: layer).table()
        }
        #expect(error?.code == .blobTableInvalid)
    }

    @Test func truncatedAndExtendedBlobsAreRefused() throws {
        let packed = try Self.good.get()
        for count in [0, 1, 12, 23, 24, 100, packed.blob.count - 1] {
            #expect(code(packed, Array(packed.blob[..<count])).code == .blobMismatch, "\(count) bytes")
        }
        #expect(code(packed, packed.blob + [0]).code == .blobMismatch)
    }

    @Test(arguments: [1, 2])
    func everyFlippedByteIsFoundAndNothingTraps(jobs: Int) throws {
        let packed = try Self.good.get()
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SplitMix(seed: seed)
        let tableStart = packed.blob.count - Int(packed.layer.blob.tableByteCount)
        for round in 0..<5_000 {
            // Every third flip in the table and in what stands around it, where each byte has a meaning.
            let low = round % 3 == 0 ? tableStart - 64 : 0
            let index = Int.random(in: low..<packed.blob.count, using: &random)
            var bytes = packed.blob
            bytes[index] ^= UInt8.random(in: 1...255, using: &random)
            do {
                try packed.read(bytes, jobs: jobs)
                Issue.record("a flip at \(index) went unseen: seed \(seed)")
            } catch {
                #expect(error.code.exitStatus == .verification, "seed \(seed), \(index): \(error)")
            }
        }
    }

    @Test func flipsBeforeTheTableNeverReachTheSinkBeyondTheirFrame() throws {
        let packed = try Self.good.get()
        var bytes = packed.blob
        bytes[10] ^= 1
        let sink = MemorySink()
        #expect(code(packed, bytes, into: sink).code == .blobFrameInvalid)
        #expect(sink.files.isEmpty && !sink.isFinished)
    }

    // MARK: - Frames

    /// One chunk whose frame is `frame`, all of it signed.
    private func signed(frame: [UInt8], chunk: [UInt8]) throws -> PackedLayer {
        try PackedLayer(signing: [chunk], frames: [frame], as: (1, UInt64(chunk.count - 1_536), .of([])))
    }

    private func tool(_ arguments: [String], _ input: [UInt8]) throws -> [UInt8] {
        let result = try SystemTool.run("zstd", ["-q", "-c"] + arguments, input: input)
        #expect(result.status == 0, "\(result)")
        return result.output
    }

    private var chunk: [UInt8] { [UInt8](repeating: 0x41, count: 4_096) }

    private func frame(of chunk: [UInt8]) throws -> [UInt8] {
        let compressor = try ZstdCompressor()
        return try chunk.withBytes { bytes throws(SnpackError) in try compressor.frame(of: bytes, level: 3) }
    }

    private func expectBadFrame(
        _ frame: [UInt8], _ reason: String, _ location: SourceLocation = #_sourceLocation
    ) throws {
        let (code, message) = try code(signed(frame: frame, chunk: chunk), at: location)
        #expect(code == .blobFrameInvalid, "\(message)", sourceLocation: location)
        #expect(message.contains(reason), "\(message)", sourceLocation: location)
    }

    @Test func aFrameWithAChecksumIsRefused() throws {
        try expectBadFrame(tool(["--check", "--stream-size=4096"], chunk), "checksum")
    }

    @Test func aFrameWithADictionaryIsRefused() throws {
        var frame = try frame(of: chunk)
        // Descriptor: the dictionary field grows to one byte, which follows the descriptor (single segment).
        #expect(frame[4] & 0x23 == 0x20)
        frame[4] |= 1
        frame.insert(7, at: 5)
        try expectBadFrame(frame, "dictionary")
    }

    @Test("Case 41: a frame that asks for a window of 1 GiB is refused before memory is taken")
    func case041_hugeWindow() throws {
        let frame = try tool(["--long=30", "--no-check"], chunk)
        try expectBadFrame(frame, "content size")
        // The same with its content size stated: a window descriptor of 1 GiB, content size in two bytes.
        var stated: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD, 0x40, 0xA0] + [0x00, 0x0F]
        stated += frame[6...]
        try expectBadFrame(stated, "window")
    }

    @Test func windowsUpToEightMebibytesAreTaken() throws {
        func head(_ windowDescriptor: UInt8) -> [UInt8] {
            [0x28, 0xB5, 0x2F, 0xFD, 0x40, windowDescriptor, 0x00, 0x0F]
        }
        // One RLE block, the last, of 4,096 bytes.
        let block: [UInt8] = [
            UInt8(truncatingIfNeeded: 4_096 << 3 | 3), UInt8(truncatingIfNeeded: 4_096 >> 5), 0, 0x41,
        ]
        // 2^23 is exponent 13, mantissa 0.
        let taken = try signed(frame: head(13 << 3) + block, chunk: chunk)
        #expect(code(taken).code == .tarNotCanonical, "the frame is fine and its content is no tar")
        try expectBadFrame(head(13 << 3 | 1) + block, "window")
    }

    @Test func aContentSizeThatLiesIsRefused() throws {
        let short = try frame(of: Array(chunk.dropLast()))
        try expectBadFrame(short, "content size")
        var lying = try frame(of: chunk)
        // 4,096 is stated as 3,840 in two bytes behind the descriptor.
        #expect(lying[4] >> 6 == 1 && lying[5...6] == [0x00, 0x0F])
        lying[5] = 1
        try expectBadFrame(lying, "content size")
        // A frame that states the listed size and holds less, and one that holds more.
        var hollow = short
        hollow[5] = 0x00
        #expect(try code(signed(frame: hollow, chunk: chunk)).code == .blobFrameInvalid)
        var bursting = try frame(of: chunk + [0x41])
        bursting[5] = 0x00
        #expect(try code(signed(frame: bursting, chunk: chunk)).code == .blobFrameInvalid)
    }

    @Test func aFrameWithoutContentSizeIsRefused() throws {
        try expectBadFrame(tool(["--no-check", "--no-content-size"], chunk), "content size")
    }

    @Test("Case 43: two frames in one entry, a skippable frame in front, and garbage behind are refused")
    func case043_moreThanOneFrame() throws {
        let frame = try frame(of: chunk)
        let halves = try self.frame(of: Array(chunk[..<2_048])) + self.frame(of: Array(chunk[2_048...]))
        try expectBadFrame(halves, "content size")
        // The first of two states the size of both.
        try expectBadFrame(frame + self.frame(of: [1]), "followed by other bytes")
        try expectBadFrame([0x50, 0x2A, 0x4D, 0x18, 4, 0, 0, 0, 1, 2, 3, 4] + frame, "magic")
        try expectBadFrame(frame + [1, 2, 3, 4, 5, 6, 7], "followed by other bytes")
        try expectBadFrame(frame + [0x50, 0x2A, 0x4D, 0x18, 0, 0, 0, 0], "followed by other bytes")
    }

    @Test func aFrameThatIsCutOffIsRefused() throws {
        let frame = try frame(of: chunk)
        for count in 1..<frame.count {
            #expect(try code(signed(frame: Array(frame[..<count]), chunk: chunk)).code == .blobFrameInvalid, "\(count)")
        }
    }

    @Test func aBombIsRefusedByItsHead() throws {
        // 256 MiB of zeros where 4,096 bytes are listed.
        let bomb = try tool(["--no-check", "--stream-size=268435456"], [UInt8](repeating: 0, count: 268_435_456))
        try expectBadFrame(bomb, "content size")
    }

    @Test func randomDamageToAFrameThatIsSignedNeverTraps() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SplitMix(seed: seed)
        let content = random.bytes(2_000) + [UInt8](repeating: 1, count: 2_096)
        let frame = try frame(of: content)
        let decompressor = try ZstdDecompressor()
        for _ in 0..<5_000 {
            var bytes = frame
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            // Whatever it is taken for, it has the listed size or is an error.
            let content = try? bytes.withBytes { frame throws(SnpackError) in
                try decompressor.content(of: frame, byteCount: content.count, windowLimit: 8 << 20)
            }
            #expect(content == nil || content?.count == 4_096, "seed \(seed)")
        }
    }
}
