package import Diagnostics

extension ErrorCode {
    /// A path that was named does not exist.
    package static let fileNotFound = ErrorCode("file.not-found", .notFound)
    /// Something is there already and must not be replaced.
    package static let fileExists = ErrorCode("file.exists", .conflict)
    /// Not a regular file, or a link where none is followed.
    package static let fileNotRegular = ErrorCode("file.not-regular", .localIO)
    package static let notADirectory = ErrorCode("file.not-a-directory", .localIO)
    /// Its size or times are not what they were when it was first looked at, or it ended early.
    package static let fileChanged = ErrorCode("file.changed", .localIO)
    /// Larger than the reader's bound.
    package static let fileTooLarge = ErrorCode("file.too-large", .localIO)
    package static let diskFull = ErrorCode("disk.full", .localIO)
    package static let diskPermission = ErrorCode("disk.permission", .localIO)
    package static let diskCrossDevice = ErrorCode("disk.cross-device", .localIO)
    package static let diskIO = ErrorCode("disk.io", .localIO)
    /// Another process holds the lock.
    package static let lockBusy = ErrorCode("lock.busy", .conflict)
    /// A file name that is no UTF-8.
    package static let fileNameNotUTF8 = ErrorCode("file.name-not-utf8", .usage)
}
