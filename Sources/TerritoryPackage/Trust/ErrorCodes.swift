package import Diagnostics

extension ErrorCode {
    /// No pinned key verifies the signature.
    package static let signatureNotTrusted = ErrorCode("signature.not-trusted", .verification)
    /// A pinned key of the other role signed it.
    package static let wrongRole = ErrorCode("trust.wrong-role", .verification)
    /// Larger than any document of its type may be.
    package static let documentTooLarge = ErrorCode("document.too-large", .verification)
    /// The pinned keys do not fit together.
    package static let pinnedKeysInvalid = ErrorCode("keys.invalid", .usage)
    /// The index has expired.
    package static let indexExpired = ErrorCode("index.expired", .verification)
    /// The index is good for less time than was asked for.
    package static let indexExpiresSoon = ErrorCode("index.expires-soon", .verification)
    /// The index is older than one that was verified before.
    package static let indexOlder = ErrorCode("index.older", .verification)
    /// The index is of another channel.
    package static let indexOtherChannel = ErrorCode("index.other-channel", .verification)
    /// Its sequence is below the mark.
    package static let indexRolledBack = ErrorCode("index.rolled-back", .verification)
    /// Its sequence is the mark's, its bytes are others.
    package static let indexForked = ErrorCode("index.forked", .verification)
    /// `index.signed` and the pair do not say the same.
    package static let indexTorn = ErrorCode("index.torn", .network)
    /// `index.signed` and the pair in a directory do not say the same.
    package static let indexPairMismatch = ErrorCode("index.pair-mismatch", .verification)
    /// `index.signed` does not have the shape it must have.
    package static let indexSignedMalformed = ErrorCode("index.signed-malformed", .verification)
    /// The manifest is not the one that the index lists.
    package static let manifestMismatch = ErrorCode("manifest.mismatch", .verification)
    /// A file that must be there is not.
    package static let fileMissing = ErrorCode("package.file-missing", .verification)
    /// A file that must not be there is.
    package static let extraFile = ErrorCode("package.extra-file", .verification)
    /// Nothing of that name is what was asked for.
    package static let sourceNotFound = ErrorCode("source.not-found", .notFound)
    /// What was named is no release, package or channel.
    package static let sourceUnknown = ErrorCode("source.unknown", .usage)
    /// The channel does not list that territory or version.
    package static let versionNotListed = ErrorCode("version.not-listed", .notFound)
    /// A `.snpkg` that is not of the one form.
    package static let archiveInvalid = ErrorCode("snpkg.invalid", .verification)
    /// A version that is known, with another manifest.
    package static let versionChanged = ErrorCode("version.changed", .conflict)
}
