/// One version of one territory, and where it lies in a channel.
public struct ReleaseName: Hashable, Sendable, CustomStringConvertible {
    /// The territory.
    public let territoryID: TerritoryID
    /// Its version.
    public let version: TerritoryVersion

    /// The name of this version of this territory.
    public init(_ territoryID: TerritoryID, _ version: TerritoryVersion) {
        self.territoryID = territoryID
        self.version = version
    }

    /// The release's directory below the channel's: `territories/<id>/<version>`.
    public var directory: String { "territories/\(territoryID)/\(version)" }
    /// The manifest's path below the channel's directory.
    public var manifestPath: String { directory + "/manifest.json" }

    /// `<id>@<version>`, as commands take it.
    public var description: String { "\(territoryID)@\(version)" }
}
