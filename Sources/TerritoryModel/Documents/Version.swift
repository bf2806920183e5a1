import Diagnostics
public import Hashing

extension ChannelIndex {
    /// One version of a territory, with the facts that a client decides by before it fetches the manifest.
    public struct Version: Hashable, Sendable {
        /// The territory and version.
        public let name: ReleaseName
        /// The time of the version's OSM snapshot.
        public let dataTimestamp: Timestamp
        /// The digest of the manifest's bytes.
        public let manifestBlake3: Blake3Digest
        /// What a complete install holds.
        public let totalBytes: UInt64
        /// What crosses the wire.
        public let downloadBytes: UInt64
        /// What the layers together require.
        public let requires: EngineRequirements
        /// Why the version was withdrawn, or nil if it was not.
        public let yanked: DisplayText?

        /// The version.
        public var version: TerritoryVersion { name.version }

        /// The entry of a manifest whose exact bytes have the digest `manifestBlake3`.
        public init(of manifest: Manifest, manifestBlake3: Blake3Digest, yanked: DisplayText? = nil) {
            name = manifest.name
            dataTimestamp = manifest.dataTimestamp
            self.manifestBlake3 = manifestBlake3
            totalBytes = manifest.totalBytes
            downloadBytes = manifest.downloadBytes
            requires = manifest.requires
            self.yanked = yanked
        }

        /// The same entry, withdrawn for a reason or, with nil, offered again.
        public func yanked(_ reason: DisplayText?) -> Version { Version(self, yanked: reason) }

        private init(_ other: Version, yanked: DisplayText?) {
            name = other.name
            dataTimestamp = other.dataTimestamp
            manifestBlake3 = other.manifestBlake3
            totalBytes = other.totalBytes
            downloadBytes = other.downloadBytes
            requires = other.requires
            self.yanked = yanked
        }

        init(_ field: DocumentField, of id: TerritoryID) throws(SnpackError) {
            name = ReleaseName(id, try field.required("version").parsed(TerritoryVersion.init(parsing:)))
            dataTimestamp = try field.required("data_timestamp").parsed(Timestamp.init(parsing:))
            try field.required("manifest_path").mustBe(name.manifestPath)
            manifestBlake3 = try field.required("manifest_blake3").digest()
            totalBytes = try field.required("total_bytes").integer()
            downloadBytes = try field.required("download_bytes").integer()
            requires = try EngineRequirements(field.optional("requires"), count: Limits.versionEngines)
            yanked = try field.optional("yanked")?.text(Limits.yankReason)
        }

        var json: JSONValue {
            var object: JSONObject = [
                "version": .string(version.rawValue), "data_timestamp": .string(dataTimestamp.description),
                "manifest_path": .string(name.manifestPath), "manifest_blake3": .string(manifestBlake3.hex),
                "total_bytes": .number(JSONNumber(totalBytes)), "download_bytes": .number(JSONNumber(downloadBytes)),
            ]
            object["requires"] = requires.json
            object["yanked"] = (yanked?.rawValue).map(JSONValue.string)
            return .object(object)
        }
    }
}
