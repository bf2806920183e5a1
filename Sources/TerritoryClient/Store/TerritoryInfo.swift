import DurableFiles
public import TerritoryModel
import TerritoryPackage

/// What a store holds of one territory. Names and units as in MapMapKit's `TerritoryInfo`.
public struct TerritoryInfo: Hashable, Sendable {
    /// The id, such as `uk`; of a custom region `region-` and 16 hex digits.
    public let territoryId: String
    /// The name to show, in the publisher's language.
    public let displayName: String
    /// The installed version, by SemVer 2.0.0.
    public let version: String
    /// When the OSM data was taken, RFC 3339.
    public let dataTimestamp: String
    /// Degrees, WGS 84. West is greater than east where the box crosses the antimeridian.
    public let west, south, east, north: Double
    /// Bytes of all layers of the published package, whether or not this install holds them.
    public let totalBytes: UInt64
    /// Bytes of the layers that this install holds.
    public let installedBytes: UInt64
    /// Kinds that the package has and this install left out.
    public let omittedKinds: [LayerKind]
    /// The absolute path of the package directory, as the store lies now.
    public let path: String
    /// Whether it is the store's active territory.
    public let active: Bool
    /// What apps must show beside the map.
    public let attribution: [String]
    /// The version that `rollback` goes back to.
    public let previousVersion: String?
    /// Why the publisher withdrew the installed version, if the last accepted index says so.
    public let yanked: String?
    /// Where a custom region was cut from.
    public let regionSource: RegionSource?

    /// The country and version that a region's signer says it was cut from.
    public struct RegionSource: Hashable, Sendable {
        /// The country's id.
        public let territoryId: String
        /// The country's version, by SemVer 2.0.0.
        public let version: String
        /// True when this store has the country in a newer version, or has seen one in its channel.
        public let isOutdated: Bool
    }

    init(
        _ installed: InstalledPackage, isActive: Bool, previous: SlotName?, yanked: DisplayText?,
        newestSource: TerritoryVersion?
    ) {
        let manifest = installed.document
        territoryId = manifest.territoryID.rawValue
        displayName = manifest.displayName.rawValue
        version = manifest.version.rawValue
        dataTimestamp = manifest.dataTimestamp.description
        west = manifest.boundingBox.west
        south = manifest.boundingBox.south
        east = manifest.boundingBox.east
        north = manifest.boundingBox.north
        totalBytes = manifest.totalBytes
        installedBytes = installed.layers.reduce(0) { $0 + $1.byteCount }
        omittedKinds = manifest.layers.map(\.kind).filter(installed.omitted.contains)
        path = installed.package.directory.path
        active = isActive
        attribution = manifest.attribution.map(\.rawValue)
        previousVersion = previous?.version.rawValue
        self.yanked = yanked?.rawValue
        regionSource = manifest.region.map { region in
            RegionSource(
                territoryId: region.sourceTerritoryID.rawValue, version: region.sourceVersion.rawValue,
                isOutdated: newestSource.map { $0 > region.sourceVersion } ?? false)
        }
    }
}
