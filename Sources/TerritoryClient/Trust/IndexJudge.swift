package import Diagnostics
import Signing
package import TerritoryModel
package import TerritoryPackage

/// Decides whether an index that just arrived is accepted. Pure: bytes, keys, memory and the time come in.
package struct IndexJudge: Sendable {
    package let keys: PinnedKeys
    /// The name that the store expects. Nothing is learnt from an answer.
    package let channel: ChannelName
    package let remembered: RememberedIndex
    /// The system's clock, read once a command.
    package let now: Timestamp
    /// Seconds that an index may be old.
    package let maxAge: Int64?
    package let allowances: Allowances

    package init(
        keys: PinnedKeys, channel: ChannelName, remembered: RememberedIndex, now: Timestamp, maxAge: Int64? = nil,
        allowances: Allowances = []
    ) {
        self.keys = keys
        self.channel = channel
        self.remembered = remembered
        self.now = now
        self.maxAge = maxAge
        self.allowances = allowances
    }

    /// Signature, role, form and name: what holds of the index whatever was seen before.
    package func verified(_ file: SignedIndexFile) throws(SnpackError) -> Verified<ChannelIndex> {
        let index = try keys.verifyIndex(file.index, signature: file.signature)
        guard index.document.channel == channel else {
            throw SnpackError(
                .indexOtherChannel,
                "the index is of channel \(quoted(index.document.channel.rawValue)), not \(channel)",
                hint: "check the address, or name the channel with --channel-name")
        }
        return index
    }

    /// Judges it against the mark, then its age.
    ///
    /// - Throws: `index.forked`, `index.rolled-back`, `index.expired`, `index.stale`, unless allowed.
    package func accept(_ index: Verified<ChannelIndex>) throws(SnpackError) -> AcceptedIndex {
        let accepted = try acceptForLooking(index)
        guard !allowances.contains(.expired) else { return accepted }
        let document = index.document
        switch accepted.info.freshness {
        case .expired:
            try document.checkNotExpired(at: now)
        case .stale:
            throw SnpackError(
                .indexStale,
                "the index is of \(document.publishedAt), older than the \(maxAge ?? 0) seconds asked for",
                hint: "try another source, or a longer --max-age")
        case .fresh, .unknown: break
        }
        return accepted
    }

    /// The same without its age, for commands that only look.
    package func acceptForLooking(_ index: Verified<ChannelIndex>) throws(SnpackError) -> AcceptedIndex {
        let isBelowMark = try isBelowMark(index)
        let freshness = Freshness(of: index.document, at: now, maxAge: maxAge)
        let isClockWrong =
            now.secondsSince1970 < index.document.publishedAt.secondsSince1970 - Freshness.clockTolerance
        return AcceptedIndex(
            index: index, info: IndexInfo(index.document, freshness: freshness, now: now),
            setsMark: !isBelowMark && remembered.mark != IndexMark(of: index),
            withdrawals: isBelowMark ? remembered.index : nil,
            warning: isClockWrong
                ? SnpackError(
                    .clockWrong,
                    "this machine's clock says \(now), over a day before the index was made (\(index.document.publishedAt)): "
                        + "whether it is fresh cannot be told",
                    hint: "set the clock")
                : nil)
    }

    private func isBelowMark(_ index: Verified<ChannelIndex>) throws(SnpackError) -> Bool {
        guard let mark = remembered.mark else { return false }
        let document = index.document
        if document.sequence == mark.sequence, index.blake3 != mark.blake3 {
            throw SnpackError(
                .indexForked,
                "two different indices have sequence \(mark.sequence): one of \(mark.publishedAt), accepted before, and this "
                    + "of \(document.publishedAt)",
                hint: "the signing key was used in two places, or is stolen: ask who publishes the channel")
        }
        guard document.sequence < mark.sequence else { return false }
        if allowances.contains(.olderIndex) { return true }
        throw SnpackError(
            .indexRolledBack,
            "the index is sequence \(document.sequence) of \(document.publishedAt); this store has seen \(mark.sequence) of "
                + "\(mark.publishedAt)",
            hint: "a mirror may only be behind: try another source or later; --allow-older-index takes it once")
    }
}

/// An index that may be gone by.
package struct AcceptedIndex: Sendable {
    package let index: Verified<ChannelIndex>
    package let info: IndexInfo
    /// Whether it must be stored as the mark before anything else is fetched.
    package let setsMark: Bool
    /// The marked index when this one is below it: what that withdrew stays withdrawn.
    package let withdrawals: ChannelIndex?
    package let warning: SnpackError?
}
