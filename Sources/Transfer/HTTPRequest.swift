/// What to fetch, and how much of it may come.
package struct HTTPRequest: Sendable {
    /// What is known of the whole file's size.
    package enum Size: Hashable, Sendable {
        /// Exactly so many bytes, as a signed document says; anything else is refused, early if the head tells.
        case exactly(UInt64)
        /// Not known; the transfer ends as soon as there are more.
        case atMost(UInt64)

        var limit: UInt64 {
            switch self {
            case .exactly(let count), .atMost(let count): count
            }
        }
        var exact: UInt64? { if case .exactly(let count) = self { count } else { nil } }
    }

    package var url: HTTPURL
    /// Of the whole file, not of the range.
    package var size: Size
    /// The bytes wanted; nil for the whole file. One range at most: answers to several are not spoken here.
    package var range: Range<UInt64>?
    /// Answer with the range only if the file still has this tag, else with the whole. Weak tags are not sent.
    package var ifRange: EntityTag?
    /// Asks caches on the way to fetch afresh.
    package var isPastCaches: Bool
    /// Says that an encoded body would be welcome, as browsers do: to see what such clients get.
    package var welcomesEncodings = false

    package init(
        _ url: HTTPURL, size: Size, range: Range<UInt64>? = nil, ifRange: EntityTag? = nil, isPastCaches: Bool = false
    ) {
        self.url = url
        self.size = size
        self.range = range
        self.ifRange = ifRange
        self.isPastCaches = isPastCaches
    }

    /// The request's own headers, each a line without its end.
    var headerLines: [String] {
        // Ranges and lengths count the file's own bytes, so nobody on the way shall encode them.
        var lines = ["Accept-Encoding: " + (welcomesEncodings ? "gzip, deflate, br" : "identity")]
        if let range {
            lines.append("Range: bytes=\(range.lowerBound)-\(range.upperBound - 1)")
            if let ifRange, ifRange.isStrong { lines.append("If-Range: \(ifRange.text)") }
        }
        if isPastCaches { lines += ["Cache-Control: no-cache", "Pragma: no-cache"] }
        return lines
    }
}
