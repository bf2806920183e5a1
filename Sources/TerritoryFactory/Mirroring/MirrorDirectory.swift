import Blobs
import Diagnostics
import DurableFiles
import Hashing
import TerritoryModel
import TerritoryPackage

/// The directory that a mirror is written into. Nothing gets its name there before it is whole and proven.
final class MirrorDirectory {
    private let place: ChannelWorkplace
    private var root: Directory { place.root }
    private var staging: Directory { place.staging }
    /// Bytes fetched at a time.
    private static let pieceByteCount: UInt64 = 4 << 20

    /// - Throws: `lock.busy` while another command works here.
    init(_ path: String, disk: any Disk) throws(SnpackError) {
        place = try ChannelWorkplace(path, disk: disk)
    }

    /// Whether `index` is newer than what is here; false for the same.
    func accepts(_ index: Verified<ChannelIndex>, _ keys: PinnedKeys) throws(SnpackError) -> Bool {
        let here = ChannelDirectory(root)
        guard let file = try here.signedIndex() else { return true }
        let held: Verified<ChannelIndex>
        do throws(SnpackError) { held = try keys.verifyIndex(file.index, signature: file.signature) } catch {
            throw error.at(root.path)
        }
        let (old, new) = (held.document, index.document)
        guard old.channel == new.channel else {
            throw SnpackError(
                .indexOtherChannel,
                "the mirror is of channel \(quoted(old.channel.rawValue)), not of \(quoted(new.channel.rawValue))",
                hint: "mirror into a directory of its own", path: root.path)
        }
        if new.sequence < old.sequence {
            throw SnpackError(
                .indexRolledBack,
                "the source has sequence \(new.sequence) of \(new.publishedAt), and the mirror \(old.sequence) of "
                    + "\(old.publishedAt) already",
                hint: "the source may be a mirror that is behind: try again later, or take another", path: root.path)
        }
        guard new.sequence == old.sequence else { return true }
        guard index.bytes == held.bytes else {
            throw SnpackError(
                .indexForked, "source and mirror have different indices of sequence \(new.sequence)",
                hint: "ask the publisher which of them is right", path: root.path)
        }
        return false
    }

    /// True if a version is here whole: an earlier run proved its files before it wrote the manifest.
    func holds(_ manifest: Verified<Manifest>) -> Bool {
        guard let directory = try? root.directory(at: manifest.document.name.directory),
            let release = try? Release(directory), release.manifestBytes == manifest.bytes,
            release.signatureBytes == manifest.signature
        else { return false }
        return MirrorFile.all(of: manifest.document).allSatisfy { file in
            (try? root.file(at: file.path))?.byteCount == file.byteCount
        }
    }

    /// Puts a file in its place, if it is not there already: linked to the one `twin` names, or copied, and proven.
    /// A file of which a killed run left a part is gone on with.
    ///
    /// - Returns: true if it was copied.
    func copy(
        _ file: MirrorFile, from source: any ChannelReader, sameAs twin: MirrorFile?, context: WorkContext
    ) throws(SnpackError) -> Bool {
        let directory = try root.directory(at: file.directory, creating: 0o755)
        if let there = try directory.identity(of: file.name), there.kind == .file, there.byteCount == file.byteCount,
            try Blake3Digest.of(try directory.file(file.name), cancel: context.cancel) == file.blake3
        {
            return false
        }
        try directory.remove(file.name)
        if let twin, try root.directory(at: twin.directory).link(twin.name, to: file.name, in: directory) {
            try directory.sync()
            return false
        }
        let part = try GrowingFile("\(file.blake3.hex).part", in: staging)
        let digest = try fill(part, with: file, from: source.blob(file.path), context)
        guard digest == file.blake3 else {
            try staging.remove("\(file.blake3.hex).part")
            throw SnpackError(
                .blobMismatch, "it does not have the BLAKE3 that the manifest lists",
                hint: "the source is damaged, or in the middle of an update: try again",
                path: source.path(of: file.path))
        }
        try part.commit(as: file.name, in: directory)
        try directory.sync()
        return true
    }

    /// Hashes what is there of a file and fetches the rest.
    private func fill(
        _ part: GrowingFile, with file: MirrorFile, from source: any RandomAccess, _ context: WorkContext
    ) throws(SnpackError) -> Blake3Digest {
        guard source.byteCount == file.byteCount else {
            throw SnpackError(
                .blobMismatch, "it has \(source.byteCount) bytes, and the manifest lists \(file.byteCount)",
                hint: "the source is damaged, or in the middle of an update: try again", path: source.name)
        }
        if part.byteCount > file.byteCount { try part.truncate(to: 0) }
        var hasher = Blake3Hasher()
        var offset: UInt64 = 0
        while offset < file.byteCount {
            try context.cancel.check()
            let isHeld = offset < part.byteCount
            let end = isHeld ? part.byteCount : file.byteCount
            let count = Int(min(Self.pieceByteCount, end - offset))
            let piece = try isHeld ? part.bytes(at: offset, count: count) : source.bytes(at: offset, count: count)
            hasher.update(piece)
            if !isHeld {
                try piece.withBytes { bytes throws(SnpackError) in try part.append(bytes) }
            }
            offset += UInt64(count)
        }
        return hasher.finalize()
    }

    /// Writes a version's manifest and signature, whose files are in place.
    func write(_ manifest: Verified<Manifest>) throws(SnpackError) {
        let directory = try root.directory(at: manifest.document.name.directory, creating: 0o755)
        try write(manifest.bytes, as: PackageFile.manifest, in: directory)
        try write(manifest.signature, as: PackageFile.signature, in: directory)
    }

    /// The pair, then `index.signed`, as mirrors are written: readers that look at the one that counts see the old channel
    /// until then.
    func goLive(_ file: SignedIndexFile) throws(SnpackError) {
        try write(file.index, as: ChannelFile.index, in: root)
        try write(file.signature, as: ChannelFile.signature, in: root)
        try write(file.encoded, as: ChannelFile.signed, in: root)
        for name in try staging.names() where name.hasSuffix(".part") { try staging.remove(name) }
    }

    /// Writes the catalogue of what the mirror carries: made here out of what was verified, for the source's own page may be
    /// anything.
    func writeCatalogue(_ index: Verified<ChannelIndex>, absent: Set<ReleaseName>, report: any ProgressReporter) {
        CatalogueFiles(in: place).update(index, absent: absent, report: report)
    }

    private func write(_ bytes: [UInt8], as name: String, in target: Directory) throws(SnpackError) {
        if try target.contains(name), try target.contents(of: name, limit: SignedIndexFile.limit) == bytes { return }
        try place.put(bytes, as: name, in: target)
        try target.sync()
    }
}
