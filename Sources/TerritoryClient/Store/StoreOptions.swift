public import Diagnostics
package import DurableFiles
import Glibc
public import TerritoryModel

/// How a store behaves, beside its keys.
public struct StoreOptions: Sendable {
    /// The channel that countries come from. A region's is its id.
    public var channel = ChannelName.main
    /// The engines of this client with their versions; a version that needs more is not offered. Nil: not judged.
    public var engines: [EngineName: TerritoryVersion]?
    /// Whether the version before is kept for a rollback, until the next update.
    public var keepsPrevious = true
    /// Threads that one call may use, 1 or more.
    public var jobs = 2
    /// Hears of progress and of what is worth saying.
    public var reporter: any ProgressReporter = SilentReporter()
    /// The system's clock; tests put another here.
    package var now: @Sendable () -> Timestamp = { Timestamp(secondsSince1970: Int64(time(nil))) }
    package var disk: any Disk = SystemDisk()

    /// The channel `main`, engines not judged, the version before kept, two threads, silence.
    public init() {}
}

/// What one command asks for.
public struct InstallRequest: Sendable {
    /// Which version.
    public var version = VersionRequest.offered
    /// What a package at hand must be of; nil for any territory.
    public var territory: TerritoryID?
    /// Kinds to leave out. Nil keeps the selection of what is installed; an empty set takes every layer.
    public var omit: Set<LayerKind>?
    /// What is refused unless a person says so.
    public var allowances: Allowances = []
    /// Seconds that may have gone by since the index was published; nil for any time within its validity.
    public var maxAge: Int64?

    /// What is offered, the layers selected before, nothing allowed, no age asked for, unless said otherwise.
    public init(
        version: VersionRequest = .offered, omit: Set<LayerKind>? = nil, allowances: Allowances = [],
        maxAge: Int64? = nil
    ) {
        self.version = version
        self.omit = omit
        self.allowances = allowances
        self.maxAge = maxAge
    }
}
