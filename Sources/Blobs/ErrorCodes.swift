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
    /// The patch is not of the size or BLAKE3 that is signed.
    package static let patchMismatch = ErrorCode("patch.mismatch", .verification)
    /// The step frame says what cannot be.
    package static let patchTableInvalid = ErrorCode("patch.table-invalid", .verification)
    /// A frame of the patch is not what its step says.
    package static let patchFrameInvalid = ErrorCode("patch.frame-invalid", .verification)
    /// The installed layer is not the one that the patch starts from.
    package static let patchOldLayerChanged = ErrorCode("patch.old-layer-changed", .verification)
}
