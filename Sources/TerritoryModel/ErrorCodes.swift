public import Diagnostics

// Scalars carry the status of a command line or definition that does not fit. A document that holds a bad one throws
// its own code, `manifest.malformed` or `index.malformed`, with the scalar's message.
extension ErrorCode {
    /// The bytes are not strict JSON.
    public static let jsonMalformed = ErrorCode("json.malformed", .verification)
    /// The manifest breaks a rule of the wire format.
    public static let manifestMalformed = ErrorCode("manifest.malformed", .verification)
    /// The manifest is of a later format, or needs a key that this reader does not know.
    public static let manifestTooNew = ErrorCode("manifest.too-new", .unsupported)
    /// The manifest is well-formed, but is not what the index says it is.
    public static let manifestContradictsIndex = ErrorCode("manifest.contradicts-index", .verification)
    /// The index breaks a rule of the wire format.
    public static let indexMalformed = ErrorCode("index.malformed", .verification)
    /// The index is of a later format, or needs a key that this reader does not know.
    public static let indexTooNew = ErrorCode("index.too-new", .unsupported)
    /// A file's path is not one that every device can hold.
    public static let filePathInvalid = ErrorCode("file-path.invalid", .verification)
    /// Two paths of a layer would be one on some devices.
    public static let filePathCollision = ErrorCode("file-path.collision", .verification)

    package static let territoryIDInvalid = ErrorCode("territory-id.invalid", .usage)
    package static let versionInvalid = ErrorCode("version.invalid", .usage)
    package static let layerKindInvalid = ErrorCode("layer-kind.invalid", .usage)
    package static let engineNameInvalid = ErrorCode("engine-name.invalid", .usage)
    package static let channelNameInvalid = ErrorCode("channel-name.invalid", .usage)
    package static let layerPathInvalid = ErrorCode("layer-path.invalid", .usage)
    package static let boundingBoxInvalid = ErrorCode("bbox.invalid", .usage)
    package static let timestampInvalid = ErrorCode("timestamp.invalid", .usage)
    package static let textInvalid = ErrorCode("text.invalid", .usage)
    package static let areaInvalid = ErrorCode("area.invalid", .usage)
}
