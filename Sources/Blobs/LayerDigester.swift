package import Hashing

/// What a layer's files amount to, however they were read.
package struct LayerContent: Hashable, Sendable {
    /// The content address: a single file's BLAKE3, or that of a tree's listing.
    package let blake3: Blake3Digest
    package let fileCount: UInt64
    /// Sum of the files' sizes.
    package let byteCount: UInt64

    package init(blake3: Blake3Digest, fileCount: UInt64, byteCount: UInt64) {
        self.blake3 = blake3
        self.fileCount = fileCount
        self.byteCount = byteCount
    }
}

/// Digests a layer's files, given in ascending order of their paths.
///
/// A tree's address is the BLAKE3 of what `b3sum` prints for its files: `<64 hex>  <path>\n` each.
package struct LayerDigester: ~Copyable {
    private let isTree: Bool
    private var listing = Blake3Hasher()
    private var file = Blake3Hasher()
    private var path = ""
    private var lastFile: Blake3Digest?
    private var fileCount: UInt64 = 0
    private var byteCount: UInt64 = 0

    package init(isTree: Bool) { self.isTree = isTree }

    package mutating func beginFile(path: String) {
        self.path = path
        file = Blake3Hasher()
    }

    package mutating func add(_ bytes: UnsafeRawBufferPointer) {
        file.update(bytes)
        byteCount &+= UInt64(bytes.count)
    }

    package mutating func endFile() { endFile(with: file.finalize()) }

    /// Takes a whole file that was digested elsewhere.
    package mutating func add(_ digest: Blake3Digest, path: String, byteCount: UInt64) {
        self.path = path
        self.byteCount &+= byteCount
        endFile(with: digest)
    }

    private mutating func endFile(with digest: Blake3Digest) {
        lastFile = digest
        fileCount += 1
        if isTree { listing.update(Self.line(digest, path: path)) }
    }

    /// One file's line of a tree's listing.
    package static func line(_ digest: Blake3Digest, path: String) -> [UInt8] {
        Array("\(digest.hex)  \(path)\n".utf8)
    }

    /// The digest so far. A layer that is one file has had exactly one.
    package func content() -> LayerContent {
        let blake3 = if isTree { listing.finalize() } else { lastFile ?? file.finalize() }
        return LayerContent(blake3: blake3, fileCount: fileCount, byteCount: byteCount)
    }
}
