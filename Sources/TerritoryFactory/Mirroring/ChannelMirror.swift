package import Diagnostics
package import DurableFiles
import Hashing
package import TerritoryModel
package import TerritoryPackage

/// Carries a channel, or a part of it, into another directory: everything verified before it is written, original
/// signatures kept, files first and the index last.
package struct ChannelMirror: Sendable {
    /// What of the channel is carried.
    package struct Scope: Sendable {
        /// Empty for all.
        package var territories: Set<TerritoryID> = []
        /// Of each territory the version that is offered, and no other.
        package var latestOnly = false

        package init() {}

        func entries(of index: ChannelIndex) -> [(ChannelIndex.Territory, ChannelIndex.Version)] {
            index.territories.filter { territories.isEmpty || territories.contains($0.id) }.flatMap { territory in
                (latestOnly ? [territory.latest] : territory.versions).map { (territory, $0) }
            }
        }
    }

    package struct Outcome: Sendable {
        package let index: ChannelIndex
        /// False when the mirror had this index already.
        package let isNewIndex: Bool
        package var releaseCount = 0
        /// Listed versions that are out of scope.
        package var absentCount = 0
        /// Files that were copied, and their bytes.
        package var copied: (fileCount: Int, byteCount: UInt64) = (0, 0)
    }

    private let source: any ChannelReader
    private let path: String
    private let keys: PinnedKeys
    private let scope: Scope
    private let writesCatalogue: Bool
    private let context: WorkContext
    private let disk: any Disk

    package init(
        of source: any ChannelReader, at path: String, keys: PinnedKeys, scope: Scope, writesCatalogue: Bool = true,
        context: WorkContext, disk: any Disk = SystemDisk()
    ) {
        self.source = source
        self.path = path
        self.keys = keys
        self.scope = scope
        self.writesCatalogue = writesCatalogue
        self.context = context
        self.disk = disk
    }

    /// Brings the mirror up to date. A run that was killed is gone on with by the next.
    ///
    /// - Throws: `index.rolled-back` or `index.forked` where the mirror has a newer or another index, and what verifying
    ///   throws. The mirror's index is the old one then.
    package func run() throws(SnpackError) -> Outcome {
        guard let file = try source.signedIndex() else {
            throw SnpackError(.sourceNotFound, "there is no channel", path: source.shownPath)
        }
        let index: Verified<ChannelIndex>
        do throws(SnpackError) { index = try keys.verifyIndex(file.index, signature: file.signature) } catch {
            throw error.at(source.path(of: ChannelFile.signed))
        }
        for id in scope.territories where index.document[id] == nil {
            throw SnpackError(.versionNotListed, "the channel does not list \(id)", path: source.shownPath)
        }
        if let local = source as? ChannelDirectory, RealPath.lies(path, in: local.root.path) {
            throw SnpackError(
                .mirrorOfItself, "the mirror would be the channel itself, or lie within it",
                hint: "give another directory", path: path)
        }
        let target = try MirrorDirectory(path, disk: disk)
        let isNew = try target.accepts(index, keys)
        var outcome = Outcome(index: index.document, isNewIndex: isNew)
        let entries = scope.entries(of: index.document)
        outcome.absentCount = index.document.territories.reduce(0) { $0 + $1.versions.count } - entries.count

        let releases = try entries.map { territory, entry throws(SnpackError) in
            try context.cancel.check()
            let release = try ChannelRelease(entry.name.manifestPath, in: source)
            do throws(SnpackError) {
                return try keys.verifyManifest(release, listedAs: entry, of: territory)
            } catch { throw error.at(release.shownPath) }
        }
        outcome.releaseCount = releases.count
        let held = releases.map(target.holds)
        let missing = zip(releases, held).filter { !$0.1 }.map(\.0)
        let files = missing.flatMap { MirrorFile.all(of: $0.document) }
        context.report.begin("mirroring", byteCount: files.reduce(0) { $0 &+ $1.byteCount })
        defer { context.report.end() }
        var places: [Blake3Digest: MirrorFile] = [:]
        for (release, _) in zip(releases, held).filter(\.1) {
            for file in MirrorFile.all(of: release.document) { places[file.blake3] = file }
        }
        for file in files {
            try context.cancel.check()
            if try target.copy(file, from: source, sameAs: places[file.blake3], context: context) {
                outcome.copied.fileCount += 1
                outcome.copied.byteCount &+= file.byteCount
            }
            places[file.blake3] = file
            context.report.advance(file.byteCount)
        }
        for release in missing { try target.write(release) }
        try target.goLive(file)
        if writesCatalogue {
            let listed = index.document.territories.flatMap { $0.versions.map(\.name) }
            let absent = Set(listed).subtracting(releases.map(\.document.name))
            target.writeCatalogue(index, absent: absent, report: context.report)
        }
        return outcome
    }
}
