extension Manifest {
    static let documentType = DocumentType(
        name: "territory-manifest", byteLimit: Limits.manifestBytes, malformed: .manifestMalformed,
        tooNew: .manifestTooNew,
        knownKeys: [
            "type", "format", "critical", "territory_id", "version", "display_name", "data_timestamp", "bbox",
            "total_bytes", "download_bytes", "attribution", "layers", "region", "provenance",
            "kind", "path", "tree", "files", "bytes", "blake3", "blob", "patches", "requires", "meta",
            "file", "tar_bytes", "table_bytes", "table_blake3", "from", "old_tar_bytes",
            "source_territory_id", "source_version", "source_manifest_blake3", "area", "buffer_m",
        ])

    /// The document as a value.
    public var json: JSONValue {
        var object = Self.documentType.commonMembers
        object["territory_id"] = .string(territoryID.rawValue)
        object["version"] = .string(version.rawValue)
        object["display_name"] = .string(displayName.rawValue)
        object["data_timestamp"] = .string(dataTimestamp.description)
        object["bbox"] = boundingBox.json
        object["total_bytes"] = .number(JSONNumber(totalBytes))
        object["download_bytes"] = .number(JSONNumber(downloadBytes))
        object["attribution"] = .array(attribution.map { .string($0.rawValue) })
        object["layers"] = .array(layers.map(\.json))
        object["region"] = region?.json
        object["provenance"] = provenance.map(JSONValue.object)
        return .object(object)
    }

    /// The document in the layout that writers use; what gets signed.
    public var canonicalBytes: [UInt8] { json.canonicalBytes }
}
