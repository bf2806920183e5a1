import Diagnostics

/// A tar stream as a list of pieces: each entry's headers are one, its content is cut by ``PieceCutter`` and the last of
/// it keeps the padding, the end blocks are one.
struct PieceIndex: Sendable {
    /// A file's unit in the stream.
    struct File: Sendable {
        let path: String
        let range: Range<UInt64>
    }

    fileprivate(set) var files: [File] = []
    fileprivate(set) var hashes: [UInt64] = []
    /// Where each piece begins, and after the last one the stream's end.
    fileprivate(set) var starts: [UInt64] = [0]

    var pieceCount: Int { hashes.count }
    var byteCount: UInt64 { starts[hashes.count] }

    func range(_ piece: Int) -> Range<UInt64> { starts[piece]..<starts[piece + 1] }

    /// The file in whose unit `offset` lies; the last one for the end blocks.
    func file(at offset: UInt64) -> Int {
        var (low, high) = (0, files.count)
        while low < high {
            let middle = (low + high) / 2
            if files[middle].range.lowerBound <= offset { low = middle + 1 } else { high = middle }
        }
        return max(0, low - 1)
    }

    /// The average length of pieces for streams of `byteCount` bytes: their number is what takes memory.
    static func averageByteCount(_ byteCount: UInt64) -> Int {
        var average = 4 << 10
        while UInt64(average) << 20 < byteCount, average < 32 << 10 { average *= 2 }
        return average
    }
}

/// Makes the piece index of a tar stream from the files in it.
final class PieceIndexer: LayerSink {
    private(set) var index = PieceIndex()
    private var cutter: PieceCutter
    private var entry = TarEntry(path: "", byteCount: 0)

    init(averageByteCount: Int) { cutter = PieceCutter(averageByteCount: averageByteCount) }

    private func add(_ hash: UInt64, _ count: Int) {
        index.starts.append(index.byteCount + UInt64(count))
        index.hashes.append(hash)
    }

    func beginFile(path: String, byteCount: UInt64) {
        entry = TarEntry(path: path, byteCount: byteCount)
        let start = index.byteCount
        index.files.append(
            PieceIndex.File(path: entry.path, range: start..<start + entry.unitByteCount))
        let headers = entry.headers
        add(headers.withUnsafeBytes(PieceHash.of), headers.count)
    }

    func write(_ bytes: UnsafeRawBufferPointer) { cutter.add(bytes, add) }

    func endFile() {
        cutter.finish(add)
        guard entry.paddingByteCount > 0 else { return }
        // Files that end alike and measure alike have equal last pieces.
        let last = index.hashes.count - 1
        index.hashes[last] ^= UInt64(entry.paddingByteCount)
        index.starts[last + 1] += UInt64(entry.paddingByteCount)
    }

    func finish() { add(0, TarEntry.endByteCount) }
}
