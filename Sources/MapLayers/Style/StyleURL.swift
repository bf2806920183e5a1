/// A reference in a style document, told apart by where it leads.
///
/// A style in a package may use: paths relative to the style's directory and within it, `data:` URIs, and for its tiles
/// `pmtiles://` with a relative path, which may lead to the layer beside it (one `../`): a client puts the installed
/// archive's place there. Everything else needs a network, or a machine that is not the person's.
enum StyleURL: Equatable {
    /// Web addresses, of whatever scheme, and services known by a scheme of their own.
    case remote
    case data
    /// `pmtiles://` with a path that stays in the package.
    case pmtiles
    /// `pmtiles://` with an absolute path of some machine.
    case pmtilesPlace
    /// Within the layer, normalized.
    case file(String)
    /// A path that leads out of the layer.
    case outside
    case otherScheme(String)

    init(_ text: String) {
        if Self.isRemote(text) {
            self = .remote
            return
        }
        guard let scheme = Self.scheme(of: text) else {
            self = Self.path(text)
            return
        }
        switch scheme {
        case "data": self = .data
        case "pmtiles": self = Self.pmtiles(String(text.dropFirst("pmtiles:".count)))
        default: self = .otherScheme(scheme)
        }
    }

    /// True for text that holds a web address anywhere, or begins like one.
    static func isRemote(_ text: String) -> Bool {
        let text = text.lowercased()
        if text.contains("http://") || text.contains("https://") { return true }
        // `//host/x` takes the scheme of the page it stands on.
        if text.hasPrefix("//"), text.dropFirst(2).first.map({ $0.isLetter || $0.isNumber }) == true { return true }
        return ["mapbox:", "maptiler:", "ws:", "wss:", "ftp:", "s3:", "gs:"].contains { text.hasPrefix($0 + "//") }
    }

    /// The names in braces that stand in the text.
    static func placeholders(in text: String) -> [String] {
        text.split(separator: "{", omittingEmptySubsequences: false).dropFirst().compactMap { part in
            part.firstIndex(of: "}").map { String(part[..<$0]) }
        }
    }

    private static func scheme(of text: String) -> String? {
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let scheme = text.utf8[..<colon]
        let isScheme =
            scheme.first.map(isLetter) == true
            && scheme.allSatisfy { isLetter($0) || (0x30...0x39).contains($0) || [0x2B, 0x2D, 0x2E].contains($0) }
        return isScheme ? String(text[..<colon]).lowercased() : nil
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }

    private static func pmtiles(_ rest: String) -> StyleURL {
        guard rest.hasPrefix("//") else { return .otherScheme("pmtiles") }
        let place = String(rest.dropFirst(2))
        if place.hasPrefix("/") || scheme(of: place) == "file" { return .pmtilesPlace }
        if scheme(of: place) != nil { return .otherScheme("pmtiles") }
        let inner = place.hasPrefix("../") ? String(place.dropFirst(3)) : place
        if case .file = path(inner) { return .pmtiles }
        return .outside
    }

    private static func path(_ text: String) -> StyleURL {
        let plain = text.replacing("%2e", with: ".").replacing("%2E", with: ".").replacing("%2f", with: "/")
            .replacing("%2F", with: "/").replacing("%5c", with: "\\").replacing("%5C", with: "\\")
        guard !plain.hasPrefix("/"), !plain.utf8.contains(UInt8(ascii: "\\")), !plain.utf8.contains(0) else {
            return .outside
        }
        let segments = plain.split(separator: "/").filter { $0 != "." }
        return segments.isEmpty || segments.contains("..") ? .outside : .file(segments.joined(separator: "/"))
    }
}
