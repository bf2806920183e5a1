import Blobs
import Compression
import Diagnostics
import DurableFiles
import Hashing
import TerritoryModel
import TerritoryPackage

enum BlobReaders {
    private final class Nothing: LayerSink {
        func beginFile(path: String, byteCount: UInt64) {}
        func write(_ bytes: UnsafeRawBufferPointer) {}
        func endFile() {}
        func finish() {}
    }

    /// As they are, and once more with every header's checksum put right: no fuzzer guesses a checksum.
    static func tar(_ bytes: [UInt8]) throws(SnpackError) {
        try? stream(bytes)
        var bytes = bytes
        for start in stride(from: 0, through: bytes.count - 512, by: 512)
        where bytes[start + 257..<start + 262].elementsEqual("ustar".utf8) {
            bytes.replaceSubrange(start + 148..<start + 156, with: [UInt8](repeating: 0x20, count: 8))
            let digits = String(bytes[start..<start + 512].reduce(0) { $0 + Int($1) }, radix: 8)
            let text = String(repeating: "0", count: max(0, 6 - digits.count)) + digits + "\0 "
            bytes.replaceSubrange(start + 148..<start + 156, with: text.utf8)
        }
        try stream(bytes)
    }

    private static func stream(_ bytes: [UInt8]) throws(SnpackError) {
        var reader = CanonicalTarReader(sink: Nothing())
        let half = bytes.count / 3
        try Array(bytes[..<half]).withBytes { part throws(SnpackError) in try reader.read(part) }
        try Array(bytes[half...]).withBytes { part throws(SnpackError) in try reader.read(part) }
        try reader.finish()
    }

    /// Three bytes of content size, then the frame; alone and against a prefix.
    static func frame(_ bytes: [UInt8]) throws(SnpackError) {
        guard bytes.count >= 3 else { return }
        let count = Int(bytes[0]) | Int(bytes[1]) << 8 | Int(bytes[2] & 0x1F) << 16
        let decompressor = try ZstdDecompressor()
        let prefix = [UInt8](repeating: 7, count: 5_000)
        try Array(bytes[3...]).withBytes { frame throws(SnpackError) in
            _ = try? ZstdFrameHeader(decoding: frame)
            try? prefix.withBytes { prefix throws(SnpackError) in
                _ = try decompressor.content(of: frame, byteCount: count, prefix: prefix, windowLimit: 64 << 20)
            }
            _ = try decompressor.content(of: frame, byteCount: count, windowLimit: 8 << 20)
        }
    }

    private static func word(_ bytes: [UInt8], _ offset: Int) -> UInt64 {
        (0..<4).reduce(0) { $0 | UInt64(bytes[offset + $1]) << (8 * UInt64($1)) }
    }

    /// With the totals that the table's own entries add up to.
    static func chunkTable(_ bytes: [UInt8]) throws(SnpackError) {
        var totals = (frames: UInt64(bytes.count), contents: UInt64(0))
        for offset in stride(from: 24, through: bytes.count - 72, by: 72) {
            totals.frames += word(bytes, offset)
            totals.contents += word(bytes, offset + 4)
        }
        _ = try? ChunkTable(lastIn: MemoryFile(bytes))
        let table = try ChunkTable(decoding: bytes, blobByteCount: totals.frames, tarByteCount: totals.contents)
        mustHold(table.encoded == bytes, "a chunk table does not survive its own encoding")
    }

    /// A blob that somebody signed, whatever is in it.
    static func blob(_ bytes: [UInt8]) throws(SnpackError) {
        let file = MemoryFile(bytes)
        let table = try ChunkTable(lastIn: file)
        let count = table.chunks.reduce(UInt64(0)) { $0 + UInt64($1.contentByteCount) }
        let layer = try layer(bytes, tarByteCount: count, tableByteCount: table.byteCount)
        try BlobReader(file, layer: layer).read(context: WorkContext(jobs: 1))
    }

    private static func layer(
        _ blob: [UInt8], tarByteCount: UInt64, tableByteCount: UInt64
    ) throws(SnpackError) -> Manifest.Layer {
        let path = try LayerPath(parsing: "layer")
        let content = tarByteCount > 1_536 ? tarByteCount - 1_536 : 0
        return try Manifest.Layer(
            kind: LayerKind(parsing: "extra"), path: path, isTree: true, fileCount: 1, byteCount: content,
            blake3: .of([]),
            blob: Manifest.Blob(
                of: path, fileCount: 1, layerByteCount: content, byteCount: UInt64(blob.count), blake3: .of(blob),
                tarByteCount: tarByteCount, tableByteCount: tableByteCount,
                tableBlake3: .of(Array(blob.suffix(Int(clamping: tableByteCount))))))
    }

    // MARK: - Patches

    private static let old = [UInt8]((0..<40_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) })

    /// An old layer whose stream is proven without a look.
    private struct OldStream: TarStream {
        let memory = MemoryFile(BlobReaders.old)
        var byteCount: UInt64 { memory.byteCount }
        var name: String { memory.name }
        func read(into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64) throws(SnpackError) {
            try memory.read(into: buffer, at: offset)
        }
        func provenContent(context: WorkContext) -> Blake3Digest { .of([1]) }
        func read(into sink: any LayerSink, context: WorkContext) {}
    }

    private static func sums(ofSteps table: [UInt8]) -> (frames: UInt64, made: UInt64) {
        var sums = (frames: UInt64(0), made: UInt64(0))
        for offset in stride(from: 24, through: table.count - 28, by: 28) {
            sums.frames += word(table, offset + 4)
            sums.made += word(table, offset + 20)
        }
        return sums
    }

    private static func patch(_ bytes: [UInt8], table: [UInt8], byteCount: UInt64) throws(SnpackError) -> Manifest.Patch
    {
        try Manifest.Patch(
            from: .of([1]), byteCount: byteCount, blake3: .of(bytes), oldTarByteCount: UInt64(old.count),
            tableByteCount: UInt64(table.count))
    }

    /// With the totals that the steps themselves add up to.
    static func patchSteps(_ bytes: [UInt8]) throws(SnpackError) {
        let sums = sums(ofSteps: bytes)
        let patch = try patch(bytes, table: bytes, byteCount: UInt64(bytes.count) + sums.frames)
        let table = try PatchTable(decoding: bytes, of: patch, tarByteCount: sums.made)
        mustHold(table.encoded == bytes, "steps do not survive their own encoding")
    }

    /// One byte says how many steps stand at the end of the patch that follows.
    static func patch(_ bytes: [UInt8]) throws(SnpackError) {
        guard let steps = bytes.first, bytes.count > 24 + 28 * Int(steps) else { return }
        let file = Array(bytes[1...])
        let table = Array(file.suffix(24 + 28 * Int(steps)))
        let made = sums(ofSteps: table).made
        // Steps of more than this only cost time.
        guard made < 1 << 22 else { return }
        let patch = try patch(file, table: table, byteCount: UInt64(file.count))
        let blob = [UInt8](repeating: 0, count: 100)
        let layer = try layer(blob, tarByteCount: made, tableByteCount: 96)
        try PatchReader(MemoryFile(file), patch: patch, of: layer).read(
            from: OldStream(), context: WorkContext(jobs: 1))
    }

    static func snpkg(_ bytes: [UInt8]) throws(SnpackError) {
        let archive = try PackageArchive(MemoryFile(bytes))
        _ = try? Manifest(decoding: archive.manifestBytes)
        let manifest = try Manifest(decoding: archive.manifestBytes)
        try archive.checkForm(for: manifest)
        for index in manifest.layers.indices { _ = try archive.blob(index, of: manifest) }
    }
}
