import CCurl
package import Diagnostics

/// Where an answer sends us, and whether we go.
package enum Redirect {
    /// How many are followed for one request.
    static let limit = 5
    static let statuses: Set<Int> = [301, 302, 303, 307, 308]

    /// The URL that `location`, relative or not, names; never one that gives up TLS.
    package static func target(of location: String, from url: HTTPURL) throws(SnpackError) -> HTTPURL {
        // RFC 9110 allows a fragment here; it never goes to a server.
        let bytes = location.utf8.prefix { $0 != UInt8(ascii: "#") }
        guard let resolved = resolve(String(Substring(bytes)), against: url.text) else {
            throw refused("\(HTTPURL.shown(location)), which is no URL", from: url)
        }
        let target: HTTPURL
        do { target = try HTTPURL(parsing: resolved) } catch {
            throw SnpackError(
                .transferRedirectRefused, "the server redirects to where snpack does not go: \(error.message)",
                hint: "tell who runs the server", path: url.description)
        }
        guard target.origin.isSecure || !url.origin.isSecure else {
            throw refused("\(quoted(target.description)), which gives up TLS", from: url)
        }
        return target
    }

    private static func refused(_ what: String, from url: HTTPURL) -> SnpackError {
        SnpackError(
            .transferRedirectRefused, "the server redirects to \(what)", hint: "tell who runs the server",
            path: url.description)
    }

    /// RFC 3986's resolution, as libcurl does it.
    private static func resolve(_ reference: String, against base: String) -> String? {
        guard let url = curl_url() else { return nil }
        defer { curl_url_cleanup(url) }
        guard curl_url_set(url, CURLUPART_URL, base, 0) == CURLUE_OK,
            curl_url_set(url, CURLUPART_URL, reference, UInt32(CURLU_URLENCODE | CURLU_NON_SUPPORT_SCHEME)) == CURLUE_OK
        else { return nil }
        var text: UnsafeMutablePointer<CChar>?
        guard curl_url_get(url, CURLUPART_URL, &text, 0) == CURLUE_OK, let text else { return nil }
        defer { curl_free(text) }
        return String(cString: text)
    }
}
