package import Diagnostics
package import Hashing

extension Blake3Digest {
    /// BLAKE3 of all of `file`.
    package static func of(
        _ file: any RandomAccess, cancel: CancelToken = CancelToken()
    ) throws(SnpackError) -> Blake3Digest {
        var hasher = Blake3Hasher()
        // Small enough for the heap and the processor's cache: the kernel clears a mapping of its own for a larger one,
        // which took as long as the digest does.
        let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 4_096)
        defer { piece.deallocate() }
        var offset: UInt64 = 0
        while offset < file.byteCount {
            try cancel.check()
            let count = Int(min(UInt64(piece.count), file.byteCount - offset))
            let part = UnsafeMutableRawBufferPointer(rebasing: piece[..<count])
            try file.read(into: part, at: offset)
            hasher.update(UnsafeRawBufferPointer(part))
            offset += UInt64(count)
        }
        return hasher.finalize()
    }
}
