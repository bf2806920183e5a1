package import Diagnostics
import DurableFiles
import Hashing
import Parallel
import Signing
import Synchronization
package import TerritoryModel

/// Judges a whole channel: index, pair, every manifest, every blob. Reports every fault and changes nothing.
package struct ChannelProof: Sendable {
    /// What was looked at and what was found.
    package struct Report: Sendable {
        package var index: ChannelIndex?
        package var releaseCount = 0
        package var blobCount = 0
        package var blobByteCount: UInt64 = 0
        /// Listed versions that an index verified before lists with the same manifest.
        package var knownCount = 0
        /// Listed versions that a partial mirror does not hold.
        package var absentCount = 0
        package var faults = FaultList()
        /// What a publisher that was killed left undone and the next one does.
        package var warnings: [SnpackError] = []
    }

    private let channel: any ChannelReader
    private let keys: PinnedKeys
    private let depth: ProofDepth
    private let isPartial: Bool
    private let indexProof: IndexProof
    private let since: ChannelIndex?
    private let context: WorkContext

    /// - Parameters:
    ///   - isPartial: a listed version whose manifest, signature and blobs are all absent is not a fault.
    ///   - now: judges expiry.
    ///   - validFor: for how many seconds from then the index must be good.
    ///   - since: an index verified before; what it lists with the same manifest is not looked at again.
    package init(
        _ channel: any ChannelReader, keys: PinnedKeys, depth: ProofDepth, isPartial: Bool, now: Timestamp,
        validFor: Int64 = 0, since: ChannelIndex? = nil, context: WorkContext
    ) {
        self.channel = channel
        self.keys = keys
        self.depth = depth
        self.isPartial = isPartial
        indexProof = IndexProof(channel, keys: keys, now: now, validFor: validFor, since: since)
        self.since = since
        self.context = context
    }

    package func report() throws(SnpackError) -> Report {
        var report = Report()
        guard let index = indexProof.index(faults: &report.faults, warnings: &report.warnings) else { return report }
        report.index = index
        let listed = index.territories.flatMap { territory in territory.versions.map { Listed(territory, $0) } }
        let wanted = listed.filter { !isKnown($0) }
        report.knownCount = listed.count - wanted.count
        try prove(wanted, &report)
        return report
    }

    private func isKnown(_ listed: Listed) -> Bool {
        since?[listed.territory.id]?[listed.entry.version]?.manifestBlake3 == listed.entry.manifestBlake3
    }

    private struct Listed: Sendable {
        let territory: ChannelIndex.Territory
        let entry: ChannelIndex.Version

        init(_ territory: ChannelIndex.Territory, _ entry: ChannelIndex.Version) {
            self.territory = territory
            self.entry = entry
        }
    }

    private struct Blob: Sendable {
        let release: ChannelRelease
        let manifest: Manifest
        let layer: Int
        var path: String { release.path(of: manifest.layers[layer]) }
        var byteCount: UInt64 { manifest.layers[layer].blob.byteCount }
    }

    /// What came of one version.
    private struct Outcome: Sendable {
        var faults = FaultList()
        var isAbsent = false
        var isSound = false
        var blobCount = 0
        var blobByteCount: UInt64 = 0
        /// Blobs that get all cores, one after the other.
        var large: [Blob] = []
    }

    /// Versions side by side, one core each; then the large blobs, each with all cores. Of what is done only counts and
    /// faults are kept.
    private func prove(_ wanted: [Listed], _ report: inout Report) throws(SnpackError) {
        let largeByteCount: UInt64 = 8 << 20
        let byteCount = depth == .deep ? wanted.reduce(UInt64(0)) { $0 &+ $1.entry.totalBytes } : nil
        context.report.begin("verifying", byteCount: byteCount)
        defer { context.report.end() }
        let single = WorkContext(jobs: 1, cancel: context.cancel, report: context.report)
        let (proof, seen) = (PackageProof(depth: depth, context: context), SeenBlobs())
        var (iterator, large) = (wanted.makeIterator(), [Blob]())
        try orderedPipeline(
            jobs: context.jobs,
            produce: { () throws(SnpackError) in
                try context.cancel.check()
                return iterator.next()
            },
            transform: { listed throws(SnpackError) in
                var outcome = Outcome()
                for blob in blobs(listed, &outcome) where isNew(blob, in: seen) {
                    outcome.blobCount += 1
                    outcome.blobByteCount &+= blob.byteCount
                    if depth == .deep, blob.byteCount >= largeByteCount {
                        outcome.large.append(blob)
                    } else {
                        outcome.faults.add(
                            contentsOf: proof.faults(
                                of: blob.release, layer: blob.layer, blob.manifest, context: single))
                    }
                }
                return outcome
            },
            consume: { outcome throws(SnpackError) in
                report.releaseCount += outcome.isSound ? 1 : 0
                report.absentCount += outcome.isAbsent ? 1 : 0
                report.blobCount += outcome.blobCount
                report.blobByteCount &+= outcome.blobByteCount
                report.faults.add(contentsOf: outcome.faults)
                large += outcome.large
            })
        for blob in large {
            report.faults.add(
                contentsOf: proof.faults(of: blob.release, layer: blob.layer, blob.manifest, context: context))
        }
        try context.cancel.check()
    }

    /// The blobs of one version; none if its manifest does not stand.
    private func blobs(_ listed: Listed, _ outcome: inout Outcome) -> [Blob] {
        let entry = listed.entry
        do throws(SnpackError) {
            if isPartial, try channel.document(entry.name.manifestPath, limit: Limits.manifestBytes) == nil {
                outcome.isAbsent = true
                return []
            }
            let release = try ChannelRelease(entry.name.manifestPath, in: channel)
            do throws(SnpackError) {
                let manifest = try keys.verifyManifest(release, listedAs: entry, of: listed.territory).document
                outcome.isSound = true
                return manifest.layers.indices.map { Blob(release: release, manifest: manifest, layer: $0) }
            } catch { throw error.at(release.shownPath) }
        } catch {
            outcome.faults.add(error)
            return []
        }
    }

    /// False for a blob that is one file on disk with one before and signed as the same.
    private func isNew(_ blob: Blob, in seen: SeenBlobs) -> Bool {
        let layer = blob.manifest.layers[blob.layer]
        guard layer.patches.isEmpty, let identity = channel.identity(of: blob.path) else { return true }
        return seen.insert(identity, layer)
    }
}

/// Files on disk that were looked at, by what they are signed as.
private final class SeenBlobs: Sendable {
    private struct Key: Hashable { let device, inode: UInt64; let blob, layer: Blake3Digest; let path: String }
    private let keys = Mutex<Set<Key>>([])

    /// False if it was there.
    func insert(_ identity: FileIdentity, _ layer: Manifest.Layer) -> Bool {
        let key = Key(
            device: identity.device, inode: identity.inode, blob: layer.blob.blake3, layer: layer.blake3,
            path: layer.path.rawValue)
        return keys.withLock { $0.insert(key).inserted }
    }
}
