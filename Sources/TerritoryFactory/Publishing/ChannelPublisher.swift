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

    private let change: ChannelChange
    private let triesPatches: Bool
    private let context: WorkContext

    /// - Parameter triesPatches: applies every patch once before it is published.
    package init(_ change: ChannelChange, triesPatches: Bool = true, context: WorkContext) {
        self.change = change
        self.triesPatches = triesPatches
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
        let releases = try paths.map { path throws(SnpackError) in try prove(path) }
        var added: [ProvenRelease] = []
        var unchanged: [ReleaseName] = []
        var live: ChannelIndex?
        let outcome = try change.run(territory: releases.first?.manifest.document.territoryID, mayBegin: true) {
            editor, edit throws(SnpackError) in
            live = editor.live?.document
            for release in releases {
                if try edit.add(release.manifest) {
                    added.append(release)
                } else {
                    unchanged.append(release.manifest.document.name)
                }
            }
            for name in latest {
                if let new = added.first(where: { $0.manifest.document.name == name }) {
                    try edit.setLatest(name, manifest: new.manifest.document)
                } else {
                    try edit.setLatest(name, manifest: editor.listed(name).manifest.document)
                }
            }
        } place: { editor throws(SnpackError) in
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
        }
        return Outcome(
            index: outcome.index, added: outcome.isSigned ? added.map(\.manifest.document.name) : [],
            unchanged: unchanged, isSigned: outcome.isSigned)
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
            manifest = try change.keys.verifyManifest(release.manifestBytes, signature: release.signatureBytes)
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
        return territory.versions.compactMap { entry in
            // A sibling that is damaged is `verify`'s to report; nothing is linked from it.
            try? editor.listed(entry, of: territory).manifest.document
        }
    }
}
