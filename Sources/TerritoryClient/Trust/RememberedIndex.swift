package import Diagnostics
import Signing
package import TerritoryModel
package import TerritoryPackage

/// What a store knows of a channel from before, read out of the mark and the kept index, each of which may be damaged.
package struct RememberedIndex: Sendable {
    /// Nil at first contact, after a change of keys, and when nothing could be saved.
    package let mark: IndexMark?
    /// The marked index, verified again; nil when it is not there or not whole.
    package let index: ChannelIndex?
    /// What the person should know.
    package let warning: SnpackError?

    /// - Parameters:
    ///   - mark: the mark file's bytes; nil if there is none.
    ///   - signedIndex: the kept `index.signed`; nil if there is none.
    package init(mark: [UInt8]?, signedIndex: [UInt8]?, channel: ChannelName, keys: PinnedKeys) {
        let current = Set(keys.factory.map(\.keyID) + keys.region.map(\.keyID))
        let written = mark.flatMap { IndexMark(decoding: $0) }
        if let written, !current.contains(written.keyID) {
            self.init(
                warning: SnpackError(
                    .markKeyRetired,
                    "the mark of channel \(channel) is of key \(written.keyID), which is not current any more",
                    hint: "nothing to do: the next index of a current key sets a new one"))
            return
        }
        let kept = signedIndex.flatMap { Self.verified($0, channel, keys) }
        switch (written, kept) {
        case (let written?, let kept?):
            // A crash between the two files leaves the index one step ahead.
            let isAhead = kept.document.sequence > written.sequence
            let isSame = kept.blake3 == written.blake3
            self.init(
                mark: isAhead ? IndexMark(of: kept) : written, index: isAhead || isSame ? kept.document : nil)
        case (let written?, nil): self.init(mark: written)
        case (nil, let kept?):
            self.init(
                mark: IndexMark(of: kept), index: kept.document,
                warning: mark == nil
                    ? nil
                    : SnpackError(
                        .markRebuilt,
                        "the mark of channel \(channel) was damaged; it was made again from the kept index"
                    ))
        case (nil, nil):
            let isFirstContact = mark == nil && signedIndex == nil
            self.init(
                warning: isFirstContact
                    ? nil
                    : SnpackError(
                        .markStartsAfresh,
                        "the mark of channel \(channel) is damaged: protection against old indices starts afresh",
                        hint: "if you can, compare the index's sequence with that of another store"))
        }
    }

    private init(mark: IndexMark? = nil, index: ChannelIndex? = nil, warning: SnpackError? = nil) {
        self.mark = mark
        self.index = index
        self.warning = warning
    }

    private static func verified(
        _ bytes: [UInt8], _ channel: ChannelName, _ keys: PinnedKeys
    ) -> Verified<ChannelIndex>? {
        guard bytes.count <= SignedIndexFile.limit, let file = try? SignedIndexFile(decoding: bytes),
            let index = try? keys.verifyIndex(file.index, signature: file.signature),
            index.document.channel == channel
        else { return nil }
        return index
    }
}
