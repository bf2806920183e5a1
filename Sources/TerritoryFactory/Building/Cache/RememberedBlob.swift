import Blobs
import Diagnostics
import DurableFiles
import Hashing
import TerritoryModel

/// A blob that an earlier build made: its facts, and where it lay.
struct RememberedBlob {
    let blob: Manifest.Blob
    private let directory: String
    private let identity: String

    /// Looks at the blob in the finished release that holds it.
    init(_ blob: Manifest.Blob, in directory: Directory) throws(SnpackError) {
        guard let path = RealPath.of(directory.path) else {
            throw SnpackError(.fileNotFound, "there is no such directory", path: directory.path)
        }
        self.blob = blob
        self.directory = path
        identity = try Self.identity(of: blob.file, in: directory)
    }

    /// What tells that it is still the same file. Not the time of its last change, which every new link of it sets.
    private static func identity(of name: String, in directory: Directory) throws(SnpackError) -> String {
        guard let file = try directory.identity(of: name), file.kind == .file else {
            throw SnpackError(.fileNotFound, "the blob is gone", path: directory.path(of: name))
        }
        return "\(file.device) \(file.inode) \(file.byteCount) \(file.modified)"
    }

    /// Puts the blob into `target`, by a link where the file systems can.
    /// - Throws: if it is not there any more, or not what it was.
    func place(in target: Directory) throws(SnpackError) {
        let source = try Directory.open(directory)
        guard try Self.identity(of: blob.file, in: source) == identity else {
            throw SnpackError(.fileChanged, "the blob changed", path: source.path(of: blob.file))
        }
        try source.placeFile(blob.file, in: target)
    }
}

extension RememberedBlob {
    init?(_ answer: JSONObject, of content: LayerContent, path: LayerPath) {
        func integer(_ key: String) -> UInt64? { answer[key]?.numberValue?.unsignedInteger }
        func digest(_ key: String) -> Blake3Digest? {
            answer[key]?.stringValue.flatMap { try? Blake3Digest(parsing: $0) }
        }
        guard let byteCount = integer("bytes"), let blake3 = digest("blake3"), let tar = integer("tar_bytes"),
            let table = integer("table_bytes"), let tableBlake3 = digest("table_blake3"),
            let directory = answer["directory"]?.stringValue, let identity = answer["identity"]?.stringValue,
            let blob = try? Manifest.Blob(
                of: path, fileCount: content.fileCount, layerByteCount: content.byteCount, byteCount: byteCount,
                blake3: blake3, tarByteCount: tar, tableByteCount: table, tableBlake3: tableBlake3)
        else { return nil }
        self.blob = blob
        self.directory = directory
        self.identity = identity
    }

    var answer: JSONObject {
        [
            "bytes": .number(JSONNumber(blob.byteCount)), "blake3": .string(blob.blake3.hex),
            "tar_bytes": .number(JSONNumber(blob.tarByteCount)),
            "table_bytes": .number(JSONNumber(blob.tableByteCount)), "table_blake3": .string(blob.tableBlake3.hex),
            "directory": .string(directory), "identity": .string(identity),
        ]
    }
}

extension Directory {
    /// Puts a file of this directory into `target` under its name, by a link where the file systems can.
    func placeFile(_ name: String, in target: Directory) throws(SnpackError) {
        guard try !link(name, to: name, in: target) else { return }
        let copy = try StagedFile(in: target)
        _ = try copy.write(copyOf: try file(name))
        try copy.commit(as: name, replacing: true)
    }
}
