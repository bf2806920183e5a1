package import Diagnostics

extension ErrorCode {
    // What became of the bytes on their way.
    package static let servedEncoded = ErrorCode("served.encoded", .verification)
    package static let servedByteOrderMark = ErrorCode("served.byte-order-mark", .verification)
    package static let servedLineEnds = ErrorCode("served.line-ends", .verification)
    package static let servedReformatted = ErrorCode("served.reformatted", .verification)
    package static let servedTranscoded = ErrorCode("served.transcoded", .verification)
    package static let servedCompressedFile = ErrorCode("served.compressed-file", .verification)
    package static let servedLineEndAtEnd = ErrorCode("served.end-changed", .verification)
    package static let servedStaleSignature = ErrorCode("served.stale-signature", .verification)
    package static let servedStaleIndex = ErrorCode("served.stale-index", .verification)

    // What the head says.
    package static let servedEntityTagWeak = ErrorCode("served.etag-weak", .verification)
    package static let servedEntityTagMissing = ErrorCode("served.etag-missing", .verification)
    package static let servedEntityTagWrong = ErrorCode("served.etag-wrong", .verification)
    package static let servedLengthMissing = ErrorCode("served.length-missing", .verification)
    package static let servedIndexCachedLong = ErrorCode("served.index-cached-long", .verification)
    package static let servedIndexUncontrolled = ErrorCode("served.index-without-cache-control", .verification)
    package static let servedBlobCachedShort = ErrorCode("served.blob-cached-short", .verification)

    // How it answers special requests.
    package static let servedRangeIgnored = ErrorCode("served.range-ignored", .verification)
    package static let servedRangeWrong = ErrorCode("served.range-wrong", .verification)
    package static let servedRangeBeyondEnd = ErrorCode("served.range-beyond-end", .verification)
    package static let servedIfRangeIgnored = ErrorCode("served.if-range-ignored", .verification)
    package static let servedMissingFileAnswered = ErrorCode("served.missing-file-answered", .verification)
    package static let servedMissingFileStatus = ErrorCode("served.missing-file-status", .verification)
}
