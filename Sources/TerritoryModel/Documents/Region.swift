package import Diagnostics
public import Hashing

extension Manifest {
    /// Where a custom region was cut from: the signer's claim, which is shown as such.
    public struct Region: Hashable, Sendable {
        /// The country.
        public let sourceTerritoryID: TerritoryID
        /// The country's version.
        public let sourceVersion: TerritoryVersion
        /// The digest of that version's manifest.
        public let sourceManifestBlake3: Blake3Digest
        /// The area that was asked for, with its buffer.
        public let area: RegionArea

        /// The id that follows from the source's id and the area.
        public var territoryID: TerritoryID { area.territoryID(cutFrom: sourceTerritoryID) }

        /// A region of these parts.
        ///
        /// - Throws: `manifest.malformed` if the source is a region itself.
        package init(
            sourceTerritoryID: TerritoryID, sourceVersion: TerritoryVersion, sourceManifestBlake3: Blake3Digest,
            area: RegionArea
        ) throws(SnpackError) {
            self.sourceTerritoryID = sourceTerritoryID
            self.sourceVersion = sourceVersion
            self.sourceManifestBlake3 = sourceManifestBlake3
            self.area = area
            _ = try Region(DocumentField(root: json, malformed: .manifestMalformed))
        }

        init(_ field: DocumentField) throws(SnpackError) {
            let source = try field.required("source_territory_id")
            sourceTerritoryID = try source.parsed(TerritoryID.init(parsing:))
            if sourceTerritoryID.isRegion { throw source.fault("a region is cut from a country, not from a region") }
            sourceVersion = try field.required("source_version").parsed(TerritoryVersion.init(parsing:))
            sourceManifestBlake3 = try field.required("source_manifest_blake3").digest()
            let buffer = try field.optional("buffer_m")?.integer(Limits.bufferMeters)
            let areaField = try field.required("area")
            area = try areaField.checked { () throws(SnpackError) in
                try RegionArea(geoJSON: areaField.value, bufferMeters: buffer)
            }
        }

        var json: JSONValue {
            var object: JSONObject = [
                "source_territory_id": .string(sourceTerritoryID.rawValue),
                "source_version": .string(sourceVersion.rawValue),
                "source_manifest_blake3": .string(sourceManifestBlake3.hex),
                "area": area.geoJSON,
            ]
            object["buffer_m"] = area.bufferMeters.map { .number(JSONNumber($0)) }
            return .object(object)
        }
    }
}
