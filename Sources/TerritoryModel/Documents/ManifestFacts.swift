public import Diagnostics

extension ChannelIndex.Territory {
    /// Checks that a manifest is what this territory's entry says: the version's facts and, for ``latestVersion``, the
    /// territory's name and area. The manifest's digest is the caller's to compare.
    ///
    /// - Throws: `manifest.contradicts-index`, naming every fact that differs.
    public func check(_ manifest: Manifest, listedAs version: TerritoryVersion) throws(SnpackError) {
        var differences: [String] = []
        func compare<Fact: Equatable>(_ name: String, _ listed: Fact, _ stated: Fact) {
            if listed != stated { differences.append(name) }
        }
        compare("territory_id", id, manifest.territoryID)
        compare("version", version, manifest.version)
        if let entry = self[version] {
            compare("data_timestamp", entry.dataTimestamp, manifest.dataTimestamp)
            compare("total_bytes", entry.totalBytes, manifest.totalBytes)
            compare("download_bytes", entry.downloadBytes, manifest.downloadBytes)
            compare("requires", entry.requires, manifest.requires)
        } else {
            differences.append("versions")
        }
        if version == latestVersion {
            compare("display_name", displayName, manifest.displayName)
            // As documents carry them, so that a box of more decimals equals the one written from it.
            compare("bbox", boundingBox.json, manifest.boundingBox.json)
        }
        guard differences.isEmpty else {
            throw SnpackError(
                .manifestContradictsIndex,
                "the manifest of \(manifest.name) contradicts the index's \(ReleaseName(id, version)) in "
                    + differences.joined(separator: ", "))
        }
    }
}
