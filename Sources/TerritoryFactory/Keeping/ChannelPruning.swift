package import Diagnostics
import DurableFiles
package import TerritoryModel
package import TerritoryPackage

/// Takes old versions out of a channel: out of the index first, and their files after a grace time.
package struct ChannelPruning: Sendable {
    package struct Outcome: Sendable {
        package var index: ChannelIndex
        package var isSigned = false
        /// Versions that left the index.
        package var dropped: [ReleaseName] = []
        /// Releases of which the files are deleted.
        package var deleted: [ReleaseName] = []
        /// Releases of which the files wait, and until when.
        package var waiting: [(name: ReleaseName, until: Timestamp)] = []
        /// Bytes that the deletion frees. Of a dry run: that this prune frees in the end.
        package var byteCount: UInt64 = 0
    }

    /// Versions of a territory that stay listed, besides the one that is offered.
    private let keep: Int
    /// Seconds for which the files of an unlisted version stay.
    private let grace: Int64
    private let now: Timestamp
    private let context: WorkContext

    package init(keep: Int, grace: Int64, now: Timestamp, context: WorkContext) {
        self.keep = keep
        self.grace = grace
        self.now = now
        self.context = context
    }

    /// Signs or stages the index without the old versions, and deletes what has waited long enough.
    package func run(_ change: ChannelChange) throws(SnpackError) -> Outcome {
        var dropped: [ReleaseName] = []
        var swept: Outcome?
        let changed = try change.run { editor, edit throws(SnpackError) in
            guard let live = editor.live?.document else { return }
            let plan = PrunePlan(live, keep: keep) { entry, territory throws(SnpackError) in
                try editor.listed(entry, of: territory).manifest.document
            }
            for error in plan.unreadable { context.report.warn(error) }
            for name in plan.dropped { edit.remove(name) }
            dropped = plan.dropped
        } after: { editor throws(SnpackError) in
            guard let live = editor.live?.document else { return }
            swept = try sweep(editor, live)
        }
        var outcome = swept ?? Outcome(index: changed.index)
        outcome.index = changed.index
        outcome.isSigned = changed.isSigned
        outcome.dropped = dropped
        return outcome
    }

    /// What ``run(_:)`` would do in the end, changing nothing.
    package func rehearse(_ channel: ChannelDirectory, keys: PinnedKeys) throws(SnpackError) -> Outcome {
        guard let file = try channel.signedIndex() else { throw noIndex(channel.shownPath) }
        let index = try keys.verifyIndex(file.index, signature: file.signature).document
        let plan = PrunePlan(index, keep: keep) { entry, territory throws(SnpackError) in
            try keys.verifyManifest(
                ChannelRelease(entry.name.manifestPath, in: channel), listedAs: entry, of: territory
            ).document
        }
        for error in plan.unreadable { context.report.warn(error) }
        var outcome = Outcome(index: index)
        outcome.dropped = plan.dropped
        let listed = Set(index.territories.flatMap { $0.versions.map(\.name) }).union(staged(channel.root))
            .subtracting(plan.dropped)
        let going = try releases(in: channel.root, except: listed, keys)
        outcome.deleted = going.map(\.name)
        outcome.byteCount = ReleaseFiles.byteCountFreed(going)
        return outcome
    }

    private func sweep(_ editor: ChannelEditor, _ live: ChannelIndex) throws(SnpackError) -> Outcome {
        let listed = Set(live.territories.flatMap { $0.versions.map(\.name) }).union(staged(editor.root))
        let unlisted = try releases(in: editor.root, except: listed, editor.keys)
        let work = try editor.root.directory(ChannelFile.work)
        var record = UnlistedReleases(in: work)
        record.update(unlisted.map(\.name), at: now)
        try record.write(to: work)

        var outcome = Outcome(index: live)
        var due: [ReleaseFiles] = []
        for release in unlisted {
            let start = record.since[release.name] ?? now
            let until = Timestamp(secondsSince1970: start.secondsSince1970 &+ grace)
            if until > now { outcome.waiting.append((release.name, until)) } else { due.append(release) }
        }
        outcome.byteCount = ReleaseFiles.byteCountFreed(due)
        for release in due {
            try context.cancel.check()
            try release.remove(from: editor.root)
            outcome.deleted.append(release.name)
        }
        return outcome
    }

    /// The releases that a staged index lists: they wait for its signature.
    private func staged(_ root: Directory) -> Set<ReleaseName> {
        guard
            let bytes = try? root.file(at: "\(ChannelFile.work)/\(StagedIndex.directory)/\(ChannelFile.index)")
                .allBytes(limit: Limits.indexBytes), let index = try? ChannelIndex(decoding: bytes)
        else { return [] }
        return Set(index.territories.flatMap { $0.versions.map(\.name) })
    }

    /// The releases on disk that are not `listed`. What cannot be told for one stays, with a warning.
    private func releases(
        in root: Directory, except listed: Set<ReleaseName>, _ keys: PinnedKeys
    ) throws(SnpackError) -> [ReleaseFiles] {
        guard try root.contains(ChannelFile.territories) else { return [] }
        let territories = try root.directory(ChannelFile.territories)
        var found: [ReleaseFiles] = []
        for raw in try territories.names() {
            guard let id = try? TerritoryID(parsing: raw), let territory = try? territories.directory(raw) else {
                continue
            }
            for raw in try territory.names() {
                guard let version = try? TerritoryVersion(parsing: raw) else { continue }
                let name = ReleaseName(id, version)
                guard !listed.contains(name) else { continue }
                do throws(SnpackError) {
                    let files = try ReleaseFiles(name, in: root)
                    try checkOwn(files, in: root, keys)
                    found.append(files)
                } catch { context.report.warn(error) }
            }
        }
        return found
    }

    /// Throws for a directory that is not a release of these keys: another's, or one with files that are no release's.
    /// A publisher that was killed leaves layers without a manifest; those are its own.
    private func checkOwn(_ files: ReleaseFiles, in root: Directory, _ keys: PinnedKeys) throws(SnpackError) {
        let directory = try root.directory(at: files.name.directory)
        func stays(_ reason: String) -> SnpackError {
            SnpackError(
                .pruneUnreadable, "\(files.name) is not listed and stays: \(reason)",
                hint: "look at it, and remove it by hand", path: directory.path)
        }
        if let foreign = files.foreign.first { throw stays("\(quoted(foreign)) is no file of a release") }
        guard try directory.contains(PackageFile.manifest) else { return }
        do throws(SnpackError) {
            let release = try Release(directory, signed: false)
            // Killed between the manifest and its signature, it has none.
            let manifest =
                release.signatureBytes.isEmpty
                ? try Manifest(decoding: release.manifestBytes)
                : try keys.verifyManifest(release.manifestBytes, signature: release.signatureBytes).document
            guard manifest.name == files.name else { throw stays("its manifest is another's") }
        } catch  where error.code != .pruneUnreadable {
            throw stays(error.message)
        }
    }

    private func noIndex(_ path: String) -> SnpackError {
        SnpackError(.fileMissing, "the channel has no index", hint: "snpack publish makes one", path: path)
    }
}
