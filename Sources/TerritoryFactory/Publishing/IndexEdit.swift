import Diagnostics
import TerritoryModel
import TerritoryPackage

/// The territories of an index while versions are added to it. Pure.
struct IndexEdit {
    /// A territory in the making; its latest version's name and box come from that version's manifest.
    private struct Draft {
        var displayName: DisplayText?
        var boundingBox: BoundingBox?
        var latest: TerritoryVersion?
        var versions: [ChannelIndex.Version] = []
        /// Manifests that are at hand, by version.
        var manifests: [TerritoryVersion: Manifest] = [:]
        var hasNewVersions = false
    }

    private var untouched: [TerritoryID: ChannelIndex.Territory] = [:]
    private var drafts: [TerritoryID: Draft] = [:]
    /// True once anything differs from the live index.
    private(set) var isChanged = false

    init(_ live: ChannelIndex?) {
        for territory in live?.territories ?? [] { untouched[territory.id] = territory }
    }

    private mutating func draft(_ id: TerritoryID) -> Draft {
        if let draft = drafts[id] { return draft }
        guard let territory = untouched.removeValue(forKey: id) else { return Draft() }
        return Draft(
            displayName: territory.displayName, boundingBox: territory.boundingBox, latest: territory.latestVersion,
            versions: territory.versions)
    }

    /// Adds a version; false if it is there already with the same manifest.
    /// - Throws: `version.changed` if it is there with another.
    mutating func add(_ manifest: Verified<Manifest>) throws(SnpackError) -> Bool {
        let document = manifest.document
        var draft = draft(document.territoryID)
        defer { drafts[document.territoryID] = draft }
        if let listed = draft.versions.first(where: { $0.version == document.version }) {
            guard listed.manifestBlake3 == manifest.blake3 else {
                throw SnpackError(
                    .versionChanged, "the channel has another \(document.name): a published version never changes",
                    hint: "build it under a higher version")
            }
            return false
        }
        draft.versions.append(ChannelIndex.Version(of: document, manifestBlake3: manifest.blake3))
        draft.manifests[document.version] = document
        draft.hasNewVersions = true
        isChanged = true
        return true
    }

    /// Offers a version as its territory's latest, in place of the default.
    mutating func setLatest(_ name: ReleaseName, manifest: Manifest) throws(SnpackError) {
        var draft = draft(name.territoryID)
        guard draft.versions.contains(where: { $0.version == name.version }) else {
            throw SnpackError(.versionNotListed, "the channel does not list \(name)")
        }
        guard draft.versions.allSatisfy({ $0.version != name.version || $0.yanked == nil }) else {
            throw SnpackError(
                .latestYanked, "\(name) is withdrawn, and what is withdrawn is not offered",
                hint: "snpack unyank \(name), or offer another version")
        }
        if draft.latest != name.version { isChanged = true }
        draft.manifests[name.version] = manifest
        draft.latest = name.version
        draft.displayName = manifest.displayName
        draft.boundingBox = manifest.boundingBox
        draft.hasNewVersions = false
        drafts[name.territoryID] = draft
    }

    /// Withdraws a version, or with nil offers it again. Where the default version was offered, the default is again; where
    /// a withdrawn one was, too.
    ///
    /// - Parameter manifest: reads the manifest of the version that is offered afterwards.
    mutating func setYanked(
        _ name: ReleaseName, _ reason: DisplayText?, manifest: (ReleaseName) throws(SnpackError) -> Manifest
    ) throws(SnpackError) {
        var draft = draft(name.territoryID)
        guard let index = draft.versions.firstIndex(where: { $0.version == name.version }) else {
            throw SnpackError(.versionNotListed, "the channel does not list \(name)")
        }
        defer { drafts[name.territoryID] = draft }
        guard draft.versions[index].yanked != reason else { return }
        let wasDefault = draft.latest == ChannelIndex.Territory.defaultLatest(of: draft.versions)
        draft.versions[index] = draft.versions[index].yanked(reason)
        isChanged = true
        let isWithdrawn = draft.versions.contains { $0.version == draft.latest && $0.yanked != nil }
        guard wasDefault || isWithdrawn, let latest = ChannelIndex.Territory.defaultLatest(of: draft.versions),
            latest != draft.latest
        else { return }
        let offered = try manifest(ReleaseName(name.territoryID, latest))
        draft.latest = latest
        draft.displayName = offered.displayName
        draft.boundingBox = offered.boundingBox
    }

    /// Takes a version out of the list; the one that is offered must stay.
    mutating func remove(_ name: ReleaseName) {
        var draft = draft(name.territoryID)
        precondition(draft.latest != name.version, "what is offered stays listed")
        draft.versions.removeAll { $0.version == name.version }
        drafts[name.territoryID] = draft
        isChanged = true
    }

    /// All territories as the new index lists them.
    func territories() throws(SnpackError) -> [ChannelIndex.Territory] {
        var result = Array(untouched.values)
        for (id, start) in drafts {
            var draft = start
            if draft.hasNewVersions, let latest = ChannelIndex.Territory.defaultLatest(of: draft.versions),
                let manifest = draft.manifests[latest]
            {
                draft.latest = latest
                draft.displayName = manifest.displayName
                draft.boundingBox = manifest.boundingBox
            }
            guard let name = draft.displayName, let box = draft.boundingBox, let latest = draft.latest else {
                preconditionFailure("a territory with a version has a latest one")
            }
            result.append(
                try ChannelIndex.Territory(
                    id: id, displayName: name, boundingBox: box, latestVersion: latest, versions: draft.versions))
        }
        return result
    }
}
