public import Diagnostics
public import TerritoryModel

/// What fetching a version from a channel, or taking it from a package, came to.
public struct ChannelInstallResult: Hashable, Sendable {
    /// As it is installed now.
    public let territory: TerritoryInfo
    /// The version that was installed before; nil for a first install.
    public let previousVersion: String?
    /// Layers whose blobs were fetched or read.
    public let layersFetched: UInt32
    /// Layers that were on disk at the same content.
    public let layersReused: UInt32
    /// Layers that a patch made out of older ones.
    public let layersPatched: UInt32
    /// Bytes of blobs, tables and patches that crossed the wire on this attempt.
    public let bytesDownloaded: UInt64
}

/// How an install or update ended.
public enum InstallOutcome: Hashable, Sendable {
    /// The territory was not installed; now it is.
    case installed(ChannelInstallResult)
    /// Another version, or fewer layers of it, was installed.
    case updated(ChannelInstallResult)
    /// What was wanted is what is installed; nothing was fetched.
    case upToDate(TerritoryInfo)
    /// A person rolled back from the version that is offered; it is not taken again by itself.
    case held(TerritoryInfo, version: String)
    /// It was stopped before anything changed. Proven bytes stay in the cache.
    case cancelled
}

/// An outcome, and the index that it went by, if there was one.
public struct StoreReport: Hashable, Sendable {
    /// What became of it.
    public let outcome: InstallOutcome
    /// The index; nil for a package at hand, and after a cancellation.
    public let index: IndexInfo?
}

/// A layer that an update changes.
public struct ChangedLayer: Hashable, Sendable {
    /// How a layer arrives.
    public enum Way: String, Hashable, Sendable {
        /// As its blob.
        case whole
        /// By patches that turn the installed layer into it.
        case patched
    }

    /// Which layer.
    public let kind: LayerKind
    /// How it will arrive.
    public let way: Way
    /// Bytes that cross the wire for it, less what is in the cache already.
    public let downloadBytes: UInt64
    /// Bytes of its blob: what crosses the wire if patches turn out to be no use.
    public let wholeBytes: UInt64
    /// Bytes that it has on disk.
    public let installedBytes: UInt64
}

/// What an update to a manifest takes.
public struct UpdatePlan: Hashable, Sendable {
    /// Layers whose content is not on disk yet.
    public let changed: [ChangedLayer]
    /// Bytes that cross the wire: blobs and patches, less what is in the cache already.
    public let downloadBytes: UInt64
    /// Uncompressed bytes of ``changed``: what the update adds on disk.
    public let installedBytes: UInt64
    /// Bytes that the install holds afterwards, without the version before.
    public let bytesAfter: UInt64
    /// Bytes on disk at the fullest moment, above what is there now.
    public let peakBytes: UInt64
}

/// What a channel has for a territory.
public struct UpdateCheck: Hashable, Sendable {
    /// Nil when it is not installed.
    public let territory: TerritoryInfo?
    /// The version that an install or update would take; nil when there is none.
    public let availableVersion: String?
    /// What it takes; nil when there is nothing to take.
    public let plan: UpdatePlan?
    /// Why the offered version would be refused, if it would.
    public let refusal: SnpackError?
    /// The version that a person rolled back from, while nothing above it is offered.
    public let heldVersion: String?
    /// The index that this was read from.
    public let index: IndexInfo

    /// True when there is a version to take, for the first time or as an update.
    public var isUpdateAvailable: Bool { plan != nil }
}

/// Everything that was found in an installed territory.
public struct VerificationReport: Hashable, Sendable {
    /// What was judged.
    public let territory: TerritoryInfo
    /// Empty if every byte is the signed one.
    public let faults: [SnpackError]
}

/// What a repair did.
public struct RepairResult: Hashable, Sendable {
    /// As it is installed now.
    public let territory: TerritoryInfo
    /// Kinds whose files were put right.
    public let repairedKinds: [LayerKind]
    /// Files that did not belong there and are gone.
    public let removedFiles: Int
    /// Bytes of chunks and blobs that were fetched for it.
    public let bytesDownloaded: UInt64
}
