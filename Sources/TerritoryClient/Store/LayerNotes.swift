import Blobs
import Diagnostics
import DurableFiles
import Hashing
import TerritoryModel

/// What the store keeps of an installed layer beside the package: the listing, whose BLAKE3 is the signed one, the
/// files' sizes, and the chunk table. With them `verify` names the damaged file, and `repair` finds the damaged chunk.
struct LayerNotes: Sendable {
    struct File: Hashable, Sendable {
        let path: String
        let byteCount: UInt64
        let blake3: Blake3Digest
    }

    /// The files in ascending order of their paths' bytes.
    let files: [File]
    /// The chunk table as it came; nil for a layer that came out of a directory.
    var table: [UInt8]?

    /// The content address that the files come to.
    func blake3(isTree: Bool) -> Blake3Digest? {
        guard isTree else { return files.count == 1 ? files[0].blake3 : nil }
        var listing = Blake3Hasher()
        for file in files { listing.update(LayerDigester.line(file.blake3, path: file.path)) }
        return listing.finalize()
    }

    // MARK: - On disk

    func write(for kind: LayerKind, in directory: Directory) throws(SnpackError) {
        var listing: [UInt8] = []
        var sizes = ""
        for file in files {
            listing += LayerDigester.line(file.blake3, path: file.path)
            sizes += "\(file.byteCount)\n"
        }
        try directory.write(listing, to: "\(kind).b3", mode: 0o444)
        try directory.write(Array(sizes.utf8), to: "\(kind).sizes", mode: 0o444)
        if let table { try directory.write(table, to: "\(kind).table", mode: 0o444) }
    }

    /// Reads the notes of a layer; nil when they are damaged, missing, or not of the signed content.
    init?(of layer: Manifest.Layer, in directory: Directory) {
        let limit = Int(clamping: layer.fileCount) * (Limits.pathBytes + 68)
        guard let listing = try? directory.contents(of: "\(layer.kind).b3", limit: limit),
            let sizes = try? directory.contents(of: "\(layer.kind).sizes", limit: limit)
        else { return nil }
        let lines = listing.split(separator: 0x0A)
        let numbers = sizes.split(separator: 0x0A).map { UInt64(String(decoding: $0, as: UTF8.self)) }
        guard lines.count == numbers.count, UInt64(lines.count) == layer.fileCount else { return nil }
        var files: [File] = []
        files.reserveCapacity(lines.count)
        var total: UInt64 = 0
        for (line, number) in zip(lines, numbers) {
            guard line.count > 66, let number, number <= layer.byteCount - total,
                let digest = try? Blake3Digest(parsing: String(decoding: line.prefix(64), as: UTF8.self)),
                let path = String(validating: line.dropFirst(66), as: UTF8.self),
                LayerDigester.line(digest, path: path).dropLast().elementsEqual(line)
            else { return nil }
            files.append(File(path: path, byteCount: number, blake3: digest))
            total += number
        }
        self.files = files
        guard total == layer.byteCount, blake3(isTree: layer.isTree) == layer.blake3 else { return nil }
        let table = Int(exactly: layer.blob.tableByteCount).flatMap {
            try? directory.contents(of: "\(layer.kind).table", limit: $0)
        }
        if let table, Blake3Digest.of(table) == layer.blob.tableBlake3 { self.table = table }
    }

    init(files: [File], table: [UInt8]?) {
        self.files = files
        self.table = table
    }
}
