import Signing
import TerritoryModel

/// The page for people: `index.html` with everything it needs in it. Its parts lie in `Page/`.
enum CataloguePage {
    private static let style = PackageResources.page_css
    private static let script =
        PackageResources.channel_js + PackageResources.maps_js + PackageResources.list_js
        + PackageResources.signature_js
    /// What a page begins with that snpack wrote; another one is its owner's.
    static let beginning = Array(PackageResources.page_html.prefix { $0 != UInt8(ascii: "{") })
    /// Everything that is the same on all pages.
    static let template = PackageResources.page_html + PackageResources.land_txt + style + script

    /// - Parameters:
    ///   - signed: the exact bytes of `index.signed`, which the page reads and checks.
    ///   - details: what else it shows.
    static func bytes(channel: ChannelName, signed: [UInt8], details: JSONValue) -> [UInt8] {
        let parts: [String: [UInt8]] = [
            "style": style, "script": script, "style-hash": hash(style), "script-hash": hash(script),
            "land": PackageResources.land_txt, "channel": Array(channel.rawValue.utf8),
            "signed": scriptData(JSONValue.string(String(decoding: signed, as: UTF8.self))),
            "details": scriptData(details),
        ]
        var page: [UInt8] = []
        page.reserveCapacity(template.count + signed.count * 5 / 4)
        var rest = PackageResources.page_html[...]
        while let start = rest.firstRange(of: Array("{{".utf8)), let end = rest.firstRange(of: Array("}}".utf8)) {
            page += rest[..<start.lowerBound]
            let name = String(decoding: rest[start.upperBound..<end.lowerBound], as: UTF8.self)
            guard let part = parts[name] else { preconditionFailure("the page has no part named \(name)") }
            page += part
            rest = rest[end.upperBound...]
        }
        return page + rest
    }

    /// A source of the page's policy that admits exactly these bytes.
    private static func hash(_ bytes: [UInt8]) -> [UInt8] { Array("sha256-\(SHA256.base64(of: bytes))".utf8) }

    /// JSON that an HTML parser takes for the data of one script element, whatever the texts in it say.
    private static func scriptData(_ value: JSONValue) -> [UInt8] {
        let bytes = value.canonicalBytes
        var safe: [UInt8] = []
        safe.reserveCapacity(bytes.count)
        for byte in bytes {
            if byte == UInt8(ascii: "<") { safe += "\\u003c".utf8 } else { safe.append(byte) }
        }
        return safe
    }
}
