package import Blobs
import Compression
import Diagnostics
package import DurableFiles
import Glibc
import Hashing
import MapLayers
import TerritoryModel

// The questions that a build has about its layers.
extension BuildCache {
    // MARK: What is in these files?

    /// The content that the files had when they were last read, if all of them are still the same: path, device, inode,
    /// size, and both times to the nanosecond.
    package func content(of tree: FileTree) -> LayerContent? {
        guard let answer = answer(to: walk(tree)), let hex = answer["blake3"]?.stringValue,
            let blake3 = try? Blake3Digest(parsing: hex)
        else { return nil }
        return LayerContent(blake3: blake3, fileCount: UInt64(tree.files.count), byteCount: tree.byteCount)
    }

    /// - Parameter moment: just before the tree was listed, in nanoseconds since 1970. A file that was written less than
    ///   two seconds before could be written once more without a new time: such a tree is not remembered.
    package func remember(_ content: LayerContent, of tree: FileTree, listedAt moment: Int64) {
        remember(["seen": .bool(true)], to: size(of: tree))
        let youngest = tree.files.reduce(Int64.min) { max($0, $1.identity.modified, $1.identity.changed) }
        guard moment.subtractingReportingOverflow(youngest).partialValue >= Self.racyNanoseconds, youngest <= moment
        else { return }
        remember(["blake3": .string(content.blake3.hex)], to: walk(tree))
    }

    /// True if a layer of this many files and bytes was packed before: one to be known by its content, should its files
    /// have been written anew.
    package func hasSeen(theSizeOf tree: FileTree) -> Bool { answer(to: size(of: tree)) != nil }

    private static var racyNanoseconds: Int64 { 2_000_000_000 }

    static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }

    private func size(of tree: FileTree) -> Blake3Digest {
        question("size", .bool(tree.isTree), .integer(tree.files.count), .integer(tree.byteCount))
    }

    private func walk(_ tree: FileTree) -> Blake3Digest {
        var hasher = Blake3Hasher()
        for file in tree.files {
            // The path ends where the NUL is; what follows has a fixed length.
            var bytes = tree.isTree ? Array(file.path.utf8) : []
            bytes.append(0)
            let identity = file.identity
            for number in [
                identity.device, identity.inode, identity.byteCount, UInt64(bitPattern: identity.modified),
                UInt64(bitPattern: identity.changed),
            ] { withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) } }
            hasher.update(bytes)
        }
        return question("walk", .bool(tree.isTree), .string(hasher.finalize().hex))
    }

    // MARK: What do the checks say of this content?

    /// - Parameter root: where the layer lies, which warnings name.
    func facts(of kind: LayerKind, _ content: LayerContent, at root: String) -> LayerFacts? {
        answer(to: check(kind, content, root)).flatMap(LayerFacts.init(remembered:))
    }

    func remember(_ facts: LayerFacts, of kind: LayerKind, _ content: LayerContent, at root: String) {
        guard let answer = facts.remembered else { return }
        remember(answer, to: check(kind, content, root))
    }

    private func check(_ kind: LayerKind, _ content: LayerContent, _ root: String) -> Blake3Digest {
        question("check", .string(kind.rawValue), .string(content.blake3.hex), .string(root))
    }

    // MARK: Where is a blob of this content?

    func blob(of content: LayerContent, _ form: BlobForm) -> RememberedBlob? {
        answer(to: pack(content, form)).flatMap { RememberedBlob($0, of: content, path: form.path) }
    }

    func remember(_ blob: RememberedBlob, of content: LayerContent, _ form: BlobForm) {
        remember(blob.answer, to: pack(content, form))
    }

    private func pack(_ content: LayerContent, _ form: BlobForm) -> Blake3Digest {
        question(
            "blob", .string(content.blake3.hex), .bool(form.isTree), .string(form.path.rawValue),
            .integer(form.level), .integer(ZstdCompressor.libraryVersion))
    }
}

/// What a blob's bytes depend on, besides the content.
struct BlobForm: Hashable {
    let path: LayerPath
    let isTree: Bool
    let level: Int
}

extension JSONValue {
    fileprivate static func integer(_ value: some BinaryInteger) -> JSONValue {
        .number(JSONNumber(UInt64(clamping: value)))
    }
}
