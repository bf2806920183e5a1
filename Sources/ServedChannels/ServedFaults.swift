package import Diagnostics
import Hashing
import Signing
package import TerritoryModel
package import TerritoryPackage

/// Says of what a proof found wrong in documents what the server did to them.
package struct ServedFaults: Sendable {
    private static let names: Set<String> = [
        "index.pair-mismatch", "index.signed-malformed", "index.malformed", "json.malformed", "manifest.mismatch",
        "signature.not-trusted", "signature.malformed",
    ]
    /// Each is looked into with requests of its own.
    private static let limit = 50

    private let channel: ServedChannel
    private let keys: PinnedKeys

    package init(_ channel: ServedChannel, keys: PinnedKeys) {
        self.channel = channel
        self.keys = keys
    }

    /// The same faults, each told by its cause where that can be found out.
    package func explained(_ faults: FaultList, index: ChannelIndex?) -> FaultList {
        var result = FaultList()
        var count = 0
        for fault in faults.faults {
            let isOne = Self.names.contains(fault.code.name) && count < Self.limit
            count += isOne ? 1 : 0
            result.add(isOne ? explained(fault, index) : fault)
        }
        return result
    }

    private func explained(_ fault: SnpackError, _ index: ChannelIndex?) -> SnpackError {
        let prefix = channel.shownPath + "/"
        guard let path = fault.path, path.hasPrefix(prefix) else { return fault }
        let name = String(path.dropFirst(prefix.count))
        return switch ChannelFileKind(ofPath: name) {
        case .index: indexFault(fault, name)
        case .manifest: manifestFault(fault, name, index)
        case .blob: fault
        }
    }

    private func bytes(_ name: String, _ limit: Int) -> [UInt8]? { (try? channel.document(name, limit: limit)) ?? nil }

    private func fault(_ change: ByteChange, _ path: String?) -> SnpackError {
        SnpackError(
            change.code, "the file was \(change.what) on its way: its signature does not fit any more",
            hint: change.hint, path: path)
    }

    private func verifies(_ file: SignedIndexFile) -> Bool {
        (try? keys.verifyIndex(file.index, signature: file.signature)) != nil
    }

    // MARK: - The index

    private func indexFault(_ fault: SnpackError, _ name: String) -> SnpackError {
        guard let served = bytes(name, SignedIndexFile.limit) else { return fault }
        if name == ChannelFile.signed {
            let change = ByteChange.explaining(served) { bytes in
                (try? SignedIndexFile(decoding: bytes)).map(verifies) ?? false
            }
            return change.map { self.fault($0, fault.path) } ?? fault
        }
        guard let whole = bytes(ChannelFile.signed, SignedIndexFile.limit),
            let file = try? SignedIndexFile(decoding: whole), verifies(file)
        else { return fault }
        if name == ChannelFile.signature { return staleSignature(fault, served, of: file.index) }
        if let change = ByteChange.explaining(served, isRight: { $0 == file.index }) {
            return self.fault(change, fault.path)
        }
        return staleIndex(fault, served, file)
    }

    private func staleIndex(_ fault: SnpackError, _ served: [UInt8], _ file: SignedIndexFile) -> SnpackError {
        guard let here = try? ChannelIndex(decoding: served), let signed = try? ChannelIndex(decoding: file.index),
            here.sequence != signed.sequence
        else { return fault }
        let isNowRight = channel.freshDocument(ChannelFile.index, limit: Limits.indexBytes) == file.index
        return SnpackError(
            .servedStaleIndex,
            "it has sequence \(here.sequence), and index.signed has \(signed.sequence): one of them is stale"
                + (isNowRight ? " in a cache" : ""),
            hint: isNowRight
                ? "let caches keep index.* for a minute at most, or clear them after publishing"
                : "upload index.signed, then index.json.sig and index.json", path: fault.path)
    }

    private func staleSignature(_ fault: SnpackError, _ served: [UInt8], of document: [UInt8]) -> SnpackError {
        guard (try? SignatureText(decoding: served)) != nil else { return fault }
        return SnpackError(
            .servedStaleSignature, "it is a signature, but not of the document that is served: it is stale",
            hint: "upload the .sig again with its document, and clear the cache in between", path: fault.path)
    }

    // MARK: - Manifests

    private func manifestFault(_ fault: SnpackError, _ name: String, _ index: ChannelIndex?) -> SnpackError {
        let manifestName = name.hasSuffix(".sig") ? String(name.dropLast(4)) : name
        let entries = index?.territories.lazy.flatMap(\.versions)
        guard let entry = entries?.first(where: { $0.name.manifestPath == manifestName }),
            let served = bytes(manifestName, Limits.manifestBytes)
        else { return fault }
        if .of(served) == entry.manifestBlake3 {
            guard fault.code == .signatureNotTrusted,
                let signature = bytes(manifestName + ".sig", SignatureText.maxByteCount)
            else { return fault }
            let path = SnpackError(fault.code, "", path: channel.path(of: manifestName + ".sig"))
            let stale = staleSignature(path, signature, of: served)
            return stale.code == .servedStaleSignature ? stale : fault
        }
        let change = ByteChange.explaining(served) { .of($0) == entry.manifestBlake3 }
        return change.map { self.fault($0, fault.path) } ?? fault
    }
}
