public import Diagnostics
import DurableFiles
package import Transfer

/// A channel on the web, over libcurl: one kept connection, ranges, bounded retries.
public final class HTTPTransport: ChannelTransport {
    /// How the server lays the channel out.
    public enum Layout: Hashable, Sendable {
        /// The channel's files as they are.
        case files
        /// A gateway's paths: `/territories`, `…/manifest`.
        case gateway
        /// A gateway's paths for one custom region's own channel.
        case regionGateway(territoryId: String)
    }

    private let channel: ChannelURL
    private let client: HTTPClient

    /// A transport for one channel. Nothing is fetched yet.
    ///
    /// - Parameters:
    ///   - url: the channel's address, http or https, without a query.
    ///   - layout: by which paths the server has it.
    ///   - apiKey: a key file's bytes, sent as `Authorization: Bearer …` to this URL's own scheme, host and port only.
    ///   - version: of the program that asks; the server's log shows `snpack/` and this.
    /// - Throws: `url.invalid` for another URL, `api-key.invalid` for bytes that are no key of one line.
    public convenience init(
        url: String, layout: Layout = .files, apiKey: [UInt8]? = nil, version: String = "1"
    ) throws(SnpackError) {
        let inner: ChannelURL.Layout =
            switch layout {
            case .files: .files
            case .gateway: .gateway
            case .regionGateway(let id): .regionGateway(territoryID: id)
            }
        let channel = try ChannelURL(parsing: url, layout: inner)
        let token = try apiKey.map { bytes throws(SnpackError) in
            try BearerToken(decoding: bytes, for: channel.base.origin)
        }
        self.init(channel, client: HTTPClient(version: version, token: token))
    }

    package init(_ channel: ChannelURL, client: HTTPClient) {
        self.channel = channel
        self.client = client
    }

    public var location: String {
        let text = channel.base.description
        return text.hasSuffix("/") ? String(text.dropLast()) : text
    }

    public func fetch(
        _ request: ChannelRequest, cancel: CancelToken,
        consume: (UnsafeRawBufferPointer) throws(SnpackError) -> Void
    ) throws(SnpackError) -> ChannelAnswer {
        let url = try channel.url(of: request.path)
        do throws(SnpackError) {
            if let size = request.exactSize {
                return try fetchBlob(request, url, size, cancel, consume)
            }
            // Small, and void as a whole if it has to start again.
            let limit = Int(clamping: request.limit)
            let body = try client.document(url, limit: limit, isPastCaches: request.isPastCaches, cancel: cancel)
            try deliver(body, to: consume)
            return .complete
        } catch  where error.code == .transferNotFound {
            return .notFound
        } catch  where error.code == .transferRangeUnsatisfiable && request.range != nil {
            // The file there is shorter than the signed one, or the server is confused: the whole will tell.
            return .rangeRefused
        }
    }

    private func fetchBlob(
        _ request: ChannelRequest, _ url: HTTPURL, _ size: UInt64, _ cancel: CancelToken,
        _ consume: (UnsafeRawBufferPointer) throws(SnpackError) -> Void
    ) throws(SnpackError) -> ChannelAnswer {
        guard let range = request.range else {
            let whole = HTTPRequest(url, size: .exactly(size), isPastCaches: request.isPastCaches)
            // A server without ranges can't go on after a break: the whole again, from its start.
            do throws(SnpackError) {
                try client.fetch(whole, cancel: cancel, consume: consume)
                return .complete
            } catch  where error.code == .transferRangeIgnored {
                return .rangeRefused
            }
        }
        var position = range.lowerBound
        while true {
            let (start, rest) = (position, position..<range.upperBound)
            var isWhole = false
            let part = HTTPRequest(url, size: .exactly(size), range: rest, isPastCaches: request.isPastCaches)
            try client.fetch(part, cancel: cancel) { (head) throws(SnpackError) in
                isWhole = head.part == nil
                return isWhole ? .stop : .take
            } consume: { (bytes) throws(SnpackError) in
                position += UInt64(bytes.count)
                try consume(bytes)
            }
            if !isWhole { return .complete }
            // A file that got another tag in the middle answers with the whole; without the tag its rest may be had.
            if position == start { return .rangeRefused }
        }
    }

    private func deliver(
        _ body: [UInt8], to consume: (UnsafeRawBufferPointer) throws(SnpackError) -> Void
    ) throws(SnpackError) {
        var failure: SnpackError?
        body.withUnsafeBytes { bytes in
            do throws(SnpackError) { try consume(bytes) } catch { failure = error }
        }
        if let failure { throw failure }
    }
}
