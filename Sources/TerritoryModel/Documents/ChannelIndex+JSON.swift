extension ChannelIndex {
    static let documentType = DocumentType(
        name: "channel-index", byteLimit: Limits.indexBytes, malformed: .indexMalformed, tooNew: .indexTooNew,
        knownKeys: [
            "type", "format", "critical", "channel", "sequence", "published_at", "expires_at", "territories",
            "id", "display_name", "bbox", "latest_version", "versions",
            "version", "data_timestamp", "manifest_path", "manifest_blake3", "total_bytes", "download_bytes",
            "requires",
            "yanked",
        ])

    /// The document as a value.
    public var json: JSONValue {
        var object = Self.documentType.commonMembers
        object["channel"] = .string(channel.rawValue)
        object["sequence"] = .number(JSONNumber(sequence))
        object["published_at"] = .string(publishedAt.description)
        object["expires_at"] = (expiresAt?.description).map(JSONValue.string)
        object["territories"] = .array(territories.map(\.json))
        return .object(object)
    }

    /// The document in the layout that writers use; what gets signed.
    public var canonicalBytes: [UInt8] { json.canonicalBytes }
}
