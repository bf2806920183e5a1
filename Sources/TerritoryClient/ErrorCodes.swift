public import Diagnostics

extension ErrorCode {
    /// What an app's own ``ChannelTransport`` throws when the bytes cannot be had now, and may be had later.
    public static let transportFailed = ErrorCode("transport.failed", .network)

    // The index.
    /// It is older than the person wants it to be.
    package static let indexStale = ErrorCode("index.stale", .verification)
    /// There is no index at that place.
    package static let indexNotFound = ErrorCode("index.not-found", .notFound)
    /// A region was asked for and no region key is pinned.
    package static let noRegionKey = ErrorCode("trust.no-region-key", .verification)

    // What a store says of its own memory; warnings.
    package static let markRebuilt = ErrorCode("mark.rebuilt", .verification)
    package static let markStartsAfresh = ErrorCode("mark.starts-afresh", .verification)
    package static let markKeyRetired = ErrorCode("mark.key-retired", .verification)
    package static let clockWrong = ErrorCode("clock.wrong", .verification)

    // Versions.
    /// What is installed is newer.
    package static let versionOlder = ErrorCode("version.older", .conflict)
    /// The publisher withdrew the version.
    package static let versionYanked = ErrorCode("version.yanked", .conflict)
    /// An engine of this client is too old for it.
    package static let engineTooOld = ErrorCode("engine.too-old", .unsupported)

    // The store.
    package static let storeTooNew = ErrorCode("store.too-new", .unsupported)
    package static let storeReadOnly = ErrorCode("store.read-only", .localIO)
    /// A state file is no state; a warning, for what is installed is found and verified again.
    package static let storeStateDamaged = ErrorCode("store.state-damaged", .verification)
    package static let notInstalled = ErrorCode("territory.not-installed", .notFound)
    package static let noVersionBefore = ErrorCode("territory.no-version-before", .notFound)
    /// The territory has this layer, and this install left it out. Not a fault: the person chose so.
    package static let layerNotInstalled = ErrorCode("layer.not-installed", .notFound)
    /// The territory has no such layer.
    package static let layerUnknown = ErrorCode("layer.unknown", .notFound)
    /// A file of an installed layer is not the signed one.
    package static let installedFileDamaged = ErrorCode("installed.file-damaged", .verification)
    /// A layer that was left out is there.
    package static let omittedLayerPresent = ErrorCode("installed.omitted-layer-present", .verification)
    /// The damage cannot be repaired without a source.
    package static let repairNeedsSource = ErrorCode("repair.needs-source", .verification)
    /// The source does not have the signed content.
    package static let repairSourceLacks = ErrorCode("repair.source-lacks", .notFound)
    package static let styleMissing = ErrorCode("style.unavailable", .notFound)
    package static let searchMissing = ErrorCode("search.unavailable", .notFound)
}

extension ErrorCode {
    /// A blob goes on beyond its signed size.
    package static let blobLonger = ErrorCode("blob.longer", .verification)
    /// A blob ends before its signed size.
    package static let blobShort = ErrorCode("blob.short", .verification)
}
