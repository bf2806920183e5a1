import Blobs
import Diagnostics
import DurableFiles
import TerritoryModel

/// The canonical tar stream of a layer as it should be, made from files of which some are damaged: what is missing is
/// zeros, so that the chunks it lies in, and no others, fail their proof.
struct DamagedStream {
    private let root: String
    private let isTree: Bool
    private let files: [LayerNotes.File]
    private var index = 0
    private var position: UInt64 = 0
    private var entry: TarEntry
    private var headers: [UInt8] = []
    private var file: OpenFile?

    /// - Parameter files: as signed, in ascending order.
    init(_ files: [LayerNotes.File], root: String, isTree: Bool) {
        self.files = files
        self.root = root
        self.isTree = isTree
        entry = TarEntry(path: "", byteCount: 0)
        begin()
    }

    private mutating func begin() {
        position = 0
        file = nil
        guard index < files.count else { return }
        entry = TarEntry(path: files[index].path, byteCount: files[index].byteCount)
        headers = entry.headers
        file = try? OpenFile(reading: isTree ? "\(root)/\(entry.path)" : root)
    }

    /// The next `count` bytes; zeros past the last file.
    mutating func read(_ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        while bytes.count < count, index < files.count {
            let left = UInt64(count - bytes.count)
            let contentEnd = UInt64(headers.count) + entry.byteCount
            if position < UInt64(headers.count) {
                let part = headers[Int(position)...].prefix(Int(left))
                bytes += part
                position += UInt64(part.count)
            } else if position < contentEnd {
                let part = Int(min(left, contentEnd - position, 1 << 20))
                bytes += content(at: position - UInt64(headers.count), count: part)
                position += UInt64(part)
            } else {
                let part = min(left, entry.unitByteCount - position)
                bytes += [UInt8](repeating: 0, count: Int(part))
                position += part
                if position == entry.unitByteCount {
                    index += 1
                    begin()
                }
            }
        }
        bytes += [UInt8](repeating: 0, count: count - bytes.count)
        return bytes
    }

    /// Bytes of the current file, as far as it has them.
    private func content(at offset: UInt64, count: Int) -> [UInt8] {
        guard let file, offset < file.byteCount else { return [UInt8](repeating: 0, count: count) }
        let present = Int(min(UInt64(count), file.byteCount - offset))
        let bytes = (try? file.bytes(at: offset, count: present)) ?? [UInt8](repeating: 0, count: present)
        return bytes + [UInt8](repeating: 0, count: count - present)
    }
}
