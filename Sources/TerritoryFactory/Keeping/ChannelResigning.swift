package import Diagnostics
import DurableFiles
package import TerritoryModel
package import TerritoryPackage

/// Signs everything that a channel lists again, with another key, into a tree of its own: the way of a key's rotation.
///
/// Manifests keep their bytes and blobs are linked, so both trees can be served while apps still pin the old key.
package struct ChannelResigning: Sendable {
    package struct Outcome: Sendable {
        package let index: ChannelIndex
        package let isSigned: Bool
        package let releaseCount: Int
    }

    private let source: ChannelDirectory
    private let keys: PinnedKeys
    private let context: WorkContext

    /// - Parameter keys: the old key, by which all of the source must verify.
    package init(_ source: ChannelDirectory, keys: PinnedKeys, context: WorkContext) {
        self.source = source
        self.keys = keys
        self.context = context
    }

    /// - Parameter change: of the new tree, signed by the new key.
    /// - Throws: every fault of the source; nothing is written then.
    package func run(_ change: ChannelChange) throws(SnpackError) -> Outcome {
        guard let file = try source.signedIndex() else {
            throw SnpackError(.fileMissing, "the channel has no index", path: source.shownPath)
        }
        let index = try keys.verifyIndex(file.index, signature: file.signature).document
        // An index that has expired is signed again like any other.
        try ChannelProof(
            source, keys: keys, depth: .deep, isPartial: false, now: index.publishedAt, context: context
        ).report().faults.throwIfAny("the channel does not verify")

        var releases: [(release: Release, manifest: Verified<Manifest>)] = []
        let outcome = try change.run(following: index, mayBegin: true) { editor, edit throws(SnpackError) in
            for territory in index.territories {
                for entry in territory.versions {
                    let release = try Release(source.root.directory(at: entry.name.directory))
                    let verified = try change.keys.verifyManifest(
                        release.manifestBytes, signature: change.signature(of: release.manifestBytes))
                    if try edit.add(verified) { releases.append((release, verified)) }
                    try edit.setYanked(entry.name, entry.yanked) { name throws(SnpackError) in
                        try manifest(name)
                    }
                }
                guard territory.latest.yanked == nil else { continue }
                try edit.setLatest(territory.latest.name, manifest: manifest(territory.latest.name))
            }
        } place: { editor throws(SnpackError) in
            let importer = ReleaseImport(into: editor, linksSource: true, context: context)
            var placed: [Manifest] = []
            for (release, manifest) in releases {
                try context.cancel.check()
                let siblings = placed.filter { $0.territoryID == manifest.document.territoryID }
                try importer.run(release, manifest, siblings: siblings)
                placed.append(manifest.document)
            }
        }
        return Outcome(
            index: outcome.index, isSigned: outcome.isSigned,
            releaseCount: index.territories.reduce(0) { $0 + $1.versions.count })
    }

    /// The manifest of a version that was proven with the channel.
    private func manifest(_ name: ReleaseName) throws(SnpackError) -> Manifest {
        try Manifest(decoding: Release(source.root.directory(at: name.directory)).manifestBytes)
    }
}
