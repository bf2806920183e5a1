/// The head of an answer: status, where it came from in the end, and its headers, read strictly.
package struct HTTPResponse: Sendable {
    package struct Field: Sendable {
        /// In lowercase.
        package let name: String
        package let value: String

        package init(_ name: String, _ value: String) {
            self.name = name.lowercased()
            self.value = value
        }
    }

    package let status: Int
    /// The URL that answered, after all redirects.
    package let url: HTTPURL
    /// In the order received; at most ``ResponseHead/byteLimit`` bytes.
    package let fields: [Field]
    /// Which bytes of the file the body carries; nil for the whole file.
    package internal(set) var part: ContentRange?

    package init(status: Int, url: HTTPURL, fields: [Field]) {
        self.status = status
        self.url = url
        self.fields = fields
    }

    /// Where in the file the body's first byte belongs.
    package var firstByte: UInt64 { part?.bytes.lowerBound ?? 0 }

    /// All values of a header, by its name in lowercase.
    package func values(_ name: String) -> [String] { fields.filter { $0.name == name }.map(\.value) }

    /// The value of a header that may come once; nil if it is absent, or there twice with different values.
    package subscript(name: String) -> String? {
        let values = values(name)
        return values.dropFirst().allSatisfy { $0.utf8.elementsEqual((values.first ?? "").utf8) } ? values.first : nil
    }

    /// Nil if absent or no number. It is never believed: nothing is allocated by it.
    package var contentLength: UInt64? { self["content-length"].flatMap { HTTPNumber.parse($0) } }
    package var contentRange: ContentRange? { self["content-range"].flatMap { ContentRange(parsing: $0) } }
    package var entityTag: EntityTag? { self["etag"].flatMap { EntityTag(parsing: $0) } }
    package var contentType: String? { self["content-type"] }
    package var cacheControl: String? { self["cache-control"] }
    package var lastModified: String? { self["last-modified"] }
    /// Whether the server says that it knows ranges; nil if it says nothing.
    package var acceptsRanges: Bool? { self["accept-ranges"].map { $0.lowercased() == "bytes" } }

    /// The codings of the body, outermost last, without `identity`.
    package var contentCodings: [String] {
        values("content-encoding").flatMap { $0.split(separator: ",") }
            .map { $0.trimmingSpaces.lowercased() }.filter { !$0.isEmpty && $0 != "identity" }
    }

    /// How long the server asks to be left alone. A date is read against the answer's own `Date`: our clock may be wrong.
    package var retryAfter: Duration? {
        guard let text = self["retry-after"] else { return nil }
        if let seconds = HTTPNumber.parse(text) { return .seconds(Int64(clamping: seconds)) }
        guard let then = HTTPDate(parsing: text), let now = self["date"].flatMap(HTTPDate.init(parsing:)) else {
            return nil
        }
        return .seconds(max(0, then.seconds - now.seconds))
    }

    /// Whether the answer calls itself a page for people.
    package var isHTML: Bool {
        contentType?.lowercased().hasPrefix("text/html") == true
            || contentType?.lowercased().hasPrefix("application/xhtml") == true
    }
}

/// Whether a body that should be JSON or a signature is markup: a login page, a hotspot's welcome, a pretty 404.
package func looksLikeHTML(_ body: some Sequence<UInt8>) -> Bool {
    let byteOrderMark: Set<UInt8> = [0xEF, 0xBB, 0xBF]
    return body.first { !byteOrderMark.contains($0) && $0 != 0x20 && !(0x09...0x0D).contains($0) } == UInt8(ascii: "<")
}

extension StringProtocol {
    /// Without spaces and tabs at both ends.
    var trimmingSpaces: String {
        let isSpace: (Unicode.Scalar) -> Bool = { $0 == " " || $0 == "\t" }
        var scalars = String(self).unicodeScalars[...].drop(while: isSpace)
        while let last = scalars.last, isSpace(last) { scalars.removeLast() }
        return String(scalars)
    }
}
