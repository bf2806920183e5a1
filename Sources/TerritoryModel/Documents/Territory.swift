package import Diagnostics

extension ChannelIndex {
    /// One territory of an index: its versions, and which one is offered.
    public struct Territory: Hashable, Sendable {
        /// The territory.
        public let id: TerritoryID
        /// What ``latestVersion``'s manifest calls it.
        public let displayName: DisplayText
        /// The area of ``latestVersion``'s manifest.
        public let boundingBox: BoundingBox
        /// The version that is offered: one of ``versions``, not withdrawn unless all are.
        public let latestVersion: TerritoryVersion
        /// The versions, descending.
        public let versions: [Version]

        /// The entry of a version, or nil if it is not listed.
        public subscript(version: TerritoryVersion) -> Version? { versions.first { $0.version == version } }

        /// The entry of ``latestVersion``.
        public var latest: Version { self[latestVersion] ?? versions[0] }

        /// The version that is offered unless the publisher says otherwise: of those not withdrawn the greatest that is
        /// no pre-release, or the greatest if all are; of versions that are all withdrawn the greatest. Nil for none.
        public static func defaultLatest(of versions: [Version]) -> TerritoryVersion? {
            let offered = versions.filter { $0.yanked == nil }
            let candidates = offered.isEmpty ? versions : offered
            let releases = offered.filter { !$0.version.isPrerelease }
            return (releases.isEmpty ? candidates : releases).map(\.version).max()
        }

        /// A territory of these versions, which are sorted.
        ///
        /// - Parameters:
        ///   - latest: the manifest of the offered version, from which name and area are taken.
        /// - Throws: `index.malformed` with the key path, within the territory, of what a reader would refuse.
        package init(latest: Manifest, versions: [Version]) throws(SnpackError) {
            try self.init(
                id: latest.territoryID, displayName: latest.displayName, boundingBox: latest.boundingBox,
                latestVersion: latest.version, versions: versions)
        }

        /// A territory of these parts. Versions are sorted.
        ///
        /// - Throws: `index.malformed` with the key path, within the territory, of what a reader would refuse.
        package init(
            id: TerritoryID, displayName: DisplayText, boundingBox: BoundingBox, latestVersion: TerritoryVersion,
            versions: [Version]
        ) throws(SnpackError) {
            self.id = id
            self.displayName = displayName
            self.boundingBox = try boundingBox.rounded
            self.latestVersion = latestVersion
            self.versions = versions.sorted { $0.version > $1.version }
            _ = try Territory(DocumentField(root: json, malformed: .indexMalformed))
        }

        init(_ field: DocumentField) throws(SnpackError) {
            id = try field.required("id").parsed(TerritoryID.init(parsing:))
            displayName = try field.required("display_name").text(Limits.displayName)
            boundingBox = try field.required("bbox").boundingBox()
            versions = try Self.versions(field.required("versions"), of: id)
            let latest = try field.required("latest_version")
            let version = try latest.parsed(TerritoryVersion.init(parsing:))
            latestVersion = version
            guard let entry = versions.first(where: { $0.version == version }) else {
                throw latest.fault("\(version) is not among the versions")
            }
            if entry.yanked != nil {
                guard versions.allSatisfy({ $0.yanked != nil }) else {
                    throw latest.fault("\(version) is withdrawn, and others are not")
                }
                guard entry == versions.first else {
                    throw latest.fault("all versions are withdrawn, and \(version) is not the greatest")
                }
            }
        }

        private static func versions(_ field: DocumentField, of id: TerritoryID) throws(SnpackError) -> [Version] {
            var versions: [Version] = []
            var names: Set<String> = []
            for field in try field.elements(Limits.versions) {
                let version = try Version(field, of: id)
                if let previous = versions.last, previous.version <= version.version {
                    throw try field.required("version").fault("versions must descend, each once")
                }
                guard names.insert(version.version.asciiLowercased).inserted else {
                    throw try field.required("version").fault(
                        "\(version.version) and another version differ in case alone")
                }
                versions.append(version)
            }
            return versions
        }

        var json: JSONValue {
            [
                "id": .string(id.rawValue), "display_name": .string(displayName.rawValue), "bbox": boundingBox.json,
                "latest_version": .string(latestVersion.rawValue), "versions": .array(versions.map(\.json)),
            ]
        }
    }
}
