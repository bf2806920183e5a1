import Arguments
import Diagnostics
import DurableFiles
import ServedChannels
import TerritoryModel
import TerritoryPackage

/// Judges whatever a person names: a channel, or a package in one of its forms.
struct Verification {
    let keys: PinnedKeys
    let depth: ProofDepth
    let isPartial: Bool
    let now: Timestamp
    /// For how many seconds a channel's index must be good.
    var validFor: Int64 = 0
    /// What was verified before, and is not looked at again.
    var since: ChannelIndex?
    let context: WorkContext

    /// What was looked at, and everything that is wrong with it.
    struct Finding {
        /// `channel`, `release`, `archive` or `directory`.
        let kind: String
        /// What was checked, in a few words.
        let summary: String
        let counts: JSONObject
        let faults: FaultList
        var warnings: [SnpackError] = []

        /// 3 on any fault, whatever kind it is elsewhere; 8 only if all are things too new for this version.
        var status: ExitStatus {
            if faults.isEmpty { return .done }
            return faults.commonStatus == .unsupported ? .unsupported : .verification
        }
    }

    /// - Throws: only when there is nothing to judge at `target`; faults are in what is returned.
    func judge(_ target: String) throws(SnpackError) -> Finding {
        guard FileIdentity.at(target) != nil else {
            throw SnpackError(.sourceNotFound, "there is no such file or directory", path: target)
        }
        let source: LocalSource
        do throws(SnpackError) { source = try LocalSource(opening: target) } catch {
            var faults = FaultList()
            faults.add(error.at(target))
            return Finding(kind: "unknown", summary: "unreadable", counts: [:], faults: faults)
        }
        switch source {
        case .channel(let channel): return try judge(channel as any ChannelReader)
        case .release(let release): return try judge(release, "release")
        case .archive(let archive): return try judge(archive, "archive")
        case .directory(let directory):
            if case .sampled = depth {
                throw SnpackError(
                    .usageInvalidValue, "an unpacked package has no chunks to take a sample of",
                    hint: "leave out --sample", path: target)
            }
            return try judge(directory)
        }
    }

    /// A channel on a server, and how it is served.
    func judge(_ channel: ServedChannel) throws(SnpackError) -> Finding {
        // A server that cannot be reached is no fault of its channel.
        do { _ = try channel.document(ChannelFile.signed, limit: SignedIndexFile.limit) } catch
            where error.code.exitStatus == .network
        { throw error }
        // Most of the time goes by waiting for answers.
        let busy = WorkContext(jobs: max(8, context.jobs), cancel: context.cancel, report: context.report)
        var report = try report(of: channel, busy)
        report.faults = ServedFaults(channel, keys: keys).explained(report.faults, index: report.index)
        let (faults, warnings) = DeliveryProbe(channel).findings(index: report.index)
        try context.cancel.check()
        for fault in faults { report.faults.add(fault) }
        report.warnings += warnings
        return finding(report)
    }

    private func judge(_ channel: any ChannelReader) throws(SnpackError) -> Finding {
        finding(try report(of: channel, context))
    }

    private func report(
        of channel: any ChannelReader, _ context: WorkContext
    ) throws(SnpackError) -> ChannelProof.Report {
        try ChannelProof(
            channel, keys: keys, depth: depth, isPartial: isPartial, now: now, validFor: validFor, since: since,
            context: context
        ).report()
    }

    private func finding(_ report: ChannelProof.Report) -> Finding {
        for warning in report.warnings { context.report.warn(warning) }
        var counts: JSONObject = report.index.map(IndexText.head) ?? [:]
        let numbers = [
            ("releases", report.releaseCount), ("blobs", report.blobCount), ("absent", report.absentCount),
            ("known", report.knownCount),
        ]
        for (name, number) in numbers { counts[name] = .number(JSONNumber(Int64(number))) }
        counts["blob_bytes"] = .number(JSONNumber(report.blobByteCount))
        let absent = report.absentCount > 0 ? ", \(report.absentCount) not here" : ""
        let known = since != nil ? ", \(report.knownCount) known before" : ""
        return Finding(
            kind: "channel",
            summary: "\(report.releaseCount) releases, \(report.blobCount) blobs of "
                + "\(byteText(report.blobByteCount))\(known)\(absent)",
            counts: counts, faults: report.faults, warnings: report.warnings)
    }

    private func judge(_ package: some PackedPackage, _ kind: String) throws(SnpackError) -> Finding {
        try judge(kind, package.manifestBytes, package.signatureBytes, at: package.shownPath) {
            manifest throws(SnpackError) in
            context.report.begin(
                "verifying \(manifest.name)", byteCount: manifest.layers.reduce(0) { $0 &+ $1.blob.tarByteCount })
            defer { context.report.end() }
            let faults = PackageProof(depth: depth, context: context).faults(of: package, manifest)
            try context.cancel.check()
            return faults
        }
    }

    private func judge(_ package: PackageDirectory) throws(SnpackError) -> Finding {
        try judge("directory", package.manifestBytes, package.signatureBytes, at: package.directory.path) {
            manifest throws(SnpackError) in
            var faults = try package.faults(manifest, depth: depth, context: context)
            if depth == .deep, faults.isEmpty {
                faults.add(contentsOf: try LayerContents(package, manifest).faults(context: context))
            }
            return faults
        }
    }

    private func judge(
        _ kind: String, _ bytes: [UInt8], _ signature: [UInt8], at path: String,
        _ files: (Manifest) throws(SnpackError) -> FaultList
    ) throws(SnpackError) -> Finding {
        let manifest: Manifest
        do throws(SnpackError) {
            manifest = try keys.verifyManifest(bytes, signature: signature).document
        } catch {
            var faults = FaultList()
            faults.add(error.at(path))
            return Finding(kind: kind, summary: "its manifest does not stand", counts: [:], faults: faults)
        }
        return Finding(
            kind: kind, summary: "\(manifest.name), \(manifest.layers.count) layers",
            counts: ManifestText.json(manifest), faults: try files(manifest))
    }
}
