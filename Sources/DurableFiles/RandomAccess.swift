package import Diagnostics

/// Bytes of a known length that can be read anywhere: a file, or a stretch of memory.
package protocol RandomAccess: Sendable {
    var byteCount: UInt64 { get }
    /// What to call it in messages.
    var name: String { get }
    /// Fills all of `buffer` from `offset`, or throws ``ErrorCode/fileChanged`` when the bytes end before.
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64) throws(SnpackError)
}

extension RandomAccess {
    /// `count` bytes from `offset`. Checked against ``byteCount``, and against 1 GiB, before memory is taken: a file with
    /// holes is as long as it likes.
    package func bytes(at offset: UInt64, count: Int) throws(SnpackError) -> [UInt8] {
        let (end, overflow) = offset.addingReportingOverflow(UInt64(clamping: count))
        guard count >= 0, !overflow, end <= byteCount else {
            throw SnpackError(
                .fileChanged, "\(count) bytes at offset \(offset) lie outside its \(byteCount) bytes", path: name)
        }
        guard count <= 1 << 30 else {
            throw SnpackError(.fileTooLarge, "\(count) bytes; at most \(1 << 30) are read at once", path: name)
        }
        return try fillingArray(count: count) { buffer throws(SnpackError) in
            try read(into: buffer, at: offset)
        }
    }

    /// Reads all bytes, or those before `end`, in pieces of at most 64 KiB that are gone once `take` returns.
    package func readPieces(
        before end: UInt64? = nil, cancel: CancelToken,
        _ take: (_ piece: UnsafeMutableRawBufferPointer, _ offset: UInt64) throws(SnpackError) -> Void
    ) throws(SnpackError) {
        let end = end ?? byteCount
        // Small enough for the heap and the processor's cache: the kernel clears a mapping of its own for a larger one,
        // which takes as long as a digest does.
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 4_096)
        defer { buffer.deallocate() }
        var offset: UInt64 = 0
        while offset < end {
            try cancel.check()
            let count = Int(min(UInt64(buffer.count), end - offset))
            let piece = UnsafeMutableRawBufferPointer(rebasing: buffer[..<count])
            try read(into: piece, at: offset)
            try take(piece, offset)
            offset += UInt64(count)
        }
    }

    /// All bytes, if they are at most `limit`.
    package func allBytes(limit: Int) throws(SnpackError) -> [UInt8] {
        guard let count = Int(exactly: byteCount), count <= limit else {
            throw SnpackError(.fileTooLarge, "\(byteCount) bytes; at most \(limit) are read here", path: name)
        }
        return try bytes(at: 0, count: count)
    }
}

/// Makes an array of `count` bytes that `fill` writes whole.
package func fillingArray(
    count: Int, _ fill: (UnsafeMutableRawBufferPointer) throws(SnpackError) -> Void
) throws(SnpackError) -> [UInt8] {
    var failure: SnpackError?
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
        do throws(SnpackError) {
            try fill(UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[0..<count]))
            initialized = count
        } catch { failure = error }
    }
    if let failure { throw failure }
    return bytes
}

/// Bytes in memory, read like a file.
package struct MemoryFile: RandomAccess {
    package let name: String
    private let contents: [UInt8]

    package init(_ contents: [UInt8], name: String = "memory") {
        self.contents = contents
        self.name = name
    }

    package var byteCount: UInt64 { UInt64(contents.count) }

    package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64) throws(SnpackError) {
        guard let start = Int(exactly: offset), start <= contents.count, buffer.count <= contents.count - start else {
            throw SnpackError(.fileChanged, "it ends before offset \(offset) + \(buffer.count)", path: name)
        }
        contents.withUnsafeBytes {
            buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[start..<start + buffer.count]))
        }
    }
}

/// A stretch of a file, read like a file of its own.
package struct FileSlice: RandomAccess {
    private let file: any RandomAccess
    private let offset: UInt64
    package let byteCount: UInt64
    package let name: String

    /// - Parameter name: what the stretch holds; messages say it beside the file's own name.
    /// - Throws: `file.changed` when the stretch does not lie in `file`.
    package init(of file: any RandomAccess, offset: UInt64, byteCount: UInt64, name: String) throws(SnpackError) {
        self.name = "\(file.name): \(name)"
        guard offset <= file.byteCount, byteCount <= file.byteCount - offset else {
            throw SnpackError(.fileChanged, "it ends early", path: self.name)
        }
        self.file = file
        self.offset = offset
        self.byteCount = byteCount
    }

    package func read(into buffer: UnsafeMutableRawBufferPointer, at position: UInt64) throws(SnpackError) {
        guard position <= byteCount, UInt64(buffer.count) <= byteCount - position else {
            throw SnpackError(.fileChanged, "it ends before offset \(position) + \(buffer.count)", path: name)
        }
        try file.read(into: buffer, at: offset + position)
    }
}
