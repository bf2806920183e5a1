import Blobs
import Diagnostics
import DurableFiles
import Hashing
import Signing
import TerritoryModel
import TerritoryPackage

/// Puts a proven release's files into a channel: blobs and patches, then the manifest. Nothing lists them yet.
struct ReleaseImport {
    private let editor: ChannelEditor
    private let linksSource: Bool
    private let context: WorkContext

    /// - Parameter linksSource: gives the source's own files a second name, for a source that nobody changes in place.
    init(into editor: ChannelEditor, linksSource: Bool = false, context: WorkContext) {
        self.editor = editor
        self.linksSource = linksSource
        self.context = context
    }

    /// - Parameter siblings: manifests of versions that the channel has, whose equal blobs are linked.
    func run(
        _ release: Release, _ manifest: Verified<Manifest>, siblings: [Manifest]
    ) throws(SnpackError) {
        let name = manifest.document.name
        let directory = try editor.root.directory(at: name.directory, creating: 0o755)
        for (index, layer) in manifest.document.layers.enumerated() {
            try context.cancel.check()
            let target = try directory.directory(at: layer.directory, creating: 0o755)
            let blob = Content(byteCount: layer.blob.byteCount, blake3: layer.blob.blake3)
            if try !isThere(blob, layer.blob.file, in: target),
                try !link(blob, named: layer.blob.file, of: layer, siblings, into: target),
                try !linkSource(blob, layer.blob.file, of: layer, release, into: target)
            {
                try copy(try release.blob(index, of: manifest.document), blob, to: layer.blob.file, in: target)
            }
            for patch in layer.patches {
                guard let file = try release.patch(patch, of: layer) else { continue }
                let content = Content(byteCount: patch.byteCount, blake3: patch.blake3)
                if try !isThere(content, patch.file, in: target),
                    try !link(content, named: patch.file, of: layer, siblings, into: target),
                    try !linkSource(content, patch.file, of: layer, release, into: target)
                {
                    try copy(file, content, to: patch.file, in: target)
                }
            }
            try target.sync()
        }
        try write(manifest.bytes, to: PackageFile.manifest, in: directory)
        try write(manifest.signature, to: PackageFile.signature, in: directory)
        try directory.sync()
    }

    private struct Content {
        let byteCount: UInt64
        let blake3: Blake3Digest
    }

    /// True if a file of that content is in place: an earlier run got this far.
    private func isThere(_ content: Content, _ name: String, in target: Directory) throws(SnpackError) -> Bool {
        guard let identity = try target.identity(of: name) else { return false }
        guard identity.kind == .file, identity.byteCount == content.byteCount else { return false }
        return try Blake3Digest.of(try target.file(name), cancel: context.cancel) == content.blake3
    }

    /// Links the same blob or patch of another version, where there is one and it is whole.
    private func link(
        _ content: Content, named name: String, of layer: Manifest.Layer, _ siblings: [Manifest],
        into target: Directory
    ) throws(SnpackError) -> Bool {
        for sibling in siblings {
            guard let twin = sibling.layers.first(where: { $0.blob == layer.blob && $0.blobPath == layer.blobPath }),
                let directory = try? editor.root.directory(at: "\(sibling.name.directory)/\(twin.directory)"),
                try isThere(content, name, in: directory)
            else { continue }
            try target.remove(name)
            if try directory.link(name, to: name, in: target) { return true }
        }
        return false
    }

    private func linkSource(
        _ content: Content, _ name: String, of layer: Manifest.Layer, _ release: Release, into target: Directory
    ) throws(SnpackError) -> Bool {
        guard linksSource, let directory = try? release.directory.directory(at: layer.directory),
            try isThere(content, name, in: directory)
        else { return false }
        try target.remove(name)
        return try directory.link(name, to: name, in: target)
    }

    private func copy(
        _ source: any RandomAccess, _ content: Content, to name: String, in target: Directory
    ) throws(SnpackError) {
        guard source.byteCount == content.byteCount else {
            throw SnpackError(
                .blobMismatch, "\(source.byteCount) bytes, not the \(content.byteCount) signed",
                hint: "get the release again", path: source.name)
        }
        let file = try StagedFile(in: editor.staging)
        let blake3 = try file.write(copyOf: source, cancel: context.cancel)
        guard blake3 == content.blake3, file.byteCount == content.byteCount else {
            throw SnpackError(
                .fileChanged, "it changed while it was published", hint: "publish again", path: source.name)
        }
        try file.commit(as: name, in: target, replacing: true)
    }

    private func write(_ bytes: [UInt8], to name: String, in target: Directory) throws(SnpackError) {
        let file = try StagedFile(in: editor.staging)
        try file.write(bytes)
        try file.commit(as: name, in: target, replacing: true)
    }
}
