package import Diagnostics

/// Takes the files out of a canonical tar stream that arrives in pieces of any size, and refuses any other tar.
///
/// Every header is compared with the one that ``TarEntry`` writes; paths must ascend strictly; padding and the two end
/// blocks must be zero and nothing may follow. What is in the files goes to the sink as it arrives.
package struct CanonicalTarReader<Sink: LayerSink> {
    private enum Stage {
        case headers
        case content(left: UInt64, padding: Int)
        case padding(left: Int)
        case end
        case finished
    }

    /// pax records of a 512-byte path and a 20-digit size fit one and a half blocks.
    private static var longestRecords: Int { 1_024 }

    private let sink: Sink
    private var stage = Stage.headers
    private var pending: [UInt8] = []
    private var lastPath: String?

    package init(sink: Sink) { self.sink = sink }

    private func invalid(_ reason: String) -> SnpackError {
        let place = lastPath.map { "after \(quoted($0)): " } ?? ""
        return SnpackError(.tarNotCanonical, "tar stream: \(place)\(reason)")
    }

    /// Takes the next bytes of the stream.
    package mutating func read(_ bytes: UnsafeRawBufferPointer) throws(SnpackError) {
        var rest = bytes
        while !rest.isEmpty {
            let count: Int
            switch stage {
            case .headers: count = try readHeaders(rest)
            case .content(let left, let padding): count = try readContent(rest, left: left, padding: padding)
            case .padding(let left): count = try readPadding(rest, left: left)
            case .end:
                count = min(rest.count, TarEntry.blockByteCount - pending.count)
                guard rest[..<count].allSatisfy({ $0 == 0 }) else { throw invalid("one zero block, then other bytes") }
                pending.append(contentsOf: rest[..<count])
                if pending.count == TarEntry.blockByteCount { stage = .finished }
            case .finished: throw invalid("bytes follow its end")
            }
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        }
    }

    /// Must be called after the last byte: throws unless the stream ended where a tar stream ends.
    package mutating func finish() throws(SnpackError) {
        guard case .finished = stage else { throw invalid("it ends early") }
        try sink.finish()
    }

    private mutating func readHeaders(_ bytes: UnsafeRawBufferPointer) throws(SnpackError) -> Int {
        let wanted = try headersByteCount() - pending.count
        let count = min(wanted, bytes.count)
        pending.append(contentsOf: bytes[..<count])
        // The first block may tell that more belong to the headers.
        guard count == wanted, try headersByteCount() == pending.count else { return count }
        if pending.count == TarEntry.blockByteCount, pending.allSatisfy({ $0 == 0 }) {
            pending.removeAll(keepingCapacity: true)
            stage = .end
            return count
        }
        let entry = try entry()
        guard entry.headers == pending else { throw invalid("the header of \(quoted(entry.path)) is not canonical") }
        if let lastPath, !lastPath.utf8.lexicographicallyPrecedes(entry.path.utf8) {
            throw invalid("\(quoted(entry.path)) is not in ascending order")
        }
        lastPath = entry.path
        pending.removeAll(keepingCapacity: true)
        try sink.beginFile(path: entry.path, byteCount: entry.byteCount)
        stage = .content(left: entry.byteCount, padding: entry.paddingByteCount)
        if entry.byteCount == 0 { try endContent(padding: 0) }
        return count
    }

    /// Bytes of the headers whose start is in `pending`: one block, or with a pax header its records' blocks and one more.
    private func headersByteCount() throws(SnpackError) -> Int {
        let block = TarEntry.blockByteCount
        guard pending.count >= block, pending[156] == UInt8(ascii: "x") else { return block }
        guard let records = octal(at: 124), (1...UInt64(Self.longestRecords)).contains(records) else {
            throw invalid("a pax header of an unexpected size")
        }
        return 2 * block + (Int(records) + block - 1) / block * block
    }

    private func octal(at offset: Int) -> UInt64? {
        var value: UInt64 = 0
        for byte in pending[offset..<offset + 11] {
            guard (0x30...0x37).contains(byte) else { return nil }
            value = value << 3 | UInt64(byte - 0x30)
        }
        return value
    }

    /// The path and size that `pending` speaks of; comparing the headers proves that nothing else is in them.
    private func entry() throws(SnpackError) -> TarEntry {
        let block = TarEntry.blockByteCount
        var path = Array(pending[(pending.count - block)...].prefix { $0 != 0 }.prefix(100))
        if pending.count > block {
            for record in pending[block..<pending.count - block].split(separator: 0x0A) {
                guard let space = record.firstIndex(of: 0x20), let equals = record.firstIndex(of: 0x3D), space < equals
                else { continue }
                let value = Array(record[(equals + 1)...])
                switch String(decoding: record[(space + 1)..<equals], as: UTF8.self) {
                case "path": path = value
                case "size":
                    guard let text = String(validating: value, as: UTF8.self), let size = UInt64(text) else {
                        throw invalid("a pax size that is no number")
                    }
                    return TarEntry(path: try decoded(path), byteCount: size)
                default: throw invalid("an unexpected pax record")
                }
            }
        }
        let sizeAt = pending.count - block + 124
        guard let size = octal(at: sizeAt) else { throw invalid("a size field that is no octal number") }
        return TarEntry(path: try decoded(path), byteCount: size)
    }

    private func decoded(_ path: [UInt8]) throws(SnpackError) -> String {
        guard let text = String(validating: path, as: UTF8.self) else { throw invalid("a path that is not UTF-8") }
        return text
    }

    private mutating func readContent(
        _ bytes: UnsafeRawBufferPointer, left: UInt64, padding: Int
    ) throws(SnpackError) -> Int {
        let count = Int(min(UInt64(bytes.count), left))
        try sink.write(UnsafeRawBufferPointer(rebasing: bytes[..<count]))
        stage = .content(left: left - UInt64(count), padding: padding)
        if left == UInt64(count) { try endContent(padding: padding) }
        return count
    }

    private mutating func endContent(padding: Int) throws(SnpackError) {
        try sink.endFile()
        stage = padding > 0 ? .padding(left: padding) : .headers
    }

    private mutating func readPadding(_ bytes: UnsafeRawBufferPointer, left: Int) throws(SnpackError) -> Int {
        let count = min(bytes.count, left)
        guard bytes[..<count].allSatisfy({ $0 == 0 }) else { throw invalid("padding that is not zero") }
        stage = count < left ? .padding(left: left - count) : .headers
        return count
    }
}
