package import Diagnostics
import DurableFiles
import Hashing
import Signing
package import TerritoryModel
import TerritoryPackage

/// An index that waits for a signature made on another machine, in the channel's `.snpack/staged/`.
package enum StagedIndex {
    static let directory = "staged"
    /// BLAKE3 of the live index that the staged one follows, or `none`.
    static let base = "base"
}

extension ChannelEditor {
    /// What the staged index follows, as it is noted beside it.
    private var base: [UInt8] { Array((live?.blake3.hex ?? "none").utf8) }

    private func staged() throws(SnpackError) -> Directory {
        try root.directory(ChannelFile.work).directory(StagedIndex.directory, creating: 0o700)
    }

    /// Puts an unsigned index where a signature can be laid beside it.
    ///
    /// - Parameter report: is told if another index waited there, which nobody will sign now.
    package func stage(_ index: ChannelIndex, report: any ProgressReporter) throws(SnpackError) {
        let directory = try staged()
        try directory.removeLeftovers()
        if try directory.contains(ChannelFile.index),
            try directory.contents(of: ChannelFile.index, limit: Limits.indexBytes) != index.canonicalBytes
        {
            report.warn(
                SnpackError(
                    .stagedReplaced, "an index that waited for its signature is replaced by this one",
                    hint: "commit a staged change before the next one", path: directory.path))
        }
        try directory.remove(ChannelFile.signature)
        try directory.write(base, to: StagedIndex.base)
        try directory.write(index.canonicalBytes, to: ChannelFile.index)
    }

    /// Makes the staged index live, if it is signed and the live index is still the one it follows.
    ///
    /// - Throws: `channel.staged-stale` (exit status 5) if the live index has changed since.
    package func commitStaged() throws(SnpackError) -> ChannelIndex {
        let directory = try staged()
        guard try directory.contains(ChannelFile.index) else {
            throw SnpackError(
                .stagedMissing, "no index is staged", hint: "snpack publish … --stage comes first",
                path: directory.path)
        }
        guard try directory.contains(ChannelFile.signature) else {
            throw SnpackError(
                .releaseUnsigned, "the staged index is not signed",
                hint: "snpack sign \(directory.path(of: ChannelFile.index)) --key FILE.key", path: directory.path)
        }
        let index = try directory.contents(of: ChannelFile.index, limit: Limits.indexBytes)
        let signature = try directory.contents(of: ChannelFile.signature, limit: SignatureText.maxByteCount)
        let isLive = live?.bytes == index
        let follows = try directory.contents(of: StagedIndex.base, limit: 64)
        guard isLive || follows == base else {
            throw SnpackError(
                .stagedStale, "the live index has changed since this one was staged", hint: "stage again",
                path: directory.path)
        }
        if !isLive {
            try checkFollows(index, signature)
            try goLive(index, signature: signature)
        }
        for name in [ChannelFile.index, ChannelFile.signature, StagedIndex.base] { try directory.remove(name) }
        try directory.sync()
        return try ChannelIndex(decoding: index)
    }

    /// Throws unless what came back from the signing machine follows the live index, and what it adds is here.
    private func checkFollows(_ bytes: [UInt8], _ signature: [UInt8]) throws(SnpackError) {
        let index = try keys.verifyIndex(bytes, signature: signature).document
        if let live = live?.document, index.channel != live.channel || index.sequence <= live.sequence {
            throw SnpackError(
                .stagedStale,
                "the signed index, sequence \(index.sequence) of channel \(index.channel), does not follow the live one, "
                    + "\(live.sequence) of \(live.channel)", hint: "stage again")
        }
        for territory in index.territories {
            for entry in territory.versions
            where live?.document[territory.id]?[entry.version]?.manifestBlake3 != entry.manifestBlake3 {
                _ = try listed(entry, of: territory)
            }
        }
    }
}
