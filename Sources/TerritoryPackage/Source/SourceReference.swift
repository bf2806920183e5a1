package import Diagnostics
import DurableFiles
package import TerritoryModel

/// What a person names as a source: a path or URL, and perhaps a territory and version in the channel there.
package struct SourceReference: Hashable, Sendable {
    package enum Place: Hashable, Sendable {
        case path(String)
        case url(String)
    }

    package let place: Place
    package let territory: TerritoryID?
    /// nil: the channel's `latest_version`.
    package let version: TerritoryVersion?

    /// Reads `PLACE`, `PLACE#ID` or `PLACE#ID@VERSION`.
    ///
    /// What exists as a path is a path, whatever it looks like; else the text is split at its last `#`, then at the first
    /// `@` behind it.
    /// - Parameter exists: whether a path exists.
    package init(parsing text: String, exists: (String) -> Bool = { FileIdentity.at($0) != nil }) throws(SnpackError) {
        if text.isEmpty { throw SnpackError(.sourceUnknown, "an empty text names no source") }
        var place = Substring(text)
        var selection: Substring?
        if !exists(text), let hash = text.lastIndex(of: "#") {
            place = text[..<hash]
            selection = text[text.index(after: hash)...]
        }
        self.place =
            Self.isURL(place) && !exists(String(place)) ? .url(String(place)) : .path(String(place))
        guard let selection else {
            territory = nil
            version = nil
            return
        }
        let parts = selection.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
        territory = try TerritoryID(parsing: String(parts[0]))
        version = parts.count > 1 ? try TerritoryVersion(parsing: String(parts[1])) : nil
    }

    /// Whether a text has a scheme, be it one that nobody here speaks.
    package static func isURL(_ text: Substring) -> Bool {
        guard let scheme = text.firstRange(of: "://") else { return false }
        return scheme.lowerBound > text.startIndex
            && text[..<scheme.lowerBound].utf8.allSatisfy {
                (0x61...0x7A).contains($0 | 0x20) || (0x30...0x39).contains($0) || "+.-".utf8.contains($0)
            }
    }
}
