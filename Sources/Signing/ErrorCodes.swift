package import Diagnostics

extension ErrorCode {
    /// A public key that nobody may pin: wrong length, not a point, small order.
    package static let keyInvalid = ErrorCode("key.invalid", .usage)
    /// A secret key of one role was asked to sign for the other.
    package static let keyWrongRole = ErrorCode("key.wrong-role", .usage)
    /// The text is no key file of ours.
    package static let keyFileMalformed = ErrorCode("key-file.malformed", .usage)
    /// A key file that a later snpack wrote.
    package static let keyFileTooNew = ErrorCode("key-file.too-new", .unsupported)
    /// The key file says a public half or key id that its secret half does not have.
    package static let keyFileMismatch = ErrorCode("key-file.mismatch", .usage)
    /// Others may read the key file, or it is no plain file.
    package static let keyFileExposed = ErrorCode("key-file.exposed", .usage)
    /// The key file is encrypted and no passphrase was given.
    package static let passphraseNeeded = ErrorCode("key-file.passphrase-needed", .usage)
    /// The passphrase does not open the key file.
    package static let passphraseWrong = ErrorCode("key-file.passphrase-wrong", .usage)
    /// A passphrase that cannot protect anything.
    package static let passphraseUnfit = ErrorCode("key-file.passphrase-unfit", .usage)
    /// A PEM file that does not hold what is asked for.
    package static let pemMalformed = ErrorCode("pem.malformed", .usage)
    /// A PEM key of another algorithm than ed25519.
    package static let pemOtherAlgorithm = ErrorCode("pem.other-algorithm", .usage)
    /// A signature file that is not 1 to 4 lines of strict base64.
    package static let signatureMalformed = ErrorCode("signature.malformed", .verification)
    /// The cryptographic library could not do its work: no memory, no randomness.
    package static let cryptographyFailed = ErrorCode("signing.failed", .other)
    /// An example key, whose secret is public.
    package static let exampleKey = ErrorCode("key.example", .usage)
}
