import Blobs
package import Diagnostics
import DurableFiles
package import TerritoryModel
package import TerritoryPackage

/// The version of a country that regions are cut out of: signed by a pinned key, its layers proven as they are read.
package struct CutSource: Sendable {
    let package: any PackedPackage
    package let verified: Verified<Manifest>

    package var manifest: Manifest { verified.document }

    /// Opens what `reference` names and verifies its manifest, and in a channel the index first.
    ///
    /// Warns of a channel's index that has expired at `now`: there may be a newer version, or this one was withdrawn.
    /// - Throws: what does not verify, `cut.yanked` for what its channel withdrew, and `cut.source` for a region or a channel
    ///   without a territory.
    package init(
        _ reference: SourceReference, keys: PinnedKeys, now: Timestamp, report: any ProgressReporter
    ) throws(SnpackError) {
        guard case .path(let path) = reference.place else {
            throw SnpackError(
                .cutSource, "regions are cut out of files on this disk", hint: "mirror the channel first")
        }
        switch try LocalSource(opening: path) {
        case .release(let release): package = release
        case .archive(let archive): package = archive
        case .directory:
            throw SnpackError(
                .cutSource, "an unpacked package has no blobs to cut", hint: "give a release or a channel", path: path)
        case .channel(let channel):
            guard let id = reference.territory else {
                throw SnpackError(
                    .cutSource, "a channel has several territories", hint: "name one: \(path)#ID or \(path)#ID@VERSION",
                    path: path)
            }
            guard let file = try channel.signedIndex() else {
                throw SnpackError(.fileMissing, "the channel has no index", path: path)
            }
            let index = try keys.verifyIndex(file.index, signature: file.signature).document
            let found = try channel.release(of: id, version: reference.version, in: index)
            if let reason = found.entry.yanked {
                throw SnpackError(
                    .cutYanked, "\(id)@\(found.entry.version) was withdrawn: \(quoted(reason.rawValue))",
                    hint: "cut another version; \(found.release.shownPath) by itself can be cut nevertheless",
                    path: path)
            }
            if let expiresAt = index.expiresAt, expiresAt <= now {
                report.warn(
                    SnpackError(
                        .indexExpired, "the index expired at \(expiresAt)",
                        hint: "mirror the channel again: it may offer a newer version", path: path))
            }
            package = found.release
            verified = try Self.verified(found.release, keys)
            guard verified.blake3 == found.entry.manifestBlake3 else {
                throw SnpackError(
                    .manifestContradictsIndex, "the manifest is not the one that the index lists",
                    path: found.release.shownPath)
            }
            return
        }
        verified = try Self.verified(package, keys)
    }

    private static func verified(
        _ package: any PackedPackage, _ keys: PinnedKeys
    ) throws(SnpackError) -> Verified<Manifest> {
        let verified: Verified<Manifest>
        do throws(SnpackError) {
            verified = try keys.verifyManifest(package.manifestBytes, signature: package.signatureBytes)
        } catch { throw error.at(package.shownPath) }
        guard !verified.document.territoryID.isRegion else {
            throw SnpackError(
                .cutSource, "\(verified.document.territoryID) is a region itself",
                hint: "cut the country that it comes from", path: package.shownPath)
        }
        try package.checkForm(for: verified.document)
        return verified
    }

    func blob(_ layer: Manifest.Layer) throws(SnpackError) -> any RandomAccess {
        guard let index = manifest.layers.firstIndex(of: layer) else {
            throw SnpackError(.cutSource, "\(manifest.name) has no layer \(layer.kind)")
        }
        return try package.blob(index, of: manifest)
    }

    /// Where a layer's blob lies as a file of its own; nil where it is part of another.
    func directory(of layer: Manifest.Layer) throws(SnpackError) -> Directory? {
        guard let release = package as? Release else { return nil }
        return try release.directory.directory(at: layer.directory)
    }

    /// A layer's only file, read at any place out of its blob: only the chunks that are asked for are unpacked, each
    /// proven by the signed table.
    func file(of layer: Manifest.Layer) throws(SnpackError) -> any RandomAccess {
        try BlobFile(BlobTarStream(blob(layer), layer: layer, name: layer.path), of: layer)
    }

    /// Unpacks a layer, proven whole, into a directory that is gone with this program.
    func unpack(_ layer: Manifest.Layer, into directory: Directory, context: WorkContext) throws(SnpackError)
        -> FileTree
    {
        let root = layer.isTree ? try directory.makeDirectory(layer.path.rawValue) : directory
        try read(layer, into: LayerWriter(layer, into: root, fileMode: 0o644, isDurable: false), context: context)
        return try FileTree(layer: layer.path.rawValue, in: directory)
    }

    /// Hands a layer's files to `sink`, all of it proven.
    func read(_ layer: Manifest.Layer, into sink: any LayerSink, context: WorkContext) throws(SnpackError) {
        context.report.begin("reading \(layer.kind)", byteCount: layer.blob.tarByteCount)
        defer { context.report.end() }
        try BlobReader(blob(layer), layer: layer).read(into: sink, context: context)
    }
}

/// The file in a one-file layer's tar stream.
private struct BlobFile: RandomAccess {
    private let stream: BlobTarStream
    private let start: UInt64
    let byteCount: UInt64
    var name: String { stream.name }

    init(_ stream: BlobTarStream, of layer: Manifest.Layer) throws(SnpackError) {
        self.stream = stream
        // The stream's headers are those of this name and size, whatever the blob's are.
        start = UInt64(TarEntry(path: layer.path.rawValue, byteCount: layer.byteCount).headers.count)
        byteCount = layer.byteCount
    }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: UInt64) throws(SnpackError) {
        guard offset <= byteCount, UInt64(buffer.count) <= byteCount - offset else {
            throw SnpackError(.fileChanged, "it ends before offset \(offset) + \(buffer.count)", path: name)
        }
        try stream.read(into: buffer, at: start + offset)
    }
}

extension FileTree {
    /// What lies at a layer's path in a directory that this program made.
    init(layer path: String, in directory: Directory) throws(SnpackError) {
        var faults = FaultList()
        try self.init(listing: directory.path(of: path), faults: &faults)
        try faults.throwIfAny("\(quoted(path)) cannot be listed")
    }
}
