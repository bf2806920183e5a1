import TerritoryModel

/// What differs between two indices, a line each.
enum IndexChanges {
    static func lines(from old: ChannelIndex?, to new: ChannelIndex) -> [String] {
        var lines = [
            "index of channel \(new.channel): sequence \(old.map { "\($0.sequence) → " } ?? "")\(new.sequence)"
        ]
        if let expiresAt = new.expiresAt { lines.append("  good until \(expiresAt)") }
        let ids = Set((old?.territories ?? []).map(\.id)).union(new.territories.map(\.id)).sorted()
        for id in ids { lines += changes(of: id, from: old?[id], to: new[id]) }
        return lines
    }

    private static func changes(
        of id: TerritoryID, from old: ChannelIndex.Territory?, to new: ChannelIndex.Territory?
    ) -> [String] {
        guard let new else { return ["  - \(id)"] }
        var lines: [String] = []
        for entry in new.versions {
            let before = old?[entry.version]
            if before == nil { lines.append("  + \(id)@\(entry.version)") }
            if before?.manifestBlake3 != nil, before?.manifestBlake3 != entry.manifestBlake3 {
                lines.append("  ! \(id)@\(entry.version) has another manifest")
            }
            if let reason = entry.yanked, before?.yanked == nil {
                lines.append("  yanks \(id)@\(entry.version): \(reason)")
            }
            if before?.yanked != nil, entry.yanked == nil { lines.append("  unyanks \(id)@\(entry.version)") }
        }
        for entry in old?.versions ?? [] where new[entry.version] == nil { lines.append("  - \(id)@\(entry.version)") }
        if old?.latestVersion != new.latestVersion { lines.append("  latest of \(id): \(new.latestVersion)") }
        return lines
    }
}
