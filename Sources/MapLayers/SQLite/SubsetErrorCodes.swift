package import Diagnostics

extension ErrorCode {
    /// A layer that cannot be cut to an area.
    package static let cutUnsupported = ErrorCode("cut.unsupported", .usage)
}
