package import Diagnostics
import Synchronization

/// Fetches over HTTP by libcurl: blocking, streaming, bounded, from as many threads as like.
///
/// Each call in flight has a libcurl handle of its own; handles go back to a pool with their connections open, so calls
/// one after the other share one connection. There are no cookies, no caches, and no proxies but the environment's.
package final class HTTPClient: Sendable {
    /// How slow a server may be.
    package struct Pace: Sendable {
        package var connectTimeout = Duration.seconds(15)
        /// How long nothing, or less than the slowest rate, may come.
        package var patience = Duration.seconds(60)
        package var slowestBytesPerSecond = 1_024
        package init() {}
    }

    /// What the caller does with a body, decided at its head.
    package enum BodyUse: Sendable {
        /// Takes it if it starts where it should. A whole file in answer to a range is `transfer.range-ignored`.
        case take
        /// Takes it, also if it is the whole file: what was taken before is void, the next byte is the file's first.
        case takeFromStart
        /// Wants no body; ``fetch(_:cancel:begin:consume:)`` returns the head.
        case stop
    }

    private static let poolLimit = 8

    let userAgent: String
    let token: BearerToken?
    let pace: Pace
    let retry: RetryPolicy
    private let idle = Mutex<[CurlHandle]>([])

    /// `version` is snpack's own, for the User-Agent.
    package init(version: String, token: BearerToken? = nil, pace: Pace = Pace(), retry: RetryPolicy = RetryPolicy()) {
        userAgent = "snpack/\(version)"
        self.token = token
        self.pace = pace
        self.retry = retry
    }

    /// Fetches a file, or one range of it, and hands its bytes over as they come.
    ///
    /// `begin` is called at the head of every body, before its first byte. The bytes that `consume` gets then continue
    /// those before, without gap or repeat: a transfer that breaks off is resumed with a range, after `begin` was called
    /// for the new answer. Only if that is not possible does a body start at the file's first byte again, and only if
    /// `begin` answers ``BodyUse/takeFromStart``; ``HTTPResponse/firstByte`` tells. While `consume` works, nothing is
    /// read. What either throws comes out unchanged.
    @discardableResult
    package func fetch(
        _ request: HTTPRequest, cancel: CancelToken = CancelToken(),
        begin: (HTTPResponse) throws(SnpackError) -> BodyUse = { _ in .take },
        consume: (UnsafeRawBufferPointer) throws(SnpackError) -> Void
    ) throws(SnpackError) -> HTTPResponse {
        if let range = request.range, range.isEmpty {
            throw SnpackError(
                .transferRangeEmpty, "a range of no bytes cannot be asked for", path: request.url.description)
        }
        var progress = FetchProgress(request)
        var retries = 0
        while true {
            let before = progress.taken
            let failure: TransferFailure
            do throws(TransferFailure) {
                return try attempt(&progress, cancel, begin: begin, consume: consume)
            } catch { failure = error }
            // Bytes that came in between are progress: a long file over a poor line needs many retries.
            if progress.taken > before + 65_536 { retries = 0 }
            guard failure.error.code.isTransient, progress.prepareToGoOn(),
                let pause = retry.pause(beforeRetry: retries, retryAfter: failure.retryAfter)
            else { throw failure.error }
            retries += 1
            try retry.sleep(pause, cancel)
        }
    }

    /// Fetches a small file whole.
    package func get(
        _ url: HTTPURL, limit: Int, isPastCaches: Bool = false, cancel: CancelToken = CancelToken()
    ) throws(SnpackError) -> (response: HTTPResponse, body: [UInt8]) {
        var body: [UInt8] = []
        let request = HTTPRequest(url, size: .atMost(UInt64(max(0, limit))), isPastCaches: isPastCaches)
        let response = try fetch(request, cancel: cancel) { _ in
            body.removeAll(keepingCapacity: true)
            return .takeFromStart
        } consume: { bytes in
            body += bytes
        }
        return (response, body)
    }

    /// Fetches a small file that is JSON or a signature; a page in its place is an error of its own.
    package func document(
        _ url: HTTPURL, limit: Int, isPastCaches: Bool = false, cancel: CancelToken = CancelToken()
    ) throws(SnpackError) -> [UInt8] {
        try documentAnswer(url, limit: limit, isPastCaches: isPastCaches, cancel: cancel).body
    }

    /// The same, with the head that came before it.
    package func documentAnswer(
        _ url: HTTPURL, limit: Int, isPastCaches: Bool = false, cancel: CancelToken = CancelToken()
    ) throws(SnpackError) -> (response: HTTPResponse, body: [UInt8]) {
        let (response, body) = try get(url, limit: limit, isPastCaches: isPastCaches, cancel: cancel)
        guard !looksLikeHTML(body) else {
            throw SnpackError(
                .transferHTMLPage, "the server answered with an HTML page in place of the document",
                hint: "check the address; a login page or a hotspot may stand in the way",
                path: response.url.description)
        }
        return (response, body)
    }

    /// Asks for the head alone. Some servers refuse that, so nothing may depend on it.
    package func head(_ url: HTTPURL, cancel: CancelToken = CancelToken()) throws(SnpackError) -> HTTPResponse {
        let request = HTTPRequest(url, size: .atMost(.max))
        do throws(TransferFailure) {
            return try withHandle { (handle) throws(TransferFailure) in
                try Hops(client: self, handle: handle, request: request, isHead: true, cancel: cancel)
                    .run(begin: { _ in .collect(atMost: 0) }, consume: { _ in })
            }
        } catch { throw error.error }
    }

    private func attempt(
        _ progress: inout FetchProgress, _ cancel: CancelToken,
        begin: (HTTPResponse) throws(SnpackError) -> BodyUse,
        consume: (UnsafeRawBufferPointer) throws(SnpackError) -> Void
    ) throws(TransferFailure) -> HTTPResponse {
        let request = progress.request
        var (checked, isWanted) = (HTTPResponse?.none, false)
        let response = try withHandle { (handle) throws(TransferFailure) in
            try Hops(client: self, handle: handle, request: request, isHead: false, cancel: cancel)
                .run { (response) throws(SnpackError) in
                    let response = try AnswerCheck.checked(response, for: request)
                    let fate = try progress.begin(response, use: try begin(response))
                    if case .consume = fate { isWanted = true }
                    checked = response
                    return fate
                } consume: { (bytes) throws(SnpackError) in
                    try consume(bytes)
                    progress.take(bytes.count)
                }
        }
        guard let checked, isWanted else { return checked ?? response }
        do { try progress.checkComplete(checked) } catch { throw TransferFailure(error) }
        return checked
    }

    /// Lends a handle; at most ``poolLimit`` of those that come back are kept.
    private func withHandle<Result>(
        _ body: (CurlHandle) throws(TransferFailure) -> Result
    ) throws(TransferFailure) -> Result {
        let handle: CurlHandle
        do throws(SnpackError) {
            handle = if let kept = idle.withLock({ $0.popLast() }) { kept } else { try CurlHandle() }
        } catch {
            throw TransferFailure(error)
        }
        defer { idle.withLock { if $0.count < Self.poolLimit { $0.append(handle) } } }
        return try body(handle)
    }
}
