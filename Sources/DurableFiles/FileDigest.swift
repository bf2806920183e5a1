package import Diagnostics
package import Hashing

extension Blake3Digest {
    /// BLAKE3 of all of `file`, read in pieces of 1 MiB.
    package static func of(
        _ file: any RandomAccess, cancel: CancelToken = CancelToken()
    ) throws(SnpackError) -> Blake3Digest {
        var hasher = Blake3Hasher()
        let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 4_096)
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
