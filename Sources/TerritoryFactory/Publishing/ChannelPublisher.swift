package import Diagnostics
package import DurableFiles
import Hashing
package import Signing
package import TerritoryModel
package import TerritoryPackage

/// Adds releases to a channel and signs its index again.
package struct ChannelPublisher: Sendable {
    /// What a publishing command did.
    package struct Outcome: Sendable {
        /// The live index afterwards.
        package let index: ChannelIndex
        /// Versions that are new in the channel.
        package let added: [ReleaseName]
        /// Versions that were there with the same manifest.
        package let unchanged: [ReleaseName]
        /// False when there was nothing to sign.
        package let isSigned: Bool
    }

    /// How the new index gets its signature.
    package enum Finish: Sendable {
        /// At once, by this signer.
        case sign(any DocumentSigner)
        /// Elsewhere: the index waits in the channel's `.snpack/staged/`.
        case stage(PinnedKeys, KeyRole)
    }

    private let channelPath: String
    private let finish: Finish
    private let keys: PinnedKeys
    private let role: KeyRole
    private let succession: IndexSuccession
    private let triesPatches: Bool
    private let context: WorkContext
    private let disk: any Disk

    /// - Parameter triesPatches: applies every patch once before it is published.
    /// - Throws: `key.example` for a key whose secret is public, unless that is allowed.
    package init(
        channel path: String, finish: Finish, succession: IndexSuccession, allowExampleKeys: Bool = false,
        triesPatches: Bool = true, context: WorkContext, disk: any Disk = SystemDisk()
    ) throws(SnpackError) {
        channelPath = path
        self.disk = disk
        self.finish = finish
        switch finish {
        case .sign(let signer): (keys, role) = (try signer.pinned(), signer.role)
        case .stage(let pinned, let signing): (keys, role) = (pinned, signing)
        }
        self.succession = succession
        self.triesPatches = triesPatches
        self.context = context
        let pinned = keys.factory.map(\.publicKey) + keys.region.map(\.publicKey)
        guard let example = pinned.first(where: ExampleKeys.isExample), !allowExampleKeys else { return }
        throw SnpackError(
            .exampleKey, "key \(example.keyID) is an example: everybody has its secret",
            hint: "make a key of your own with snpack keygen; for a try-out give --allow-example-keys")
    }

    /// A release that was proven whole: signature, role, every blob and patch.
    private struct ProvenRelease {
        let release: Release
        let manifest: Verified<Manifest>
    }

    /// Publishes `paths`, each a release directory.
    ///
    /// - Parameter latest: versions to offer as their territories' latest, in place of the default.
    package func publish(_ paths: [String], latest: [ReleaseName] = []) throws(SnpackError) -> Outcome {
        let releases = try paths.map { path throws(SnpackError) in try prove(path) }
        let editor = try ChannelEditor(channelPath, keys: keys, disk: disk)
        let live = editor.live?.document
        let name = try succession.name(
            live: live, role: role, territory: releases.first?.manifest.document.territoryID)
        let state = try succession.checkLive(editor.live, name: name)

        var edit = IndexEdit(live)
        var added: [ProvenRelease] = []
        var unchanged: [ReleaseName] = []
        for release in releases {
            if try edit.add(release.manifest) {
                added.append(release)
            } else {
                unchanged.append(release.manifest.document.name)
            }
        }
        for version in latest { try edit.setLatest(version, manifest: manifest(of: version, added, editor)) }
        if let verified = editor.live, !edit.isChanged, succession.validity == nil, succession.sequence == nil {
            let live = verified.document
            // A run that was killed after it went live has not got as far as this.
            if live.sequence > state.channels[name]?.sequence ?? 0 {
                try succession.remember(live, blake3: verified.blake3, in: state)
            }
            return Outcome(index: live, added: [], unchanged: unchanged, isSigned: false)
        }
        let index = try succession.next(try edit.territories(), name: name, live: live, state: state)
        guard index.fits(role) else {
            throw SnpackError(
                .signerWrongRole, "a \(role) key does not sign this index",
                hint: "a region key signs a channel of one region-, a factory key one of countries")
        }

        let importer = ReleaseImport(into: editor, context: context)
        var imported: [Manifest] = []
        for release in added {
            let manifest = release.manifest.document
            let siblings = siblings(of: manifest, live, editor)
            if triesPatches { try tryPatches(of: release, siblings, added, editor) }
            let before = imported.filter { $0.territoryID == manifest.territoryID }
            try importer.run(release.release, release.manifest, siblings: siblings + before)
            imported.append(manifest)
        }
        switch finish {
        case .sign(let signer): try succession.goLive(index, in: editor, by: signer, state: state)
        case .stage: try editor.stage(index)
        }
        return Outcome(
            index: index, added: added.map(\.manifest.document.name), unchanged: unchanged, isSigned: true)
    }

    private func prove(_ path: String) throws(SnpackError) -> ProvenRelease {
        let directory = try Directory.open(path)
        guard try directory.contains(PackageFile.signature) else {
            throw SnpackError(
                .releaseUnsigned, "the release is not signed", hint: "snpack sign \(path) --key FILE.key", path: path)
        }
        let release = try Release(directory)
        let manifest: Verified<Manifest>
        do throws(SnpackError) {
            manifest = try keys.verifyManifest(release.manifestBytes, signature: release.signatureBytes)
        } catch { throw error.at(directory.path(of: PackageFile.manifest)) }
        context.report.begin(
            "checking \(manifest.document.name)",
            byteCount: manifest.document.layers.reduce(0) { $0 &+ $1.blob.tarByteCount })
        defer { context.report.end() }
        try PackageProof(depth: .deep, context: context).faults(of: release, manifest.document)
            .throwIfAny("\(manifest.document.name) does not verify")
        return ProvenRelease(release: release, manifest: manifest)
    }

    private func tryPatches(
        of release: ProvenRelease, _ siblings: [Manifest], _ added: [ProvenRelease], _ editor: ChannelEditor
    ) throws(SnpackError) {
        let listed = siblings.map { manifest in
            PatchTrial.Version(manifest: manifest) { layer throws(SnpackError) in
                try editor.root.file(at: "\(manifest.name.directory)/\(layer.blobPath)")
            }
        }
        let new = added.map { other in
            PatchTrial.Version(manifest: other.manifest.document) { layer throws(SnpackError) in
                try other.release.directory.file(at: layer.blobPath)
            }
        }
        try PatchTrial(known: listed + new, context: context).run(release.release, release.manifest.document)
    }

    /// Manifests of the same territory's versions in the channel, newest first.
    private func siblings(
        of manifest: Manifest, _ live: ChannelIndex?, _ editor: ChannelEditor
    ) -> [Manifest] {
        guard let territory = live?[manifest.territoryID] else { return [] }
        let channel = ChannelDirectory(editor.root)
        return territory.versions.compactMap { entry in
            // A sibling that is damaged is `verify`'s to report; nothing is linked from it.
            guard let release = try? ChannelRelease(entry.name.manifestPath, in: channel) else { return nil }
            return try? keys.verifyManifest(release, listedAs: entry, of: territory).document
        }
    }

    private func manifest(
        of version: ReleaseName, _ added: [ProvenRelease], _ editor: ChannelEditor
    ) throws(SnpackError) -> Manifest {
        if let new = added.first(where: { $0.manifest.document.name == version }) { return new.manifest.document }
        guard let territory = editor.live?.document[version.territoryID], let entry = territory[version.version] else {
            throw SnpackError(.versionNotListed, "the channel does not list \(version)")
        }
        let release = try ChannelRelease(entry.name.manifestPath, in: ChannelDirectory(editor.root))
        return try keys.verifyManifest(release, listedAs: entry, of: territory).document
    }
}
