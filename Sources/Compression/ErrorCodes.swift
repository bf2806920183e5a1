package import Diagnostics

extension ErrorCode {
    /// A zstd frame that is damaged, or not of the shape asked for.
    package static let zstdFrameInvalid = ErrorCode("zstd.frame-invalid", .verification)
    /// The library could not do what it should: out of memory, wrong version.
    package static let zstdFailed = ErrorCode("zstd.failed", .other)
}
