package import Diagnostics

extension ErrorCode {
    // What the person gave.
    package static let urlInvalid = ErrorCode("url.invalid", .usage)
    package static let apiKeyInvalid = ErrorCode("api-key.invalid", .usage)

    // The way to the server.
    package static let transferHostUnknown = ErrorCode("transfer.host-unknown", .network)
    package static let transferConnectFailed = ErrorCode("transfer.connect-failed", .network)
    package static let transferProxyFailed = ErrorCode("transfer.proxy-failed", .network)
    package static let transferTLSFailed = ErrorCode("transfer.tls-failed", .network)
    package static let transferCertificateRefused = ErrorCode("transfer.certificate-refused", .network)
    package static let transferTimedOut = ErrorCode("transfer.timed-out", .network)
    package static let transferTooSlow = ErrorCode("transfer.too-slow", .network)
    package static let transferConnectionLost = ErrorCode("transfer.connection-lost", .network)
    package static let transferFailed = ErrorCode("transfer.failed", .network)
    package static let transferRedirectLoop = ErrorCode("transfer.redirect-loop", .network)
    package static let transferRedirectRefused = ErrorCode("transfer.redirect-refused", .network)

    // What the status says.
    package static let transferNotFound = ErrorCode("transfer.not-found", .notFound)
    package static let transferUnauthorized = ErrorCode("transfer.unauthorized", .network)
    package static let transferAllowanceUsedUp = ErrorCode("transfer.allowance-used-up", .network)
    package static let transferForbidden = ErrorCode("transfer.forbidden", .network)
    package static let transferTooManyRequests = ErrorCode("transfer.too-many-requests", .network)
    package static let transferServerFailed = ErrorCode("transfer.server-failed", .network)
    package static let transferStatusUnexpected = ErrorCode("transfer.status-unexpected", .network)

    // What the answer's head and body say.
    package static let transferAnswerMalformed = ErrorCode("transfer.answer-malformed", .network)
    package static let transferHeadTooLarge = ErrorCode("transfer.head-too-large", .network)
    package static let transferEncoded = ErrorCode("transfer.encoded", .network)
    package static let transferTooLarge = ErrorCode("transfer.too-large", .network)
    package static let transferLengthDiffers = ErrorCode("transfer.length-differs", .network)
    package static let transferBodyShort = ErrorCode("transfer.body-short", .network)
    package static let transferHTMLPage = ErrorCode("transfer.html-page", .network)

    // What became of a range.
    package static let transferRangeEmpty = ErrorCode("transfer.range-empty", .other)
    package static let transferRangeIgnored = ErrorCode("transfer.range-ignored", .network)
    package static let transferRangeContradicted = ErrorCode("transfer.range-contradicted", .network)
    package static let transferRangeUnasked = ErrorCode("transfer.range-unasked", .network)
    package static let transferRangeShort = ErrorCode("transfer.range-short", .network)
    package static let transferRangeShifted = ErrorCode("transfer.range-shifted", .network)
    package static let transferRangeMultipart = ErrorCode("transfer.range-multipart", .network)
    package static let transferRangeUnsatisfiable = ErrorCode("transfer.range-unsatisfiable", .network)
    package static let transferContentChanged = ErrorCode("transfer.content-changed", .network)

    /// Whether the same request may well succeed a little later.
    package var isTransient: Bool { Self.transient.contains(self) }

    private static let transient: Set<ErrorCode> = [
        .transferHostUnknown, .transferConnectFailed, .transferTLSFailed, .transferTimedOut, .transferTooSlow,
        .transferConnectionLost, .transferBodyShort, .transferTooManyRequests, .transferServerFailed,
    ]
}
