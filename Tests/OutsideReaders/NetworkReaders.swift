import Diagnostics
import ServedChannels
import TerritoryPackage
import Transfer

enum NetworkReaders {
    /// The lines of a response's head, as libcurl hands them over, and all that is read out of its fields.
    static func head(_ bytes: [UInt8]) throws(SnpackError) {
        let url = try HTTPURL(parsing: "https://example.org/channel/index.signed")
        var head = ResponseHead()
        for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
            let response = try (Array(line) + [0x0A]).withUnsafeBytes { line in
                Result { () throws(SnpackError) in try head.take(line, from: url) }
            }.get()
            guard let response else { continue }
            _ = (response.contentLength, response.contentRange?.byteCount, response.entityTag, response.acceptsRanges)
            _ = (response.contentCodings, response.retryAfter, response.isHTML)
            if let location = response["location"] { _ = try Redirect.target(of: location, from: url) }
        }
    }

    static func url(_ bytes: [UInt8]) throws(SnpackError) {
        let text = String(decoding: bytes, as: UTF8.self)
        _ = try? SourceReference(parsing: text, exists: { _ in false })
        if let channel = try? ChannelURL(parsing: text) { _ = try? channel.url(of: text) }
        let url = try HTTPURL(parsing: text)
        mustHold((try HTTPURL(parsing: url.description)).description == url.description)
    }

    /// A file as a server changed it, and the first line as a `Cache-Control` header.
    static func served(_ bytes: [UInt8]) throws(SnpackError) {
        let line = String(decoding: bytes.prefix { $0 != 0x0A }, as: UTF8.self)
        _ = CacheControl(parsing: [line, line])
        // Asked until the last: no change explains it.
        mustHold(ByteChange.explaining(bytes) { _ in false } == nil)
    }
}
