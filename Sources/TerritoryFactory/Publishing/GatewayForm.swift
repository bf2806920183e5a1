package import Diagnostics
package import DurableFiles
import Signing
import TerritoryModel
import TerritoryPackage

/// A region's channel as a gateway serves it: its index under `v1/territories/<id>/`, and what that lists under
/// `territories/<id>/`, as in the channel itself.
package struct GatewayForm {
    private let base: Directory

    /// - Parameter path: the directory that the gateway serves, made where it is missing.
    package init(_ path: String, disk: any Disk = SystemDisk()) throws(SnpackError) {
        base = try Directory.create(path, disk: disk)
    }

    /// Writes what the live index of the channel at `path` lists, then the index: files that are there already stay, and
    /// others are linked where the file systems can.
    ///
    /// - Throws: `cut.option` for a channel of countries.
    package func write(channel path: String, context: WorkContext) throws(SnpackError) {
        let channel = ChannelDirectory(try Directory.open(path))
        guard let file = try channel.signedIndex() else {
            throw SnpackError(.fileMissing, "the channel has no index", path: path)
        }
        let index = try ChannelIndex(decoding: file.index)
        guard index.fits(.region), let territory = index.territories.first else {
            throw SnpackError(
                .cutOption, "only the channel of a region has a gateway form of its own",
                hint: "a gateway serves a country's channel as it is", path: path)
        }
        for version in territory.versions {
            try context.cancel.check()
            try place(version.name, from: channel.root)
        }
        let directory = try base.directory(at: "v1/territories/\(territory.id)", creating: 0o755)
        try directory.write(file.encoded, to: ChannelFile.signed)
        try directory.write(file.signature, to: ChannelFile.signature)
        try directory.write(file.index, to: ChannelFile.index)
    }

    private func place(_ name: ReleaseName, from root: Directory) throws(SnpackError) {
        let source = try root.directory(at: name.directory)
        let target = try base.directory(at: name.directory, creating: 0o755)
        let bytes = try Release.document(PackageFile.manifest, limit: Limits.manifestBytes, in: source)
        for layer in try Manifest(decoding: bytes).layers {
            let from = try source.directory(at: layer.directory)
            let into = try target.directory(at: layer.directory, creating: 0o755)
            for file in [layer.blob.file] + layer.patches.map(\.file) { try place(file, from: from, into: into) }
            try into.sync()
        }
        try place(PackageFile.manifest, from: source, into: target)
        try place(PackageFile.signature, from: source, into: target)
        try target.sync()
    }

    /// Files of a listed version never change, so one of the same size is the same, unless a crash cut it off.
    private func place(_ name: String, from source: Directory, into target: Directory) throws(SnpackError) {
        if let there = try target.identity(of: name) {
            if there.kind == .file, there.byteCount == (try source.identity(of: name))?.byteCount { return }
            try target.remove(name)
        }
        if try source.link(name, to: name, in: target) { return }
        let copy = try StagedFile(in: target)
        _ = try copy.write(copyOf: try source.file(name))
        try copy.commit(as: name, replacing: true)
    }
}
