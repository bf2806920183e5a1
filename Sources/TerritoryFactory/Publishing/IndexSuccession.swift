package import Diagnostics
package import DurableFiles
import Hashing
package import Signing
package import TerritoryModel
package import TerritoryPackage

/// How a new index follows the last: name, sequence, validity, and what the signer remembers.
package struct IndexSuccession: Sendable {
    /// The channel's name; nil for the live one's, or the role's default.
    package var name: ChannelName?
    /// Seconds that the new index stays fresh; nil for as long as the last.
    package var validity: Int64?
    /// A sequence greater than the next in line.
    package var sequence: UInt64?
    /// Takes the live index as it is, whatever the state file and the clock say.
    package var adopt = false
    /// The signer's state file; nil to keep none.
    package var statePath: String?
    package var now: Timestamp
    /// What the state file is written through.
    package var disk: any Disk = SystemDisk()

    package init(now: Timestamp) { self.now = now }

    /// The name of the channel that this command works on.
    package func name(
        live: ChannelIndex?, role: KeyRole, territory: TerritoryID?
    ) throws(SnpackError) -> ChannelName {
        let standard = role == .region ? territory.map(ChannelName.init(of:)) : .main
        guard let name = name ?? live?.channel ?? standard else {
            throw SnpackError(.channelNameDiffers, "a new region channel needs a release to take its name from")
        }
        if let live, live.channel != name {
            throw SnpackError(
                .channelNameDiffers,
                "the channel is named \(quoted(live.channel.rawValue)), not \(quoted(name.rawValue))",
                hint: "leave out --name, or give the channel's directory")
        }
        return name
    }

    /// Throws unless the live index is the one that this signer signed last, or a later one that verifies.
    package func checkLive(_ live: Verified<ChannelIndex>?, name: ChannelName) throws(SnpackError) -> SignerState {
        guard let statePath else { return SignerState() }
        let state: SignerState
        do throws(SnpackError) { state = try SignerState(reading: statePath) } catch {
            if adopt { return SignerState() }
            throw error
        }
        guard !adopt, let last = state.channels[name] else { return state }
        func refused(_ reason: String) -> SnpackError {
            SnpackError(
                .indexNotLatest, reason,
                hint: "bring the latest channel back; or give --adopt to go on from what is live", path: statePath)
        }
        guard let live else {
            throw refused("this key signed sequence \(last.sequence) of this channel, and no index is live")
        }
        if live.document.sequence < last.sequence {
            throw refused(
                "this key signed sequence \(last.sequence) of this channel, and \(live.document.sequence) is live")
        }
        if live.document.sequence == last.sequence, live.blake3 != last.blake3 {
            throw refused("the live index has sequence \(last.sequence), and is not the one that this key signed")
        }
        return state
    }

    /// The index that follows `live` with these territories.
    package func next(
        _ territories: [ChannelIndex.Territory], name: ChannelName, live: ChannelIndex?, state: SignerState
    ) throws(SnpackError) -> ChannelIndex {
        let last = max(live?.sequence ?? 0, state.channels[name]?.sequence ?? 0)
        if let sequence, sequence <= last {
            throw SnpackError(
                .sequenceTooLow, "sequence \(sequence) is not greater than \(last), which was signed already",
                hint: "leave out --sequence for the next in line")
        }
        var seconds = validity
        if seconds == nil, let live, let expiresAt = live.expiresAt {
            seconds = expiresAt.secondsSince1970 - live.publishedAt.secondsSince1970
        }
        let expiry = seconds.map { now.secondsSince1970.addingReportingOverflow($0) }
        if expiry?.overflow == true {
            throw SnpackError(.timestampInvalid, "the index would expire after the end of time")
        }
        let expiresAt = expiry.map { Timestamp(secondsSince1970: $0.partialValue) }
        try checkClock(live, expiresAt)
        return try ChannelIndex(
            channel: name, sequence: sequence ?? last + 1, publishedAt: now, expiresAt: expiresAt,
            territories: territories)
    }

    /// A clock that lost its time would sign an index that is expired for everybody whose clock is right.
    private func checkClock(_ live: ChannelIndex?, _ expiresAt: Timestamp?) throws(SnpackError) {
        guard !adopt, let live else { return }
        let isDayBehind = now.secondsSince1970 < live.publishedAt.secondsSince1970 - 86_400
        guard isDayBehind || expiresAt.map({ $0 <= live.publishedAt }) == true else { return }
        throw SnpackError(
            .clockBehind, "it is \(now) by this machine's clock, and the live index was signed at \(live.publishedAt)",
            hint: "set the clock; if the live index was signed by one that was ahead, give --adopt")
    }

    /// Signs an index and makes it live; only then does the signer remember it.
    package func goLive(
        _ index: ChannelIndex, in editor: ChannelEditor, by signer: any DocumentSigner, state: SignerState
    ) throws(SnpackError) {
        let bytes = index.canonicalBytes
        try editor.goLive(bytes, signature: signer.signatureFile(of: bytes, being: .index(index)))
        try remember(index, blake3: .of(bytes), in: state)
    }

    /// Writes into the state file that `index` is the last that was signed.
    func remember(_ index: ChannelIndex, blake3: Blake3Digest, in state: SignerState) throws(SnpackError) {
        guard let statePath else { return }
        var state = state
        state.remember(index, blake3: blake3)
        try state.write(to: statePath, disk: disk)
    }
}
