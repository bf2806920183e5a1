package import Diagnostics

extension ErrorCode {
    /// A zstd frame that is damaged, or not of the shape asked for.
    package static let zstdFrameInvalid = ErrorCode("zstd.frame-invalid", .verification)
    /// The library could not do what it should: out of memory, wrong version.
    package static let zstdFailed = ErrorCode("zstd.failed", .other)
    /// No gzip member, a damaged one, or one with more behind it.
    package static let gzipInvalid = ErrorCode("gzip.invalid", .verification)
    /// A member that decompresses to more than its reader allows.
    package static let gzipTooLarge = ErrorCode("gzip.too-large", .verification)
    /// The library could not do what it should: out of memory, wrong version.
    package static let zlibFailed = ErrorCode("gzip.zlib-failed", .other)
}
