package import Diagnostics
package import Hashing

extension Blake3Digest {
    /// BLAKE3 of all of `file`.
    package static func of(
        _ file: any RandomAccess, cancel: CancelToken = CancelToken()
    ) throws(SnpackError) -> Blake3Digest {
        var hasher = Blake3Hasher()
        try file.readPieces(cancel: cancel) { piece, _ in hasher.update(UnsafeRawBufferPointer(piece)) }
        return hasher.finalize()
    }
}
