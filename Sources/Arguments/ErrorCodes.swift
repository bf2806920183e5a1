package import Diagnostics

extension ErrorCode {
    package static let usageUnknownCommand = ErrorCode("usage.unknown-command", .usage)
    package static let usageMissingCommand = ErrorCode("usage.missing-command", .usage)
    package static let usageUnknownOption = ErrorCode("usage.unknown-option", .usage)
    package static let usageRepeatedOption = ErrorCode("usage.repeated-option", .usage)
    package static let usageMissingOption = ErrorCode("usage.missing-option", .usage)
    package static let usageConflictingOptions = ErrorCode("usage.conflicting-options", .usage)
    package static let usageMissingValue = ErrorCode("usage.missing-value", .usage)
    package static let usageUnexpectedValue = ErrorCode("usage.unexpected-value", .usage)
    package static let usageInvalidValue = ErrorCode("usage.invalid-value", .usage)
    package static let usageMissingArgument = ErrorCode("usage.missing-argument", .usage)
    package static let usageExtraArgument = ErrorCode("usage.extra-argument", .usage)
}
