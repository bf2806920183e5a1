package import Diagnostics
import DurableFiles
import Hashing
import Parallel
import Signing
package import TerritoryModel

/// Judges a whole channel: index, pair, every manifest, every blob. Reports every fault and changes nothing.
package struct ChannelProof: Sendable {
    /// What was looked at and what was found.
    package struct Report: Sendable {
        package var index: ChannelIndex?
        package var releaseCount = 0
        package var blobCount = 0
        package var blobByteCount: UInt64 = 0
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
    private let now: Timestamp
    private let context: WorkContext

    /// - Parameters:
    ///   - isPartial: a listed version whose manifest, signature and blobs are all absent is not a fault.
    ///   - now: judges expiry.
    package init(
        _ channel: any ChannelReader, keys: PinnedKeys, depth: ProofDepth, isPartial: Bool, now: Timestamp,
        context: WorkContext
    ) {
        self.channel = channel
        self.keys = keys
        self.depth = depth
        self.isPartial = isPartial
        self.now = now
        self.context = context
    }

    package func report() throws(SnpackError) -> Report {
        var report = Report()
        guard let index = index(&report) else { return report }
        report.index = index
        let versions = index.territories.flatMap { territory in territory.versions.map { (territory, $0) } }
        var blobs: [Blob] = []
        for (territory, entry) in versions {
            try context.cancel.check()
            guard let release = release(territory, entry, &report) else { continue }
            report.releaseCount += 1
            blobs += release
        }
        try prove(distinct(blobs), &report)
        return report
    }

    /// The index, if the signed file and the pair are there, agree and verify.
    private func index(_ report: inout Report) -> ChannelIndex? {
        var faults = FaultList()
        defer { report.faults.add(contentsOf: faults) }
        do throws(SnpackError) {
            guard let file = try channel.signedIndex() else {
                throw SnpackError(
                    .fileMissing, "there is no index.signed, and no index.json with its signature",
                    path: channel.path(of: ChannelFile.signed))
            }
            let verified: Verified<ChannelIndex>
            do throws(SnpackError) { verified = try keys.verifyIndex(file.index, signature: file.signature) } catch {
                faults.collect { () throws(SnpackError) in try checkPair(agreesWith: file) }
                throw error.at(channel.path(of: ChannelFile.signed))
            }
            do throws(SnpackError) { try checkPair(agreesWith: file) } catch {
                if isPairUnfinished(file, verified.document) {
                    report.warnings.append(error)
                } else {
                    faults.add(error)
                }
            }
            faults.collect { () throws(SnpackError) in
                try verified.document.checkNotExpired(at: now, path: channel.path(of: ChannelFile.signed))
            }
            return verified.document
        } catch {
            faults.add(error)
            return nil
        }
    }

    private func checkPair(agreesWith file: SignedIndexFile) throws(SnpackError) {
        func mismatch(_ reason: String, _ name: String) -> SnpackError {
            SnpackError(
                .indexPairMismatch, reason,
                hint: "run a publishing command: it writes the pair from index.signed again",
                path: channel.path(of: name))
        }
        guard try channel.document(ChannelFile.signed, limit: SignedIndexFile.limit) != nil else {
            throw mismatch("it is not there, and clients ask for it first", ChannelFile.signed)
        }
        guard let pair = try channel.pair() else {
            throw mismatch("the pair index.json and index.json.sig is not there, or half of it", ChannelFile.index)
        }
        guard pair.index == file.index else { throw mismatch("it is not what index.signed holds", ChannelFile.index) }
        // Space around the lines means nothing.
        guard let lines = try? SignatureText(decoding: pair.signature),
            lines == (try? SignatureText(decoding: file.signature))
        else {
            throw mismatch("it is not what index.signed holds", ChannelFile.signature)
        }
    }

    /// True in a publisher's own channel whose pair is what a crash between the last three steps of publishing leaves:
    /// nothing or an older index, its signature already the new one or still its own. `index.signed` is what counts.
    private func isPairUnfinished(_ file: SignedIndexFile, _ index: ChannelIndex) -> Bool {
        func read(_ name: String, _ limit: Int) -> [UInt8]? { try? channel.document(name, limit: limit) }
        guard read(ChannelFile.lock, 1 << 10) != nil, read(ChannelFile.signed, SignedIndexFile.limit) != nil else {
            return false
        }
        let signature = read(ChannelFile.signature, SignatureText.maxByteCount)
        guard let bytes = read(ChannelFile.index, Limits.indexBytes) else {
            return signature == nil || signature == file.signature
        }
        guard let older = try? ChannelIndex(decoding: bytes), older.channel == index.channel,
            older.sequence < index.sequence
        else { return false }
        return signature == file.signature
            || signature.map { (try? keys.verifyIndex(bytes, signature: $0)) != nil } ?? false
    }

    // MARK: - Releases

    private struct Blob: Sendable {
        let release: ChannelRelease
        let manifest: Manifest
        let layer: Int
        var path: String { release.path(of: manifest.layers[layer]) }
        var byteCount: UInt64 { manifest.layers[layer].blob.byteCount }
    }

    /// The blobs of one version; nil if its manifest does not stand.
    private func release(
        _ territory: ChannelIndex.Territory, _ entry: ChannelIndex.Version, _ report: inout Report
    ) -> [Blob]? {
        do throws(SnpackError) {
            if isPartial, try channel.document(entry.name.manifestPath, limit: Limits.manifestBytes) == nil {
                report.absentCount += 1
                return nil
            }
            let release = try ChannelRelease(entry.name.manifestPath, in: channel)
            do throws(SnpackError) {
                let manifest = try keys.verifyManifest(release, listedAs: entry, of: territory).document
                return manifest.layers.indices.map { Blob(release: release, manifest: manifest, layer: $0) }
            } catch { throw error.at(release.shownPath) }
        } catch {
            report.faults.add(error)
            return nil
        }
    }

    // MARK: - Blobs

    /// Leaves out blobs that are one file on disk with one before and are signed as the same.
    private func distinct(_ blobs: [Blob]) -> [Blob] {
        struct Key: Hashable { let device, inode: UInt64; let blob, layer: Blake3Digest; let path: String }
        var seen: Set<Key> = []
        return blobs.filter { blob in
            let layer = blob.manifest.layers[blob.layer]
            guard layer.patches.isEmpty, let identity = channel.identity(of: blob.path) else { return true }
            let key = Key(
                device: identity.device, inode: identity.inode, blob: layer.blob.blake3, layer: layer.blake3,
                path: layer.path.rawValue)
            return seen.insert(key).inserted
        }
    }

    /// Small blobs go side by side, one core each; a large one gets all cores.
    private func prove(_ blobs: [Blob], _ report: inout Report) throws(SnpackError) {
        let largeByteCount: UInt64 = 8 << 20
        let proof = PackageProof(depth: depth, context: context)
        context.report.begin(
            "verifying", byteCount: blobs.reduce(0) { $0 &+ $1.manifest.layers[$1.layer].blob.tarByteCount })
        defer { context.report.end() }
        report.blobCount += blobs.count
        for blob in blobs { report.blobByteCount &+= blob.byteCount }
        let single = WorkContext(jobs: 1, cancel: context.cancel, report: context.report)
        let small = parallelMap(blobs.filter { $0.byteCount < largeByteCount }, jobs: context.jobs) { blob in
            proof.faults(of: blob.release, layer: blob.layer, blob.manifest, context: single)
        }
        for faults in small { report.faults.add(contentsOf: faults) }
        for blob in blobs where blob.byteCount >= largeByteCount {
            report.faults.add(
                contentsOf: proof.faults(of: blob.release, layer: blob.layer, blob.manifest, context: context))
        }
        try context.cancel.check()
    }
}

extension ChannelIndex {
    /// Throws `index.expired` when `now` is past `expires_at`.
    package func checkNotExpired(at now: Timestamp, path: String? = nil) throws(SnpackError) {
        guard let expiresAt, expiresAt <= now else { return }
        throw SnpackError(
            .indexExpired, "the index expired at \(expiresAt)",
            hint: "refresh the channel (snpack refresh); if it is fresh, check this machine's clock", path: path)
    }
}

extension PinnedKeys {
    /// Verifies a manifest that an accepted index lists: its BLAKE3 first, then signature and role, then the facts.
    package func verifyManifest(
        _ release: ChannelRelease, listedAs entry: ChannelIndex.Version, of territory: ChannelIndex.Territory
    ) throws(SnpackError) -> Verified<Manifest> {
        try verifyManifest(
            release.manifestBytes, signature: release.signatureBytes, listedAs: entry, of: territory)
    }

    /// The same for bytes that came some other way.
    package func verifyManifest(
        _ bytes: [UInt8], signature: [UInt8], listedAs entry: ChannelIndex.Version,
        of territory: ChannelIndex.Territory
    ) throws(SnpackError) -> Verified<Manifest> {
        guard .of(bytes) == entry.manifestBlake3 else {
            throw SnpackError(
                .manifestMismatch, "it does not have the BLAKE3 that the index lists",
                hint: "the channel may be in the middle of an update: try again")
        }
        let verified = try verifyManifest(bytes, signature: signature)
        try territory.check(verified.document, listedAs: entry.version)
        return verified
    }
}
