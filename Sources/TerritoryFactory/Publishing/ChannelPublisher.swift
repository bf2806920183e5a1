package import Diagnostics
import DurableFiles
import Hashing
import Signing
package import TerritoryModel
import TerritoryPackage

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

    private let channelPath: String
    private let signer: any DocumentSigner
    private let succession: IndexSuccession
    private let context: WorkContext

    package init(
        channel path: String, signer: any DocumentSigner, succession: IndexSuccession, allowExampleKeys: Bool = false,
        context: WorkContext
    ) throws(SnpackError) {
        if ExampleKeys.isExample(signer.publicKey), !allowExampleKeys {
            throw SnpackError(
                .exampleKey, "key \(signer.publicKey.keyID) is an example: everybody has its secret",
                hint: "make a key of your own with snpack keygen; for a try-out give --allow-example-keys")
        }
        channelPath = path
        self.signer = signer
        self.succession = succession
        self.context = context
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
        let keys = try signer.pinned()
        let releases = try paths.map { path throws(SnpackError) in try prove(path, keys) }
        let editor = try ChannelEditor(channelPath, keys: keys)
        let live = editor.live?.document
        let name = try succession.name(
            live: live, role: signer.role, territory: releases.first?.manifest.document.territoryID)
        var state = try succession.checkLive(editor.live, name: name)

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
        for version in latest { try edit.setLatest(version, manifest: manifest(of: version, added, editor, keys)) }
        let isSigned =
            live == nil || edit.isChanged || succession.validity != nil || succession.sequence != nil
        guard isSigned else {
            guard let live else { preconditionFailure("a new channel is always signed") }
            return Outcome(index: live, added: [], unchanged: unchanged, isSigned: false)
        }
        let index = try succession.next(try edit.territories(), name: name, live: live, state: state)
        guard index.fits(signer.role) else {
            throw SnpackError(
                .signerWrongRole, "a \(signer.role) key does not sign this index",
                hint: "a region key signs a channel of one region-, a factory key one of countries")
        }

        let importer = ReleaseImport(into: editor, context: context)
        for release in added {
            let siblings = try siblings(of: release.manifest.document, live, editor, keys)
            try importer.run(release.release, release.manifest, siblings: siblings)
        }
        let bytes = index.canonicalBytes
        try editor.goLive(bytes, signature: signer.signatureFile(of: bytes))
        state.remember(index, blake3: .of(bytes))
        if let path = succession.statePath { try state.write(to: path) }
        return Outcome(index: index, added: added.map(\.manifest.document.name), unchanged: unchanged, isSigned: true)
    }

    private func prove(_ path: String, _ keys: PinnedKeys) throws(SnpackError) -> ProvenRelease {
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

    /// Manifests of the same territory's versions in the channel, newest first.
    private func siblings(
        of manifest: Manifest, _ live: ChannelIndex?, _ editor: ChannelEditor, _ keys: PinnedKeys
    ) throws(SnpackError) -> [Manifest] {
        guard let territory = live?[manifest.territoryID] else { return [] }
        let channel = ChannelDirectory(editor.root)
        return territory.versions.compactMap { entry in
            // A sibling that is damaged is `verify`'s to report; nothing is linked from it.
            guard let release = try? ChannelRelease(entry.name.manifestPath, in: channel) else { return nil }
            return try? keys.verifyManifest(release, listedAs: entry, of: territory).document
        }
    }

    private func manifest(
        of version: ReleaseName, _ added: [ProvenRelease], _ editor: ChannelEditor, _ keys: PinnedKeys
    ) throws(SnpackError) -> Manifest {
        if let new = added.first(where: { $0.manifest.document.name == version }) { return new.manifest.document }
        guard let territory = editor.live?.document[version.territoryID], let entry = territory[version.version] else {
            throw SnpackError(.versionNotListed, "the channel does not list \(version)")
        }
        let release = try ChannelRelease(entry.name.manifestPath, in: ChannelDirectory(editor.root))
        return try keys.verifyManifest(release, listedAs: entry, of: territory).document
    }
}
