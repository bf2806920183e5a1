package import Diagnostics
import DurableFiles
package import Hashing
import Synchronization

/// The canonical tar stream of a layer's files.
package final class FileTarStream: TarStream {
    /// Files held open between reads.
    private static let openFileLimit = 16

    private let files: any LayerFiles
    private let layout: TarLayout
    /// The most recently used last.
    private let openFiles = Mutex<[(index: Int, file: any RandomAccess)]>([])

    /// - Parameter name: what a single file's entry is called: the `path` of the layer that a patch makes.
    /// - Throws: `layer.not-packable` when the files are longer than a layer may be.
    package init(_ files: any LayerFiles, name: String) throws(SnpackError) {
        self.files = files
        do throws(SnpackError) {
            layout = try TarLayout(
                files.listing.map { TarEntry(path: files.isTree ? $0.path : name, byteCount: $0.byteCount) })
        } catch { throw error.at(files.name) }
    }

    /// Lengths of the stream's chunks.
    package func cutter() -> ChunkCutter {
        ChunkCutter(entryCount: layout.entries.count) { [layout] in layout.entries[$0].unitByteCount }
    }

    package var byteCount: UInt64 { layout.byteCount }
    package var name: String { files.name }

    /// - Throws: `file.changed` when a file is not what it was when it was listed.
    package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64) throws(SnpackError) {
        guard offset <= byteCount, UInt64(buffer.count) <= byteCount - offset else {
            throw SnpackError(.fileChanged, "it ends before offset \(offset) + \(buffer.count)", path: name)
        }
        var rest = buffer
        var offset = offset
        while !rest.isEmpty {
            let index = layout.index(of: offset)
            let count =
                if index == layout.entries.count { zeros(rest, atMost: UInt64(rest.count)) } else {
                    try readUnit(index, into: rest, at: offset - layout.offsets[index])
                }
            rest = UnsafeMutableRawBufferPointer(rebasing: rest[count...])
            offset += UInt64(count)
        }
    }

    /// Writes some bytes of an entry's unit; returns how many.
    private func readUnit(
        _ index: Int, into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64
    ) throws(SnpackError) -> Int {
        let entry = layout.entries[index]
        let unit = layout.offsets[index + 1] - layout.offsets[index]
        let contentEnd = unit - UInt64(entry.paddingByteCount)
        let contentStart = contentEnd - entry.byteCount
        if offset < contentStart {
            let count = Int(min(UInt64(buffer.count), contentStart - offset))
            let start = Int(offset)
            entry.headers.withUnsafeBytes {
                buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[start..<start + count]))
            }
            return count
        }
        guard offset < contentEnd else { return zeros(buffer, atMost: unit - offset) }
        let count = Int(min(UInt64(buffer.count), contentEnd - offset))
        try file(index).read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]), at: offset - contentStart)
        return count
    }

    private func zeros(_ buffer: UnsafeMutableRawBufferPointer, atMost limit: UInt64) -> Int {
        let count = Int(min(UInt64(buffer.count), limit))
        UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]).initializeMemory(as: UInt8.self, repeating: 0)
        return count
    }

    private func file(_ index: Int) throws(SnpackError) -> any RandomAccess {
        let held = openFiles.withLock { files -> (any RandomAccess)? in
            guard let place = files.lastIndex(where: { $0.index == index }) else { return nil }
            let found = files.remove(at: place)
            files.append(found)
            return found.file
        }
        if let held { return held }
        let opened = try files.open(at: index)
        openFiles.withLock { files in
            if files.count == Self.openFileLimit { files.removeFirst() }
            files.append((index, opened))
        }
        return opened
    }

    // MARK: - All of it

    package func provenContent(context: WorkContext) throws(SnpackError) -> Blake3Digest {
        // What a single file is called does not enter its digest.
        try digest(of: files, name: name, context: context).blake3
    }

    package func read(into sink: any LayerSink, context: WorkContext) throws(SnpackError) {
        for (index, entry) in layout.entries.enumerated() {
            let file = try files.open(at: index)
            try sink.beginFile(path: entry.path, byteCount: entry.byteCount)
            try file.readPieces(before: entry.byteCount, cancel: context.cancel) { piece, _ throws(SnpackError) in
                try sink.write(UnsafeRawBufferPointer(piece))
            }
            try files.checkUnchanged(at: index)
            try sink.endFile()
        }
        try sink.finish()
    }
}
