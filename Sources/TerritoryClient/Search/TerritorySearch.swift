public import Diagnostics
public import MapLayers
import TerritoryModel

/// Search in one installed territory, offline. Keeps the version that it was opened on readable, also while an update
/// swaps; ask the store for a new one afterwards.
public final class TerritorySearch: Sendable {
    private let index: PlaceIndex
    private let package: InstalledPackage

    init(_ index: PlaceIndex, _ package: InstalledPackage) {
        self.index = index
        self.package = package
    }

    /// The version that is searched.
    public var version: String { package.document.version.rawValue }
    /// The number of places in the index.
    public var placeCount: Int { index.placeCount }

    /// The places that `query` means, best first; see ``/MapLayers/PlaceIndex/search(_:near:area:limit:)``.
    ///
    /// - Throws: as there.
    public func search(
        query: String, near: (lat: Double, lon: Double)? = nil, area: PlaceIndex.Area? = nil, limit: Int = 10
    ) throws(SnpackError) -> [Place] {
        try index.search(query, near: near, area: area, limit: limit)
    }

    /// The places nearest to a point in degrees, nearest first; see ``/MapLayers/PlaceIndex/reverse(lat:lon:limit:)``.
    ///
    /// - Throws: as there.
    public func reverse(lat: Double, lon: Double, limit: Int = 10) throws(SnpackError) -> [Place] {
        try index.reverse(lat: lat, lon: lon, limit: limit)
    }
}
