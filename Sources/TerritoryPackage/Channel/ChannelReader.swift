package import Diagnostics
package import DurableFiles
import Signing
package import TerritoryModel

/// A channel's files by their relative paths, from a directory or a server. Nothing read here is proven.
package protocol ChannelReader: Sendable {
    /// The directory or URL, for messages.
    var shownPath: String { get }
    /// A small file; nil if it isn't there.
    /// - Throws: `document.too-large` before more than `limit` bytes are read.
    func document(_ path: String, limit: Int) throws(SnpackError) -> [UInt8]?
    /// A large file.
    /// - Throws: `package.file-missing` if it isn't there.
    func blob(_ path: String) throws(SnpackError) -> any RandomAccess
    /// Tells files apart that are one on disk (hard links); nil where that can't be told.
    func identity(of path: String) -> FileIdentity?
}

/// Names at the top of a channel.
package enum ChannelFile {
    package static let signed = "index.signed"
    package static let index = "index.json"
    package static let signature = "index.json.sig"
    package static let territories = "territories"
    /// The publisher's own: lock and staging.
    package static let work = ".snpack"
    /// What a publisher holds while it works here.
    package static let lock = work + "/lock"
}

extension ChannelReader {
    /// `index.signed`, or the pair where that isn't there; nil if neither is.
    package func signedIndex() throws(SnpackError) -> SignedIndexFile? {
        if let bytes = try document(ChannelFile.signed, limit: SignedIndexFile.limit) {
            do throws(SnpackError) { return try SignedIndexFile(decoding: bytes) } catch {
                throw error.at(path(of: ChannelFile.signed))
            }
        }
        return try pair()
    }

    /// `index.json` and `index.json.sig`; nil unless both are there.
    package func pair() throws(SnpackError) -> SignedIndexFile? {
        guard let index = try document(ChannelFile.index, limit: Limits.indexBytes),
            let signature = try document(ChannelFile.signature, limit: SignatureText.maxByteCount)
        else { return nil }
        return SignedIndexFile(index: index, signature: signature)
    }

    package func path(of relativePath: String) -> String { "\(shownPath)/\(relativePath)" }
}

/// A channel in a directory.
package struct ChannelDirectory: ChannelReader {
    package let root: Directory

    package init(_ root: Directory) { self.root = root }

    package var shownPath: String { root.path }

    package func document(_ path: String, limit: Int) throws(SnpackError) -> [UInt8]? {
        let file: OpenFile
        do { file = try root.file(at: path) } catch  where error.code == .fileNotFound { return nil }
        guard file.byteCount <= UInt64(limit) else {
            throw SnpackError(
                .documentTooLarge, "\(file.byteCount) bytes; it may have at most \(limit)", path: file.name)
        }
        return try file.allBytes(limit: limit)
    }

    package func blob(_ path: String) throws(SnpackError) -> any RandomAccess {
        do { return try root.file(at: path) } catch  where error.code == .fileNotFound {
            throw SnpackError(.fileMissing, "it is not there", path: root.path(of: path))
        }
    }

    package func identity(of path: String) -> FileIdentity? { try? root.file(at: path).identity }

    /// True where `directory` looks like a channel.
    package static func isOne(_ directory: Directory) throws(SnpackError) -> Bool {
        for name in [ChannelFile.signed, ChannelFile.index, ChannelFile.signature] where try directory.contains(name) {
            return true
        }
        return try directory.contains(ChannelFile.territories)
    }
}

/// A version's files within a channel, as a package.
package struct ChannelRelease: PackedPackage {
    private let channel: any ChannelReader
    private let base: String
    package let manifestBytes: [UInt8]
    package let signatureBytes: [UInt8]

    /// - Parameter manifestPath: as the index gives it.
    package init(_ manifestPath: String, in channel: any ChannelReader) throws(SnpackError) {
        self.channel = channel
        base = String(manifestPath.dropLast(PackageFile.manifest.count))
        manifestBytes = try Self.document(manifestPath, limit: Limits.manifestBytes, channel)
        signatureBytes = try Self.document(manifestPath + ".sig", limit: SignatureText.maxByteCount, channel)
    }

    private static func document(
        _ path: String, limit: Int, _ channel: any ChannelReader
    ) throws(SnpackError) -> [UInt8] {
        guard let bytes = try channel.document(path, limit: limit) else {
            throw SnpackError(.fileMissing, "the index lists it, and it is not there", path: channel.path(of: path))
        }
        return bytes
    }

    package var shownPath: String { channel.path(of: base + PackageFile.manifest) }

    package func checkForm(for manifest: Manifest) {}

    /// Where a layer's blob lies in the channel.
    package func path(of layer: Manifest.Layer) -> String { "\(base)\(layer.blobPath)" }

    package func blob(_ index: Int, of manifest: Manifest) throws(SnpackError) -> any RandomAccess {
        try channel.blob(path(of: manifest.layers[index]))
    }

    package func patch(_ patch: Manifest.Patch, of layer: Manifest.Layer) throws(SnpackError) -> (any RandomAccess)? {
        try channel.blob("\(base)\(layer.path(of: patch))")
    }
}
