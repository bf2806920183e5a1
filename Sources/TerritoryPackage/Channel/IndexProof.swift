package import Diagnostics
import Signing
package import TerritoryModel

/// Judges a channel's index: signed file and pair, their signatures and agreement, its age.
struct IndexProof: Sendable {
    let channel: any ChannelReader
    let keys: PinnedKeys
    let now: Timestamp
    let validFor: Int64
    let since: ChannelIndex?

    init(_ channel: any ChannelReader, keys: PinnedKeys, now: Timestamp, validFor: Int64, since: ChannelIndex?) {
        self.channel = channel
        self.keys = keys
        self.now = now
        self.validFor = validFor
        self.since = since
    }

    /// The index, if the signed file and the pair are there, agree and verify.
    func index(faults: inout FaultList, warnings: inout [SnpackError]) -> ChannelIndex? {
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
                if (try? isPairUnfinished(file, verified.document)) == true {
                    warnings.append(error)
                } else {
                    faults.add(error)
                }
            }
            faults.collect { () throws(SnpackError) in
                try verified.document.checkNotExpired(
                    at: now, validFor: validFor, path: channel.path(of: ChannelFile.signed))
            }
            faults.collect { () throws(SnpackError) in try checkNotOlder(verified.document) }
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
    /// - Throws: for what is there and cannot be read, which no crash leaves.
    private func isPairUnfinished(_ file: SignedIndexFile, _ index: ChannelIndex) throws(SnpackError) -> Bool {
        guard try channel.document(ChannelFile.lock, limit: 1 << 10) != nil,
            try channel.document(ChannelFile.signed, limit: SignedIndexFile.limit) != nil
        else { return false }
        let signature = try channel.document(ChannelFile.signature, limit: SignatureText.maxByteCount)
        guard let bytes = try channel.document(ChannelFile.index, limit: Limits.indexBytes) else {
            return signature == nil || signature == file.signature
        }
        guard let older = try? ChannelIndex(decoding: bytes), older.channel == index.channel,
            older.sequence < index.sequence
        else { return false }
        return signature == file.signature
            || signature.map { (try? keys.verifyIndex(bytes, signature: $0)) != nil } ?? false
    }

    private func checkNotOlder(_ index: ChannelIndex) throws(SnpackError) {
        guard let since else { return }
        let path = channel.path(of: ChannelFile.signed)
        guard since.channel == index.channel else {
            throw SnpackError(
                .indexOtherChannel,
                "the index verified before is of channel \(quoted(since.channel.rawValue)), not "
                    + quoted(index.channel.rawValue), hint: "give an index of the same channel", path: path)
        }
        guard since.sequence <= index.sequence else {
            throw SnpackError(
                .indexOlder, "sequence \(index.sequence) is older than \(since.sequence), verified before",
                hint: "a server or mirror is behind, or the channel was put back", path: path)
        }
    }
}

extension ChannelIndex {
    /// Throws `index.expired` when `now` is past `expires_at`, `index.expires-soon` when it will be so many seconds later.
    package func checkNotExpired(
        at now: Timestamp, validFor seconds: Int64 = 0, path: String? = nil
    ) throws(SnpackError) {
        guard let expiresAt else { return }
        guard expiresAt <= now else {
            guard expiresAt.secondsSince1970 - now.secondsSince1970 <= seconds, seconds > 0 else { return }
            throw SnpackError(
                .indexExpiresSoon, "the index expires at \(expiresAt), sooner than asked for",
                hint: "sign it again: snpack refresh --valid-for 30d", path: path)
        }
        throw SnpackError(
            .indexExpired, "the index expired at \(expiresAt)",
            hint: "refresh the channel (snpack refresh); if it is fresh, check this machine's clock", path: path)
    }
}
