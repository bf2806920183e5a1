import Diagnostics
import DurableFiles
import TerritoryModel
import TerritoryPackage

/// Judges whatever a person names: a channel, or a package in one of its forms.
struct Verification {
    let keys: PinnedKeys
    let depth: ProofDepth
    let isPartial: Bool
    let now: Timestamp
    let context: WorkContext

    /// What was looked at, and everything that is wrong with it.
    struct Finding {
        /// `channel`, `release`, `archive` or `directory`.
        let kind: String
        /// What was checked, in a few words.
        let summary: String
        let counts: JSONObject
        let faults: FaultList

        /// 3 on any fault, whatever kind it is elsewhere; 8 only if all are things too new for this version.
        var status: ExitStatus {
            if faults.isEmpty { return .done }
            return faults.commonStatus == .unsupported ? .unsupported : .verification
        }
    }

    /// - Throws: only when there is nothing to judge at `target`; faults are in what is returned.
    func judge(_ target: String) throws(SnpackError) -> Finding {
        if HTTPChannel.isOne(target) { return try judge(HTTPChannel(target, cancel: context.cancel)) }
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
        case .directory(let directory): return try judge(directory)
        }
    }

    private func judge(_ channel: HTTPChannel) throws(SnpackError) -> Finding {
        // A server that cannot be reached is no fault of its channel.
        do { _ = try channel.document(ChannelFile.signed, limit: SignedIndexFile.limit) } catch
            where error.code.exitStatus == .network
        { throw error }
        return try judge(channel as any ChannelReader)
    }

    private func judge(_ channel: any ChannelReader) throws(SnpackError) -> Finding {
        let report = try ChannelProof(
            channel, keys: keys, depth: depth, isPartial: isPartial, now: now, context: context
        ).report()
        for warning in report.warnings { context.report.warn(warning) }
        var counts: JSONObject = report.index.map(IndexText.head) ?? [:]
        counts["releases"] = .number(JSONNumber(Int64(report.releaseCount)))
        counts["blobs"] = .number(JSONNumber(Int64(report.blobCount)))
        counts["blob_bytes"] = .number(JSONNumber(report.blobByteCount))
        counts["absent"] = .number(JSONNumber(Int64(report.absentCount)))
        let absent = report.absentCount > 0 ? ", \(report.absentCount) not here" : ""
        return Finding(
            kind: "channel",
            summary: "\(report.releaseCount) releases, \(report.blobCount) blobs of "
                + "\(byteText(report.blobByteCount))\(absent)",
            counts: counts, faults: report.faults)
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
