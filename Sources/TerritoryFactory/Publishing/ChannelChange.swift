package import Diagnostics
package import DurableFiles
package import Signing
package import TerritoryModel
package import TerritoryPackage

/// One change of a channel's index: the live one verified, edited, and the next one signed or staged.
///
/// Every command that signs an index goes through here, so that lock, succession and the order of writing are the same.
package struct ChannelChange: Sendable {
    /// How the new index gets its signature.
    package enum Finish: Sendable {
        /// At once, by this signer.
        case sign(any DocumentSigner)
        /// Elsewhere: the index waits in the channel's `.snpack/staged/`.
        case stage(PinnedKeys, KeyRole)
    }

    /// What has become of the index.
    package struct Outcome: Sendable {
        /// The live index afterwards; a staged one where it was staged.
        package let index: ChannelIndex
        /// False when there was nothing to sign.
        package let isSigned: Bool
    }

    let keys: PinnedKeys
    let role: KeyRole
    private let path: String
    private let finish: Finish
    private let succession: IndexSuccession
    private let writesCatalogue: Bool
    private let report: any ProgressReporter
    private let disk: any Disk

    /// - Parameter writesCatalogue: writes the channel's catalogue too when the index is live.
    /// - Throws: `key.example` for a key whose secret is public, unless that is allowed.
    package init(
        of path: String, finish: Finish, succession: IndexSuccession, allowExampleKeys: Bool = false,
        writesCatalogue: Bool = true, report: any ProgressReporter = SilentReporter(), disk: any Disk = SystemDisk()
    ) throws(SnpackError) {
        self.path = path
        self.finish = finish
        switch finish {
        case .sign(let signer): (keys, role) = (try signer.pinned(), signer.role)
        case .stage(let pinned, let signing): (keys, role) = (pinned, signing)
        }
        self.succession = succession
        self.writesCatalogue = writesCatalogue
        self.report = report
        self.disk = disk
        let pinned = keys.factory.map(\.publicKey) + keys.region.map(\.publicKey)
        guard let example = pinned.first(where: ExampleKeys.isExample), !allowExampleKeys else { return }
        throw SnpackError(
            .exampleKey, "key \(example.keyID) is an example: everybody has its secret",
            hint: "make a key of your own with snpack keygen; for a try-out give --allow-example-keys")
    }

    /// Signs as the index will be signed.
    /// - Throws: `signer.needed` where only the index's signature comes from elsewhere.
    func signature(of bytes: [UInt8]) throws(SnpackError) -> [UInt8] {
        guard case .sign(let signer) = finish else {
            throw SnpackError(
                .signerNeeded, "a manifest must be signed too, not the index alone",
                hint: "give --key FILE.key or --signer-command")
        }
        return try signer.signatureFile(of: bytes)
    }

    /// Opens the channel, which is locked until this returns, and changes its index.
    ///
    /// - Parameters:
    ///   - territory: the one that a new region channel is named by.
    ///   - predecessor: another channel's index that this one carries on: its name, its validity, and a higher sequence.
    ///   - mayBegin: makes the channel where there is none.
    ///   - always: signs again though nothing differs.
    ///   - edit: what changes. It may put files into the channel that nothing lists yet.
    ///   - place: puts in place what the new index lists, once that index is known to be right.
    ///   - after: what follows when the index is live; not called for one that is staged.
    func run(
        territory: TerritoryID? = nil, following predecessor: ChannelIndex? = nil, mayBegin: Bool = false,
        always: Bool = false,
        _ edit: (ChannelEditor, inout IndexEdit) throws(SnpackError) -> Void,
        place: (ChannelEditor) throws(SnpackError) -> Void = { _ in },
        after: (ChannelEditor) throws(SnpackError) -> Void = { _ in }
    ) throws(SnpackError) -> Outcome {
        if !mayBegin { try checkIsChannel() }
        let editor = try ChannelEditor(path, keys: keys, disk: disk)
        let live = editor.live?.document
        let name = try succession.name(live: live ?? predecessor, role: role, territory: territory)
        let state = try succession.checkLive(editor.live, name: name)
        var draft = IndexEdit(live)
        try edit(editor, &draft)
        let isAsked = always || succession.validity != nil || succession.sequence != nil
        if let verified = editor.live, !draft.isChanged, !isAsked {
            let live = verified.document
            // A run that was killed after it went live has not got as far as this.
            if live.sequence > state.channels[name]?.sequence ?? 0 {
                try succession.remember(live, blake3: verified.blake3, in: state)
            }
            if writesCatalogue { editor.writeCatalogue(report: report) }
            try after(editor)
            return Outcome(index: live, isSigned: false)
        }
        let last = [live, predecessor].compactMap { $0 }.max { $0.sequence < $1.sequence }
        let index = try succession.next(try draft.territories(), name: name, live: last, state: state)
        guard index.fits(role) else {
            throw SnpackError(
                .signerWrongRole, "a \(role) key does not sign this index",
                hint: "a region key signs a channel of one region-, a factory key one of countries")
        }
        try place(editor)
        switch finish {
        case .sign(let signer):
            try succession.goLive(index, in: editor, by: signer, state: state)
            if writesCatalogue { editor.writeCatalogue(report: report) }
            try after(editor)
        case .stage: try editor.stage(index, report: report)
        }
        return Outcome(index: index, isSigned: true)
    }

    private func checkIsChannel() throws(SnpackError) {
        guard FileIdentity.at(path) != nil else {
            throw SnpackError(.sourceNotFound, "there is no channel", path: path)
        }
        guard try ChannelDirectory(Directory.open(path)).signedIndex() == nil else { return }
        throw SnpackError(
            .fileMissing, "the channel has no index", hint: "snpack publish makes one; is it the right directory?",
            path: path)
    }
}

extension ChannelEditor {
    /// A listed version's release, verified.
    /// - Throws: `version.not-listed`, and what verifying its manifest throws.
    func listed(
        _ name: ReleaseName
    ) throws(SnpackError) -> (release: ChannelRelease, manifest: Verified<Manifest>) {
        guard let territory = live?.document[name.territoryID], let entry = territory[name.version] else {
            throw SnpackError(
                .versionNotListed, "the channel does not list \(name)", hint: "snpack list tells what it lists",
                path: root.path)
        }
        return try listed(entry, of: territory)
    }

    func listed(
        _ entry: ChannelIndex.Version, of territory: ChannelIndex.Territory
    ) throws(SnpackError) -> (release: ChannelRelease, manifest: Verified<Manifest>) {
        let release = try ChannelRelease(entry.name.manifestPath, in: ChannelDirectory(root))
        do throws(SnpackError) {
            return (release, try keys.verifyManifest(release, listedAs: entry, of: territory))
        } catch { throw error.at(release.shownPath) }
    }
}
