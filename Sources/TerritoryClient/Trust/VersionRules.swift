package import Diagnostics
package import Hashing
public import TerritoryModel
package import TerritoryPackage

/// Which version of a territory is asked for.
public enum VersionRequest: Hashable, Sendable {
    /// The one that the channel offers.
    case offered
    /// This one, because a person says so.
    case exactly(TerritoryVersion)
}

/// What a store holds of a territory, as far as versions go.
package struct InstalledVersion: Hashable, Sendable {
    package let version: TerritoryVersion
    /// Nil when the installed manifest is damaged.
    package let manifestBlake3: Blake3Digest?
    /// The version that a person rolled back from; nothing up to it is an update.
    package let held: TerritoryVersion?

    package init(version: TerritoryVersion, manifestBlake3: Blake3Digest?, held: TerritoryVersion? = nil) {
        self.version = version
        self.manifestBlake3 = manifestBlake3
        self.held = held
    }
}

/// Decides which version is installed, and whether. Pure.
package struct VersionRules: Sendable {
    package let allowances: Allowances
    /// The engines of this client; nil when nobody told, and then they are not judged.
    package let engines: [EngineName: TerritoryVersion]?
    /// Indices whose withdrawals hold beside those of the index gone by.
    package let withdrawals: ChannelIndex?

    package init(
        allowances: Allowances = [], engines: [EngineName: TerritoryVersion]? = nil, withdrawals: ChannelIndex? = nil
    ) {
        self.allowances = allowances
        self.engines = engines
        self.withdrawals = withdrawals
    }

    package enum Decision: Hashable, Sendable {
        /// What is wanted is what is installed.
        case upToDate
        /// The person rolled back from `version`, and nothing above it is offered.
        case held(TerritoryVersion)
        case take(TerritoryVersion)
    }

    /// The greatest version that is not withdrawn, not above `latest_version`, and readable here.
    ///
    /// - Throws: `version.yanked` when all are withdrawn, `engine.too-old` when none is readable.
    package func offered(of territory: ChannelIndex.Territory) throws(SnpackError) -> ChannelIndex.Version {
        let listed = territory.versions.filter { $0.version <= territory.latestVersion }
        var candidates = listed.filter { reasonOfWithdrawal($0) == nil }
        if candidates.isEmpty, allowances.contains(.yanked) { candidates = listed }
        guard let first = candidates.first else {
            try checkNotWithdrawn(territory.latest)
            return territory.latest
        }
        if let readable = candidates.first(where: { unmet($0.requires).isEmpty }) { return readable }
        try checkReadable(first.requires, first.name)
        return first
    }

    /// What to do for `request`, going by the channel's entry of the territory.
    ///
    /// - Throws: `version.not-listed`, `version.yanked`, `engine.too-old`, `version.changed`, `version.older`.
    package func decide(
        _ request: VersionRequest, of territory: ChannelIndex.Territory, installed: InstalledVersion?
    ) throws(SnpackError) -> Decision {
        switch request {
        case .offered:
            let wanted: ChannelIndex.Version
            do throws(SnpackError) { wanted = try offered(of: territory) } catch {
                // Nothing to offer is no trouble for who has something.
                if installed != nil { return .upToDate }
                throw error
            }
            if let installed, let held = installed.held, wanted.version <= held, wanted.version > installed.version {
                return .held(held)
            }
            return try decide(on: wanted.name, wanted.manifestBlake3, installed)
        case .exactly(let version):
            guard let wanted = territory[version] else {
                throw SnpackError(
                    .versionNotListed, "the channel does not list \(ReleaseName(territory.id, version))",
                    hint: "snpack list shows what it offers")
            }
            if installed?.version != version {
                try checkNotWithdrawn(wanted)
                try checkReadable(wanted.requires, wanted.name)
            }
            return try decide(on: wanted.name, wanted.manifestBlake3, installed)
        }
    }

    /// What to do with a package that was handed over: a `.snpkg`, a release, a directory.
    package func decide(
        on manifest: Verified<Manifest>, installed: InstalledVersion?
    ) throws(SnpackError) -> Decision {
        let name = manifest.document.name
        let decision = try decide(on: name, manifest.blake3, installed)
        guard case .take = decision else { return decision }
        if let reason = withdrawals?[name.territoryID]?[name.version]?.yanked { try checkAllowed(name, reason) }
        try checkReadable(manifest.document.requires, name)
        return decision
    }

    private func decide(
        on name: ReleaseName, _ manifestBlake3: Blake3Digest, _ installed: InstalledVersion?
    ) throws(SnpackError) -> Decision {
        guard let installed else { return .take(name.version) }
        if name.version == installed.version {
            guard let present = installed.manifestBlake3 else { return .take(name.version) }
            guard manifestBlake3 == present else {
                throw SnpackError(
                    .versionChanged,
                    "this \(name) is not the \(name) that is installed: their manifests differ",
                    hint: "a published version never changes: ask who publishes it")
            }
            return .upToDate
        }
        guard name.version > installed.version || allowances.contains(.downgrade) else {
            throw SnpackError(
                .versionOlder, "\(name) is older than the \(installed.version) that is installed",
                hint: "--allow-downgrade goes back")
        }
        return .take(name.version)
    }

    // MARK: - Withdrawn versions and engines

    /// Why a version was withdrawn, by the index gone by or the one marked before.
    package func reasonOfWithdrawal(_ version: ChannelIndex.Version) -> DisplayText? {
        version.yanked ?? withdrawals?[version.name.territoryID]?[version.version]?.yanked
    }

    private func checkNotWithdrawn(_ version: ChannelIndex.Version) throws(SnpackError) {
        if let reason = reasonOfWithdrawal(version) { try checkAllowed(version.name, reason) }
    }

    private func checkAllowed(_ name: ReleaseName, _ reason: DisplayText) throws(SnpackError) {
        guard !allowances.contains(.yanked) else { return }
        throw SnpackError(
            .versionYanked, "\(name) was withdrawn: \(quoted(reason.rawValue))",
            hint: "take another version; --allow-yanked installs it all the same")
    }

    private func unmet(_ requires: EngineRequirements) -> [(engine: EngineName, minimum: TerritoryVersion)] {
        engines.map { requires.unmet(by: $0) } ?? []
    }

    private func checkReadable(_ requires: EngineRequirements, _ name: ReleaseName) throws(SnpackError) {
        let unmet = unmet(requires)
        guard !unmet.isEmpty else { return }
        let needs = unmet.map { "\($0.engine) \($0.minimum)" }.joined(separator: ", ")
        throw SnpackError(
            .engineTooOld, "\(name) needs \(needs) or newer, which this client does not have",
            hint: "update the app, or take an older version")
    }
}
