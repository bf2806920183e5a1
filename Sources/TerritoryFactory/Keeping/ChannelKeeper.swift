package import Diagnostics
import DurableFiles
import Hashing
package import TerritoryModel
import TerritoryPackage

/// What an operator does to a channel between two publishings: withdraw, offer, renew, publish again under a new number.
package struct ChannelKeeper: Sendable {
    private let change: ChannelChange
    private let context: WorkContext

    package init(_ change: ChannelChange, context: WorkContext) {
        self.change = change
        self.context = context
    }

    /// Withdraws a version: it stays listed, with the reason, and is not newly installed any more.
    package func yank(_ name: ReleaseName, reason: DisplayText) throws(SnpackError) -> ChannelChange.Outcome {
        try setYanked(name, reason)
    }

    /// Offers a withdrawn version again.
    package func unyank(_ name: ReleaseName) throws(SnpackError) -> ChannelChange.Outcome {
        try setYanked(name, nil)
    }

    private func setYanked(_ name: ReleaseName, _ reason: DisplayText?) throws(SnpackError) -> ChannelChange.Outcome {
        try change.run { editor, edit throws(SnpackError) in
            try edit.setYanked(name, reason) { name throws(SnpackError) in try editor.listed(name).manifest.document }
        }
    }

    /// Makes a version its territory's latest, in place of the default.
    package func offer(_ name: ReleaseName) throws(SnpackError) -> ChannelChange.Outcome {
        try change.run { editor, edit throws(SnpackError) in
            try edit.setLatest(name, manifest: editor.listed(name).manifest.document)
        }
    }

    /// Signs the index again, so that it stays fresh.
    package func refresh() throws(SnpackError) -> ChannelChange.Outcome {
        try change.run(always: true) { _, _ throws(SnpackError) in }
    }

    /// Publishes a version's content under a higher version: the way back for clients that never go back.
    ///
    /// - Throws: `version.too-low` unless `version` is above the one republished and the one that is offered.
    package func republish(
        _ name: ReleaseName, as version: TerritoryVersion
    ) throws(SnpackError) -> ChannelChange.Outcome {
        var new: (release: Release, manifest: Verified<Manifest>, old: Manifest)?
        return try change.run { editor, edit throws(SnpackError) in
            let old = try editor.listed(name).manifest.document
            let manifest = try old.renamed(version)
            let bytes = manifest.canonicalBytes
            if let entry = editor.live?.document[name.territoryID]?[version], entry.manifestBlake3 == .of(bytes) {
                return
            }
            let offered = editor.live?.document[name.territoryID]?.latestVersion ?? name.version
            guard version > name.version, version > offered else {
                throw SnpackError(
                    .versionTooLow, "\(version) is not above \(max(offered, name.version)), and clients never go back",
                    hint: "take a version above \(max(offered, name.version))")
            }
            let verified = try change.keys.verifyManifest(bytes, signature: change.signature(of: bytes))
            _ = try edit.add(verified)
            new = (try Release(editor.root.directory(at: name.directory)), verified, old)
        } place: { editor throws(SnpackError) in
            guard let new else { return }
            try ReleaseImport(into: editor, context: context).run(new.release, new.manifest, siblings: [new.old])
        }
    }
}

extension Manifest {
    /// The same content under another version.
    fileprivate func renamed(_ version: TerritoryVersion) throws(SnpackError) -> Manifest {
        try Manifest(
            territoryID: territoryID, version: version, displayName: displayName, dataTimestamp: dataTimestamp,
            boundingBox: boundingBox, attribution: attribution, layers: layers, region: region, provenance: provenance)
    }
}
