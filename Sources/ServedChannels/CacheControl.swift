/// What `Cache-Control` allows caches to do, as far as it matters to a channel.
package struct CacheControl: Hashable, Sendable {
    /// Seconds that a shared cache or a client may go on serving what it has without asking, whichever is longer; nil if
    /// the header does not say.
    package var longestFreshness: UInt64?
    package var isImmutable = false

    /// Reads the values of all `Cache-Control` headers of an answer; nil without any. What it does not know, and numbers
    /// that are none, it passes over.
    package init?(parsing values: [String]) {
        guard !values.isEmpty else { return nil }
        var isNotKept = false
        for directive in values.joined(separator: ",").lowercased().split(separator: ",") {
            let parts = directive.split(separator: "=", maxSplits: 1).map { text in
                text.filter { $0 != " " && $0 != "\t" && $0 != "\"" }
            }
            switch parts.first {
            case "no-store", "no-cache": isNotKept = true
            case "immutable": isImmutable = true
            case "max-age", "s-maxage":
                guard parts.count == 2, let seconds = UInt64(parts[1]) else { continue }
                longestFreshness = max(longestFreshness ?? 0, seconds)
            default: continue
            }
        }
        if isNotKept { longestFreshness = 0 }
    }
}
