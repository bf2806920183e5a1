package import Diagnostics

extension ErrorCode {
    /// A territory definition that does not say what it must.
    package static let definitionInvalid = ErrorCode("definition.invalid", .usage)
    /// A layer whose content or names do not travel.
    package static let layerInvalid = ErrorCode("layer.invalid", .usage)
    /// A release of that version is there already, signed, and it is another.
    package static let releaseExists = ErrorCode("release.exists", .conflict)
    /// The live index is not the one that this key signed last.
    package static let indexNotLatest = ErrorCode("channel.not-latest", .conflict)
    /// This machine's clock is behind the live index.
    package static let clockBehind = ErrorCode("channel.clock-behind", .conflict)
    /// The sequence asked for is not greater than those in use.
    package static let sequenceTooLow = ErrorCode("channel.sequence-too-low", .conflict)
    /// What is withdrawn cannot be a territory's latest version.
    package static let latestYanked = ErrorCode("channel.latest-yanked", .conflict)
    /// A version that must be higher than those there are.
    package static let versionTooLow = ErrorCode("version.too-low", .conflict)
    /// What nothing lists, and is no release that can be told for one.
    package static let pruneUnreadable = ErrorCode("prune.unreadable", .verification)
    /// The channel's name is another than the one asked for.
    package static let channelNameDiffers = ErrorCode("channel.name-differs", .conflict)
    /// The signer's state file is damaged.
    package static let signerStateInvalid = ErrorCode("signer.state-invalid", .conflict)
    /// A signer command failed, or its answer is no signature of the key.
    package static let signerFailed = ErrorCode("signer.failed", .other)
    /// A signer is needed where only public keys are at hand.
    package static let signerNeeded = ErrorCode("signer.needed", .usage)
    /// The key's role is not the document's.
    package static let signerWrongRole = ErrorCode("signer.wrong-role", .usage)
    /// A patch from a layer that no version at hand has.
    package static let patchUntried = ErrorCode("patch.untried", .other)
    /// The output lies within a layer, or a layer within the output.
    package static let outputInLayer = ErrorCode("build.output-in-layer", .usage)
    /// Nothing waits for a signature.
    package static let stagedMissing = ErrorCode("channel.nothing-staged", .notFound)
    /// The live index is no longer the one that the staged one follows.
    package static let stagedStale = ErrorCode("channel.staged-stale", .conflict)
    /// A channel is not carried into its own directory.
    package static let mirrorOfItself = ErrorCode("mirror.of-itself", .usage)
    /// An index that waited for its signature is replaced by another.
    package static let stagedReplaced = ErrorCode("channel.staged-replaced", .conflict)
    /// A release without signature where one is needed.
    package static let releaseUnsigned = ErrorCode("release.unsigned", .verification)
    /// Neither a manifest nor an index.
    package static let notSignable = ErrorCode("sign.not-a-document", .usage)
    /// The area has nothing in common with what it is to be cut out of.
    package static let cutOutside = ErrorCode("cut.outside", .usage)
    /// What is to be cut is no country that a factory key signed.
    package static let cutSource = ErrorCode("cut.source", .usage)
    /// What is to be cut was withdrawn from its channel.
    package static let cutYanked = ErrorCode("cut.yanked", .conflict)
    /// An option of a cut that does not fit the source.
    package static let cutOption = ErrorCode("cut.option", .usage)
    /// The channel is live, and its catalogue is that of an older index.
    package static let catalogueNotWritten = ErrorCode("catalogue.not-written", .other)
    /// The channel's page is its owner's.
    package static let catalogueForeignPage = ErrorCode("catalogue.foreign-page", .conflict)
}
