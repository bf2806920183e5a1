package import Diagnostics

/// An `http` or `https` URL without user name, password or fragment, in ASCII.
package struct HTTPURL: Hashable, Sendable, CustomStringConvertible {
    /// Where a request goes; a secret for one origin is never sent to another.
    package struct Origin: Hashable, Sendable, CustomStringConvertible {
        package let isSecure: Bool
        /// In lowercase; an IPv6 address in its brackets.
        package let host: String
        /// The one given, or 80 or 443.
        package let port: UInt16

        package var description: String {
            let isUsualPort = port == (isSecure ? 443 : 80)
            return (isSecure ? "https://" : "http://") + host + (isUsualPort ? "" : ":\(port)")
        }
    }

    package let origin: Origin
    /// The percent-encoded path, which begins with `/`.
    package let path: String
    /// The query behind its `?`.
    package let query: String?

    init(origin: Origin, path: String) {
        self.origin = origin
        self.path = path
        query = nil
    }

    /// Parses a URL that came from a person or a server. Letters beyond ASCII in path and query are percent-encoded.
    package init(parsing text: String) throws(SnpackError) {
        let bytes = Array(text.utf8)
        guard bytes.count <= 8_192 else { throw Self.invalid("a URL of \(bytes.count) bytes is too long") }
        let schemes: [(prefix: String, isSecure: Bool)] = [("https://", true), ("http://", false)]
        let start = bytes.prefix(8).map(Self.lowercased)
        guard let scheme = schemes.first(where: { start.starts(with: $0.prefix.utf8) }) else {
            throw Self.invalid("\(Self.shown(text)) is not an http or https URL")
        }
        let rest = bytes.dropFirst(scheme.prefix.utf8.count)
        let authority = rest.prefix { !"/?#".utf8.contains($0) }
        // First of all, so that no other message repeats a password.
        guard !authority.contains(UInt8(ascii: "@")) else {
            throw Self.invalid(
                "a URL with a user name or password in it is refused", hint: "use --api-key-file for a secret")
        }
        guard !rest.contains(UInt8(ascii: "#")) else { throw Self.invalid("\(Self.shown(text)) has a fragment (#…)") }
        guard let origin = Self.origin(authority, isSecure: scheme.isSecure) else {
            throw Self.invalid(
                "\(Self.shown(text)) has no valid host and port", hint: "write international names in their xn-- form")
        }
        guard let target = Self.encoded(rest[authority.endIndex...]) else {
            throw Self.invalid(
                "\(Self.shown(text)) has a character that does not belong in a URL",
                hint: "percent-encode it, as in %20")
        }
        let path = target.prefix { $0 != "?" }
        self.origin = origin
        self.path = path.isEmpty ? "/" : String(path)
        query = path.endIndex == target.endIndex ? nil : String(target[path.endIndex...].dropFirst())
    }

    /// The whole URL.
    package var text: String { withoutQuery + (query.map { "?" + $0 } ?? "") }
    /// What messages show: a query may hold the signature that opens a store.
    package var description: String { withoutQuery + (query == nil ? "" : "?…") }

    private var withoutQuery: String { origin.description + path }

    /// How messages show what is no URL to us: without what may be a password or a secret in a query.
    static func shown(_ text: String) -> String {
        var text = text[...]
        if let scheme = text.firstRange(of: "://"), let end = text.lastIndex(of: "@"), end >= scheme.upperBound {
            text.replaceSubrange(scheme.upperBound..<end, with: "…")
        }
        guard let end = text.firstIndex(where: { "?#".contains($0) }) else { return quoted(String(text)) }
        return quoted(text[...end] + "…")
    }

    static func invalid(_ message: String, hint: String? = nil) -> SnpackError {
        SnpackError(.urlInvalid, message, hint: hint ?? "give it in the form https://example.org/maps")
    }
}

extension HTTPURL {
    private static func origin(_ authority: ArraySlice<UInt8>, isSecure: Bool) -> Origin? {
        let isAddress6 = authority.first == UInt8(ascii: "[")
        let closing = isAddress6 ? authority.firstIndex(of: UInt8(ascii: "]")) : nil
        let hostEnd = closing.map { $0 + 1 } ?? authority.firstIndex(of: UInt8(ascii: ":")) ?? authority.endIndex
        let host = authority[..<hostEnd].map(lowercased)
        let rest = authority[hostEnd...]
        let isSound =
            isAddress6
            ? host.count > 3 && closing != nil
                && host.dropFirst().dropLast().allSatisfy { isHexDigit($0) || ":.".utf8.contains($0) }
            : (1...253).contains(host.count) && host.allSatisfy { isLetterOrDigit($0) || "-._".utf8.contains($0) }
        guard isSound else { return nil }
        var port: UInt16 = isSecure ? 443 : 80
        if let colon = rest.first {
            let digits = rest.dropFirst()
            guard colon == UInt8(ascii: ":"), digits.allSatisfy({ (0x30...0x39).contains($0) }),
                let number = UInt16(String(decoding: digits, as: UTF8.self)), number > 0
            else { return nil }
            port = number
        }
        return Origin(isSecure: isSecure, host: String(decoding: host, as: UTF8.self), port: port)
    }

    /// Path and query with what is not ASCII percent-encoded; nil for spaces, controls and broken escapes.
    private static func encoded(_ target: ArraySlice<UInt8>) -> String? {
        var result: [UInt8] = []
        var escapeDigits = 0
        for byte in target {
            guard escapeDigits == 0 || isHexDigit(byte) else { return nil }
            escapeDigits = byte == UInt8(ascii: "%") ? 2 : max(0, escapeDigits - 1)
            switch byte {
            case 0x80...: result += PercentEncoding.escape(byte)
            case 0x21...0x7E where !"\"<>\\^`{|}".utf8.contains(byte): result.append(byte)
            default: return nil
            }
        }
        return escapeDigits == 0 ? String(decoding: result, as: UTF8.self) : nil
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x7A).contains(lowercased(byte))
    }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x66).contains(lowercased(byte))
    }
}

/// RFC 3986: all but unreserved characters become `%XX` of their UTF-8 bytes.
enum PercentEncoding {
    static func encode(segment: String) -> String {
        String(
            decoding: segment.utf8.flatMap { byte -> [UInt8] in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: [byte]
                default: escape(byte)
                }
            }, as: UTF8.self)
    }

    static func escape(_ byte: UInt8) -> [UInt8] {
        let digits = Array("0123456789ABCDEF".utf8)
        return [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }
}
