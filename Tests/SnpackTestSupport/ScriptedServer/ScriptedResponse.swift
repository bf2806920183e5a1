/// What the server says to one request: status, headers, and a body played part by part.
///
/// ```swift
/// .ok(bytes).header("ETag", "\"v1\"")
/// .ok(bytes).paced(bytesPerSecond: 500)
/// .status(429).header("Retry-After", "1")
/// .file(bytes, for: request)                 // an honest server with ranges
/// .parts([.bytes(half), .hangUp])            // announces nothing, closes in the middle
/// .raw("HTTP/1.1 206 Partial Content\r\n…")  // every byte is the test's own
/// ```
public struct ScriptedResponse: Sendable {
    /// A stretch of the body.
    public enum Part: Sendable {
        case bytes([UInt8])
        /// The block, so many times: large bodies without large memory.
        case repeated([UInt8], times: Int)
        /// The block until the client goes away.
        case endless([UInt8])
        case pause(Duration)
        /// Closes the connection; parts after it are not sent.
        case hangUp
        /// Closes it with a TCP reset.
        case reset

        var byteCount: Int {
            switch self {
            case .bytes(let bytes): bytes.count
            case .repeated(let block, let times): block.count * times
            case .endless, .pause, .hangUp, .reset: 0
            }
        }
    }

    /// How the answer says where its body ends.
    public enum Framing: Sendable {
        /// `Content-Length`, the parts' true length.
        case length
        /// `Transfer-Encoding: chunked`
        case chunked
        /// Nothing but the connection's end.
        case untilClose
        /// One `Content-Length` header per text, sent as they are.
        case declared([String])
        /// There is no head at all: the parts are the whole answer.
        case raw
    }

    /// The status line's number.
    public var status = 200
    /// Sent as they are, in order, besides those that the framing adds.
    public var headers: [(name: String, value: String)] = []
    /// The body, in the order in which it is played.
    public var parts: [Part] = []
    /// How the body's end is told.
    public var framing = Framing.length
    /// Waits before the first byte of the answer.
    public var delay: Duration = .zero
    /// Whether the connection is closed after this answer.
    public var isLast = false

    // MARK: Ways to make one

    /// 200 with this body.
    public static func ok(_ body: [UInt8]) -> ScriptedResponse { parts([.bytes(body)], framing: .length) }
    /// 200 with this text.
    public static func ok(_ body: String) -> ScriptedResponse { ok(Array(body.utf8)) }

    /// Any status, with a short body.
    public static func status(_ status: Int, _ body: String = "") -> ScriptedResponse {
        var response = ok(body)
        response.status = status
        return response
    }

    /// 404.
    public static var notFound: ScriptedResponse { status(404, "no such file") }

    /// A redirect to a URL or a path.
    public static func redirect(_ location: String, status: Int = 302) -> ScriptedResponse {
        .status(status).header("Location", location)
    }

    /// 200 with a body played part by part.
    public static func parts(_ parts: [Part], framing: Framing = .untilClose) -> ScriptedResponse {
        var response = ScriptedResponse()
        response.parts = parts
        response.framing = framing
        return response
    }

    /// Every byte of the answer; the connection is closed after it.
    public static func raw(_ text: String, _ body: [UInt8] = []) -> ScriptedResponse {
        parts([.bytes(Array(text.utf8) + body)], framing: .raw).closing()
    }

    /// Closes the connection without a word.
    public static var hangUp: ScriptedResponse { parts([.hangUp], framing: .raw) }

    /// Says nothing for so long, then closes the connection.
    public static func silence(_ duration: Duration) -> ScriptedResponse {
        parts([.pause(duration), .hangUp], framing: .raw)
    }

    /// What an honest server says: the whole file, one range of it (206), or 416; `If-Range` is understood.
    public static func file(
        _ bytes: [UInt8], for request: ScriptedRequest, entityTag: String? = nil
    ) -> ScriptedResponse {
        var response = ok(bytes).header("Accept-Ranges", "bytes")
        if let entityTag { response = response.header("ETag", entityTag) }
        guard let range = request.range, request["If-Range"] == nil || request["If-Range"] == entityTag else {
            return response
        }
        guard range.lowerBound < bytes.count else {
            return .status(416).header("Content-Range", "bytes */\(bytes.count)")
        }
        let present = range.clamped(to: 0..<bytes.count)
        response.status = 206
        response.parts = [.bytes(Array(bytes[present]))]
        return response.header(
            "Content-Range", "bytes \(present.lowerBound)-\(present.upperBound - 1)/\(bytes.count)")
    }

    // MARK: Ways to change one

    /// One more header; names may repeat.
    public func header(_ name: String, _ value: String) -> ScriptedResponse {
        var response = self
        response.headers.append((name, value))
        return response
    }

    /// Tells the body's end in another way.
    public func framed(_ framing: Framing) -> ScriptedResponse {
        var response = self
        response.framing = framing
        return response
    }

    /// Waits before it answers.
    public func after(_ delay: Duration) -> ScriptedResponse {
        var response = self
        response.delay = delay
        return response
    }

    /// Closes the connection after this answer.
    public func closing() -> ScriptedResponse {
        var response = self
        response.isLast = true
        return response
    }

    /// Cuts the body after `count` bytes and closes the connection; `Content-Length` still tells the whole.
    public func breakingOff(after count: Int) -> ScriptedResponse {
        var response = self
        if case .length = framing { response.framing = .declared(["\(parts.reduce(0) { $0 + $1.byteCount })"]) }
        response.parts = [.bytes(Array(body.prefix(count))), .hangUp]
        return response
    }

    /// Sends the body no faster than this, 20 pieces a second.
    public func paced(bytesPerSecond: Int) -> ScriptedResponse {
        var response = self
        if case .length = framing { response.framing = .declared(["\(parts.reduce(0) { $0 + $1.byteCount })"]) }
        let (body, step) = (body, max(1, bytesPerSecond / 20))
        response.parts = stride(from: 0, to: body.count, by: step).flatMap { start in
            [Part.bytes(Array(body[start..<min(start + step, body.count)])), .pause(.milliseconds(50))]
        }
        return response
    }

    private var body: [UInt8] {
        parts.flatMap { part in
            switch part {
            case .bytes(let bytes): bytes
            case .repeated(let block, let times): Array((0..<times).map { _ in block }.joined())
            case .endless, .pause, .hangUp, .reset: [UInt8]()
            }
        }
    }
}
