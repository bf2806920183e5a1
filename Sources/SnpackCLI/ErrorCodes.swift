package import Diagnostics

extension ErrorCode {
    package static let usageNotUTF8 = ErrorCode("usage.not-utf8", .usage)
    package static let outputFailed = ErrorCode("output.failed", .localIO)
    package static let passphraseUnequal = ErrorCode("passphrase.unequal", .usage)
    package static let passphraseFileExposed = ErrorCode("passphrase.file-exposed", .usage)
    package static let noActiveTerritory = ErrorCode("territory.none-active", .notFound)
    package static let keyNotAFile = ErrorCode("key.not-a-file-name", .usage)
}
