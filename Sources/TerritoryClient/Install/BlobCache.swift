import Blobs
import Diagnostics
import DurableFiles
import Glibc
import Hashing
import TerritoryModel

/// What was fetched and not installed yet: blobs, whole or begun, by their signed BLAKE3.
///
/// Nothing in here is trusted: every byte is proven again before it is used. What cannot be proven is dropped.
struct BlobCache: Sendable {
    private static let partSuffix = ".part"
    private static let tableSuffix = ".table"

    let directory: Directory

    init(in root: Directory) throws(SnpackError) {
        directory = try root.directory(StoreName.cache, creating: 0o700)
        try directory.removeLeftovers()
    }

    /// The file for a blob or patch of this BLAKE3, locked.
    func part(of blake3: Blake3Digest) throws(SnpackError) -> GrowingFile {
        let name = blake3.hex + Self.partSuffix
        // A link or directory of that name is nothing that this cache made.
        if let identity = try directory.identity(of: name), identity.kind != .file { try directory.removeTree(name) }
        return try GrowingFile(name, in: directory)
    }

    /// The chunk table's bytes from an earlier run, if they are the signed ones.
    func table(of blob: Manifest.Blob) -> [UInt8]? {
        guard let limit = Int(exactly: blob.tableByteCount),
            let bytes = try? directory.contents(of: blob.blake3.hex + Self.tableSuffix, limit: limit),
            Blake3Digest.of(bytes) == blob.tableBlake3
        else { return nil }
        return bytes
    }

    func keep(_ table: [UInt8], of blob: Manifest.Blob) throws(SnpackError) {
        try directory.write(table, to: blob.blake3.hex + Self.tableSuffix)
    }

    /// Bytes that need not be fetched again, as far as sizes tell.
    func heldByteCount(of blake3: Blake3Digest, byteCount: UInt64) -> UInt64 {
        min(byteCount, (try? directory.identity(of: blake3.hex + Self.partSuffix))?.byteCount ?? 0)
    }

    func drop(_ blake3: Blake3Digest) throws(SnpackError) {
        for suffix in [Self.partSuffix, Self.tableSuffix] { try directory.remove(blake3.hex + suffix) }
    }

    /// Forgets what was fetched for a version that is installed: its run was killed before it came to this.
    static func drop(_ manifest: Manifest, in root: Directory) {
        guard (try? root.contains(StoreName.cache)) == true, let cache = try? BlobCache(in: root) else { return }
        for layer in manifest.layers {
            for blake3 in [layer.blob.blake3] + layer.patches.map(\.blake3) { try? cache.drop(blake3) }
        }
    }

    var byteCount: UInt64 {
        get throws(SnpackError) {
            var total: UInt64 = 0
            for name in try directory.names() { total &+= try directory.identity(of: name)?.byteCount ?? 0 }
            return total
        }
    }

    func clear() throws(SnpackError) {
        for name in try directory.names() { try directory.removeTree(name) }
        try directory.sync()
    }
}
