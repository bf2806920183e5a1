package import Diagnostics
package import DurableFiles
import Hashing

/// Makes the canonical tar stream of a layer on disk, front to back, and digests the files on the way.
package final class TarStreamWriter {
    private let tree: FileTree
    private let entries: [TarEntry]
    private var digester: LayerDigester
    private var index = 0
    private var stage = Stage.headers(offset: 0)
    private var headers: [UInt8] = []

    private enum Stage {
        case headers(offset: Int)
        case content(OpenFile, offset: UInt64)
        case padding(Int)
        case end(Int)
    }

    /// - Parameter name: the layer's `path`, which names a single file's entry.
    package init(_ tree: FileTree, name: String) {
        self.tree = tree
        entries = tree.files.map { TarEntry(path: tree.isTree ? $0.path : name, byteCount: $0.byteCount) }
        digester = LayerDigester(isTree: tree.isTree)
        stage = entries.isEmpty ? .end(TarEntry.endByteCount) : .headers(offset: 0)
        headers = entries.first?.headers ?? []
    }

    /// Lengths of the stream's chunks.
    package func cutter() -> ChunkCutter {
        ChunkCutter(entryCount: entries.count) { [entries] in entries[$0].unitByteCount }
    }

    /// The digest and sizes of all that was read; to be asked at the end of the stream.
    package func content() -> LayerContent { digester.content() }

    /// The next `count` bytes of the stream, which must have that many left.
    package func read(_ count: Int) throws(SnpackError) -> [UInt8] {
        try fillingArray(count: count) { buffer throws(SnpackError) in try read(into: buffer) }
    }

    /// Fills `buffer` with the next bytes of the stream.
    package func read(into buffer: UnsafeMutableRawBufferPointer) throws(SnpackError) {
        var done = 0
        while done < buffer.count {
            done += try fill(UnsafeMutableRawBufferPointer(rebasing: buffer[done...]))
        }
    }

    /// Writes some bytes of the current stage; returns how many.
    private func fill(_ buffer: UnsafeMutableRawBufferPointer) throws(SnpackError) -> Int {
        switch stage {
        case .headers(let offset):
            let count = min(buffer.count, headers.count - offset)
            headers.withUnsafeBytes {
                buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[offset..<offset + count]))
            }
            if offset + count < headers.count {
                stage = .headers(offset: offset + count)
            } else {
                digester.beginFile(path: entries[index].path)
                stage = .content(try tree.open(tree.files[index]), offset: 0)
            }
            return count
        case .content(let file, let offset):
            let entry = entries[index]
            let count = Int(min(UInt64(buffer.count), entry.byteCount - offset))
            let part = UnsafeMutableRawBufferPointer(rebasing: buffer[..<count])
            try file.read(into: part, at: offset)
            digester.add(UnsafeRawBufferPointer(part))
            if offset + UInt64(count) < entry.byteCount {
                stage = .content(file, offset: offset + UInt64(count))
            } else {
                try file.checkUnchanged()
                digester.endFile()
                stage = .padding(entry.paddingByteCount)
            }
            return count
        case .padding(let left):
            let count = min(buffer.count, left)
            UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]).initializeMemory(as: UInt8.self, repeating: 0)
            if count < left { stage = .padding(left - count) } else { beginNextEntry() }
            return count
        case .end(let left):
            precondition(left > 0, "read past the end of the stream")
            let count = min(buffer.count, left)
            UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]).initializeMemory(as: UInt8.self, repeating: 0)
            stage = .end(left - count)
            return count
        }
    }

    private func beginNextEntry() {
        index += 1
        if index < entries.count {
            headers = entries[index].headers
            stage = .headers(offset: 0)
        } else {
            stage = .end(TarEntry.endByteCount)
        }
    }
}
