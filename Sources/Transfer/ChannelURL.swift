package import Diagnostics

/// The address of a channel on the web, which turns the channel's own paths into URLs.
///
/// Everyone else names files by their path in a channel directory, `territories/uk/1.0.0/manifest.json`; only this type
/// knows that a gateway calls the same bytes `/territories/uk/1.0.0/manifest`.
package struct ChannelURL: Hashable, Sendable {
    /// How the server at the base lays the channel out (SPEC 7 and 8).
    package enum Layout: Hashable, Sendable {
        /// The directory as it is.
        case files
        /// `/territories`, `/territories/index.sig`, `…/manifest`, `…/manifest.sig`.
        case gateway
        /// The index of one region below `/v1/territories/<id>/`, everything else as files.
        case regionGateway(territoryID: String)
    }

    package let base: HTTPURL
    package let layout: Layout

    /// Parses the base: no query, no `.` or `..` segments; slashes at its end do not matter.
    package init(parsing text: String, layout: Layout = .files) throws(SnpackError) {
        let url = try HTTPURL(parsing: text)
        guard url.query == nil else {
            throw HTTPURL.invalid("\(quoted(url.description)) has a query, which a channel's address cannot have")
        }
        let segments = url.path.split(separator: "/", omittingEmptySubsequences: false)
        let dots: Set<String> = [".", ".."]
        guard !segments.contains(where: { dots.contains($0.lowercased().replacing("%2e", with: ".")) }) else {
            throw HTTPURL.invalid("\(quoted(text)) has a . or .. segment")
        }
        var path = url.path[...]
        while path.hasSuffix("/") { path.removeLast() }
        base = HTTPURL(origin: url.origin, path: String(path))
        self.layout = layout
    }

    /// The URL of a file by its path in the channel, such as `index.signed`. Every segment is percent-encoded UTF-8.
    package func url(of path: String) throws(SnpackError) -> HTTPURL {
        let segments = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard segments.allSatisfy({ !$0.isEmpty && $0 != "." && $0 != ".." }) else {
            throw SnpackError(.urlInvalid, "\(quoted(path)) is no path in a channel")
        }
        let encoded = served(segments).map(PercentEncoding.encode).joined(separator: "/")
        return HTTPURL(origin: base.origin, path: base.path + "/" + encoded)
    }

    /// The segments by which the server knows the file.
    private func served(_ segments: [String]) -> [String] {
        switch layout {
        case .files: return segments
        case .regionGateway(let territoryID):
            return segments.count == 1 ? ["v1", "territories", territoryID] + segments : segments
        case .gateway:
            switch (segments.count, segments.last) {
            case (1, "index.json"): return ["territories"]
            case (1, "index.json.sig"): return ["territories", "index.sig"]
            case (1, _): return ["territories"] + segments
            case (4, "manifest.json"): return segments.dropLast() + ["manifest"]
            case (4, "manifest.json.sig"): return segments.dropLast() + ["manifest.sig"]
            default: return segments
            }
        }
    }
}
