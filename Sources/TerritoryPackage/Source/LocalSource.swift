package import Diagnostics
import DurableFiles
package import TerritoryModel

/// What lies at a path: a package in one of its three forms, or a channel.
package enum LocalSource: Sendable {
    case release(Release)
    case archive(PackageArchive)
    case directory(PackageDirectory)
    case channel(ChannelDirectory)

    /// Looks at `path` and opens what is there.
    ///
    /// - Throws: `source.not-found` if nothing is there, `source.unknown` if it is none of the four.
    package init(opening path: String) throws(SnpackError) {
        guard let identity = FileIdentity.at(path) else {
            throw SnpackError(.sourceNotFound, "there is no such file or directory", path: path)
        }
        if identity.kind == .file {
            self = .archive(try PackageArchive(OpenFile(reading: path)))
            return
        }
        let directory = try Directory.open(path)
        if try ChannelDirectory.isOne(directory) {
            self = .channel(ChannelDirectory(directory))
        } else if try Release.isOne(directory) {
            self = .release(try Release(directory, signed: false))
        } else if try directory.contains(PackageFile.manifest) {
            self = .directory(try PackageDirectory(directory))
        } else {
            throw SnpackError(
                .sourceUnknown, "it is neither a release, a package directory nor a channel",
                hint: "a release has manifest.json and layers/, a channel has index.json", path: path)
        }
    }
}

extension ChannelReader {
    /// A version of the channel, by an index that was verified.
    ///
    /// - Parameter version: nil for the territory's `latest_version`.
    /// - Throws: `version.not-listed` if the index has no such territory or version.
    package func release(
        of id: TerritoryID, version: TerritoryVersion?, in index: ChannelIndex
    ) throws(SnpackError) -> (release: ChannelRelease, territory: ChannelIndex.Territory, entry: ChannelIndex.Version) {
        guard let territory = index[id] else {
            throw SnpackError(
                .versionNotListed, "the channel does not list \(id)", hint: "snpack list shows what it offers",
                path: shownPath)
        }
        guard let entry = territory[version ?? territory.latestVersion] else {
            throw SnpackError(
                .versionNotListed, "the channel does not list version \(version.map(\.rawValue) ?? "") of \(id)",
                hint: "snpack list shows what it offers", path: shownPath)
        }
        return (try ChannelRelease(entry.name.manifestPath, in: self), territory, entry)
    }
}
