package import Diagnostics

extension ErrorCode {
    /// The blob is not of the size or BLAKE3 that is signed.
    package static let blobMismatch = ErrorCode("blob.mismatch", .verification)
    /// The chunk table is not the signed one, or says what cannot be.
    package static let blobTableInvalid = ErrorCode("blob.table-invalid", .verification)
    /// A frame is not the one that the chunk table lists.
    package static let blobFrameInvalid = ErrorCode("blob.frame-invalid", .verification)
    /// The tar stream is not the canonical one.
    package static let tarNotCanonical = ErrorCode("tar.not-canonical", .verification)
    /// The content does not have the layer's signed BLAKE3, size or number of files.
    package static let layerMismatch = ErrorCode("layer.mismatch", .verification)
    /// A layer that cannot be packed: no file, too many, names that do not travel.
    package static let layerNotPackable = ErrorCode("layer.not-packable", .usage)
}
