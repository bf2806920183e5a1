package import Diagnostics

extension ErrorCode {
    /// A digest's text is not 64 lowercase hexadecimal digits.
    package static let digestInvalid = ErrorCode("digest.invalid", .usage)
}
