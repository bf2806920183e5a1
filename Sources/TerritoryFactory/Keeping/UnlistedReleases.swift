import Diagnostics
import DurableFiles
import TerritoryModel

/// Since when which releases lie in a channel that its index does not list: `.snpack/unlisted.json`.
///
/// Their files stay for a grace time after that, because clients that hold an older index may be in the middle of them.
struct UnlistedReleases {
    private static let file = "unlisted.json"
    private static let limit = 16 << 20
    private(set) var since: [ReleaseName: Timestamp] = [:]

    init() {}

    /// A record that is missing or damaged is an empty one: the grace time begins anew.
    init(in work: Directory) {
        guard let bytes = try? work.contents(of: Self.file, limit: Self.limit),
            let members = try? StrictJSON.parse(bytes).objectValue?["unlisted_since"]?.objectValue?.members
        else { return }
        for (key, value) in members {
            let parts = key.split(separator: "@", maxSplits: 1).map(String.init)
            guard parts.count == 2, let id = try? TerritoryID(parsing: parts[0]),
                let version = try? TerritoryVersion(parsing: parts[1]),
                let time = value.stringValue.flatMap({ try? Timestamp(parsing: $0) })
            else { continue }
            since[ReleaseName(id, version)] = time
        }
    }

    /// Takes over what is unlisted at `now`: new ones begin their time, others are forgotten. A time in the future, from a
    /// clock that was wrong, counts as now.
    mutating func update(_ unlisted: [ReleaseName], at now: Timestamp) {
        since = Dictionary(uniqueKeysWithValues: unlisted.map { ($0, min(since[$0] ?? now, now)) })
    }

    func write(to work: Directory) throws(SnpackError) {
        var entries: JSONObject = [:]
        for (name, time) in since { entries[name.description] = .string(time.description) }
        try work.removeLeftovers()
        try work.write(
            JSONValue.object(["unlisted_since": .object(entries)]).canonicalBytes, to: Self.file, mode: 0o600)
    }
}
