package import Diagnostics
package import DurableFiles
package import Hashing
import Synchronization
package import TerritoryModel

/// The canonical tar stream in a blob, read chunk by chunk and unpacked nowhere.
///
/// Every chunk is proven by the signed chunk table when it is read.
package final class BlobTarStream: TarStream {
    /// Chunks of at most 1 MiB kept for the next read.
    private static let keptChunkLimit = 24

    private let blob: any RandomAccess
    private let layer: Manifest.Layer
    private let decoder = FrameDecoder()
    private let table: ChunkTable
    private let chunkOffsets: [UInt64]
    private let frameOffsets: [UInt64]
    /// The most recently used last.
    private let kept = Mutex<[KeptChunk]>([])
    /// A one-file layer's headers under the name asked for, and how many bytes of the blob's stream they stand for.
    private let headers: [UInt8]
    private let replacedByteCount: UInt64
    private let fileName: String

    /// - Parameters:
    ///   - layer: the blob's layer, as a verified manifest describes it.
    ///   - name: what a single file's entry is called: the `path` of the layer that a patch makes.
    package init(_ blob: any RandomAccess, layer: Manifest.Layer, name: LayerPath) throws(SnpackError) {
        self.blob = blob
        self.layer = layer
        table = try BlobReader(blob, layer: layer, decoder: decoder).table()
        var chunkOffsets: [UInt64] = [0]
        var frameOffsets: [UInt64] = [0]
        for chunk in table.chunks {
            chunkOffsets.append(chunkOffsets[chunkOffsets.count - 1] + UInt64(chunk.contentByteCount))
            frameOffsets.append(frameOffsets[frameOffsets.count - 1] + UInt64(chunk.frameByteCount))
        }
        self.chunkOffsets = chunkOffsets
        self.frameOffsets = frameOffsets
        fileName = name.rawValue
        if layer.isTree {
            (headers, replacedByteCount) = ([], 0)
        } else {
            headers = TarEntry(path: name.rawValue, byteCount: layer.byteCount).headers
            replacedByteCount = UInt64(
                TarEntry(path: layer.path.rawValue, byteCount: layer.byteCount).headers.count)
        }
    }

    package var byteCount: UInt64 { layer.blob.tarByteCount - replacedByteCount + UInt64(headers.count) }
    package var name: String { blob.name }

    package func provenContent(context: WorkContext) throws(SnpackError) -> Blake3Digest { layer.blake3 }

    package func read(into sink: any LayerSink, context: WorkContext) throws(SnpackError) {
        let sink = layer.isTree ? sink : RenamingSink(fileName, then: sink)
        try BlobReader(blob, layer: layer, decoder: decoder).read(into: sink, context: context)
    }

    package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64) throws(SnpackError) {
        guard offset <= byteCount, UInt64(buffer.count) <= byteCount - offset else {
            throw SnpackError(.fileChanged, "it ends before offset \(offset) + \(buffer.count)", path: name)
        }
        var rest = buffer
        var offset = offset
        if let start = Int(exactly: offset), start < headers.count {
            let count = min(rest.count, headers.count - start)
            headers.withUnsafeBytes {
                rest.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[start..<start + count]))
            }
            rest = UnsafeMutableRawBufferPointer(rebasing: rest[count...])
            offset += UInt64(count)
        }
        guard !rest.isEmpty else { return }
        var position = offset - UInt64(headers.count) + replacedByteCount
        while !rest.isEmpty {
            let index = chunkOffsets.lastIndex(notAbove: position)
            let chunk = try chunk(index)
            let start = Int(position - chunkOffsets[index])
            let count = min(rest.count, chunk.count - start)
            chunk.withUnsafeBytes {
                rest.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[start..<start + count]))
            }
            rest = UnsafeMutableRawBufferPointer(rebasing: rest[count...])
            position += UInt64(count)
        }
    }

    private func chunk(_ index: Int) throws(SnpackError) -> [UInt8] {
        let place = kept.withLock { chunks -> KeptChunk in
            if let found = chunks.lastIndex(where: { $0.index == index }) {
                chunks.append(chunks.remove(at: found))
            } else {
                if chunks.count == Self.keptChunkLimit { chunks.removeFirst() }
                chunks.append(KeptChunk(index))
            }
            return chunks[chunks.count - 1]
        }
        return try place.chunk { () throws(SnpackError) in
            let frame = try blob.bytes(at: frameOffsets[index], count: Int(table.chunks[index].frameByteCount))
            do throws(SnpackError) {
                return try decoder.chunk(of: frame, as: table.chunks[index], index: index)
            } catch { throw error.at(blob.name) }
        }
    }
}

/// A chunk that several threads may want at once: the first unpacks it, the others wait for it.
private final class KeptChunk: Sendable {
    let index: Int
    private let content = Mutex<[UInt8]?>(nil)

    init(_ index: Int) { self.index = index }

    func chunk(_ unpack: () throws(SnpackError) -> [UInt8]) throws(SnpackError) -> [UInt8] {
        try content.withLock { content throws(SnpackError) in
            if let content { return content }
            let unpacked = try unpack()
            content = unpacked
            return unpacked
        }
    }
}

/// Hands files on under another name.
private final class RenamingSink: LayerSink {
    private let name: String
    private let next: any LayerSink

    init(_ name: String, then next: any LayerSink) {
        self.name = name
        self.next = next
    }

    func beginFile(path: String, byteCount: UInt64) throws(SnpackError) {
        try next.beginFile(path: name, byteCount: byteCount)
    }
    func write(_ bytes: UnsafeRawBufferPointer) throws(SnpackError) { try next.write(bytes) }
    func endFile() throws(SnpackError) { try next.endFile() }
    func finish() throws(SnpackError) { try next.finish() }
}
