import Diagnostics
import DurableFiles
import MapLayers
import TerritoryModel
import TerritoryPackage

extension StoreCore {
    /// The style of an installed territory, ready for a renderer without a network, as JSON; and the claim that keeps
    /// the files there.
    func style(
        _ id: TerritoryID, _ theme: StyleTheme
    ) throws(SnpackError) -> (json: String, package: InstalledPackage) {
        let (tiles, package) = try layer(.pmtiles, of: id)
        let document: JSONObject
        if let layer = package.document[.style], !package.omitted.contains(.style), layer.isTree {
            document = try InstalledStyle(directory: package.package.path(of: layer), tiles: tiles).document(theme)
        } else {
            let metadata = try PMTilesArchive(OpenFile(reading: tiles)).metadata()
            let layers = metadata["vector_layers"]?.arrayValue ?? []
            document =
                BuiltInStyle(
                    theme: theme, name: package.document.displayName.rawValue,
                    attribution: package.document.attribution.map(\.rawValue),
                    vectorLayers: layers.compactMap { $0.objectValue?["id"]?.stringValue },
                    tiles: "pmtiles://" + FileURL.text(tiles)
                ).document
        }
        return (String(decoding: JSONValue.object(document).canonicalBytes, as: UTF8.self), package)
    }

    /// The place index of an installed territory, opened.
    func search(_ id: TerritoryID) throws(SnpackError) -> (index: PlaceIndex, package: InstalledPackage) {
        let (path, package) = try layer(.geocodeIndex, of: id)
        let file = package.document[.geocodeIndex]?.isTree == true ? "\(path)/\(Self.placesFile)" : path
        guard FileIdentity.at(file) != nil else {
            throw SnpackError(
                .searchMissing, "the geocode index of \(id) is not one that snpack searches",
                hint: "it searches \(Self.placesFile), made by snpack geocode build", path: path)
        }
        return (try PlaceIndex(opening: file), package)
    }

    private static let placesFile = "places.sqlite"
}
