public import Diagnostics

/// What one version of one territory consists of: the document that a factory or region key signs.
///
/// Every value keeps all rules of the wire format, whether it was read or made, so what is written can be read.
public struct Manifest: Hashable, Sendable {
    /// The territory.
    public let territoryID: TerritoryID
    /// Its version.
    public let version: TerritoryVersion
    /// What apps call the territory.
    public let displayName: DisplayText
    /// The time of the OSM snapshot that the layers were made from.
    public let dataTimestamp: Timestamp
    /// The area covered.
    public let boundingBox: BoundingBox
    /// Bytes of all files of all layers: what a complete install holds.
    public let totalBytes: UInt64
    /// Bytes of all blobs: what crosses the wire.
    public let downloadBytes: UInt64
    /// What apps must show beside the map.
    public let attribution: [DisplayText]
    /// The layers, one of each kind, ascending by kind.
    public let layers: [Layer]
    /// Where a custom region was cut from; nil for a country.
    public let region: Region?
    /// What it was made from and with, as the factory tells it: an object of texts.
    public let provenance: JSONObject?

    /// The territory and version.
    public var name: ReleaseName { ReleaseName(territoryID, version) }

    /// The layer of a kind, or nil if there is none.
    public subscript(kind: LayerKind) -> Layer? { layers.first { $0.kind == kind } }

    /// What all layers together require: of each engine the highest version.
    public var requires: EngineRequirements {
        layers.reduce(into: EngineRequirements()) { $0.formUnion($1.requires) }
    }

    /// A manifest of these parts. Layers are sorted, the box is rounded to 7 decimals and the sums are computed.
    ///
    /// - Throws: `manifest.malformed` with the key path of what a reader would refuse.
    package init(
        territoryID: TerritoryID, version: TerritoryVersion, displayName: DisplayText, dataTimestamp: Timestamp,
        boundingBox: BoundingBox, attribution: [DisplayText], layers: [Layer], region: Region? = nil,
        provenance: JSONObject? = nil
    ) throws(SnpackError) {
        self.territoryID = territoryID
        self.version = version
        self.displayName = displayName
        self.dataTimestamp = dataTimestamp
        self.boundingBox = try boundingBox.rounded
        // A sum may only wrap for more layers than any reader takes.
        totalBytes = layers.reduce(0) { $0 &+ $1.byteCount }
        downloadBytes = layers.reduce(0) { $0 &+ $1.blob.byteCount }
        self.attribution = attribution
        self.layers = layers.sorted { $0.kind < $1.kind }
        self.region = region
        self.provenance = provenance
        _ = try Manifest(decoding: canonicalBytes)
    }

    /// Reads a manifest, which must already be verified: `type`, `format` and `critical` first, then every rule.
    ///
    /// - Throws: `manifest.too-new` (exit status 8) for a later format or an unknown critical key, `manifest.malformed`
    ///   (exit status 3) with the key path for everything else.
    public init(decoding bytes: [UInt8]) throws(SnpackError) {
        let root = try Self.documentType.open(bytes)
        territoryID = try root.required("territory_id").parsed(TerritoryID.init(parsing:))
        version = try root.required("version").parsed(TerritoryVersion.init(parsing:))
        displayName = try root.required("display_name").text(Limits.displayName)
        dataTimestamp = try root.required("data_timestamp").parsed(Timestamp.init(parsing:))
        boundingBox = try root.required("bbox").boundingBox()
        attribution = try root.required("attribution").elements(Limits.attributions).map {
            field throws(SnpackError) in try field.text(Limits.attribution)
        }
        layers = try Self.layers(root.required("layers"))
        totalBytes = try Self.sum(root.required("total_bytes"), layers.map(\.byteCount), "layers' bytes")
        downloadBytes = try Self.sum(root.required("download_bytes"), layers.map(\.blob.byteCount), "blobs' bytes")
        region = try Self.region(root.optional("region"), of: territoryID, version, in: root)
        provenance = try Self.provenance(root.optional("provenance"))
    }
}
