import Diagnostics

/// One attempt at a request: its exchange, and those that redirects ask for.
struct Hops {
    let client: HTTPClient
    let handle: CurlHandle
    let request: HTTPRequest
    let isHead: Bool
    let cancel: CancelToken

    /// Follows redirects to an answer with 200 or 206; `begin` judges its head, `consume` gets its body.
    func run(
        begin: (HTTPResponse) throws(SnpackError) -> Exchange.BodyFate,
        consume: (UnsafeRawBufferPointer) throws(SnpackError) -> Void
    ) throws(TransferFailure) -> HTTPResponse {
        var url = request.url
        for _ in 0...Redirect.limit {
            let (response, body) = try answer(of: url, begin: begin, consume: consume)
            if Self.isSuccess(response) { return response }
            guard Redirect.statuses.contains(response.status), let location = response["location"] else {
                let error = StatusFailure.error(response, body: body, hasToken: isTrusted(url))
                throw TransferFailure(error, retryAfter: response.retryAfter)
            }
            do { url = try Redirect.target(of: location, from: url) } catch { throw TransferFailure(error) }
        }
        throw TransferFailure(
            SnpackError(
                .transferRedirectLoop, "the server redirects more than \(Redirect.limit) times",
                hint: "check the address", path: request.url.description))
    }

    private static func isSuccess(_ response: HTTPResponse) -> Bool { response.status == 200 || response.status == 206 }

    private func isTrusted(_ url: HTTPURL) -> Bool { client.token?.origin == url.origin }

    private func answer(
        of url: HTTPURL, begin: (HTTPResponse) throws(SnpackError) -> Exchange.BodyFate,
        consume: (UnsafeRawBufferPointer) throws(SnpackError) -> Void
    ) throws(TransferFailure) -> (HTTPResponse, body: [UInt8]) {
        var lines = request.headerLines
        if let token = client.token, isTrusted(url) { lines.append("Authorization: Bearer \(token.secret)") }
        let call = CurlHandle.Call(
            isHead: isHead, headerLines: lines, userAgent: client.userAgent, connectTimeout: client.pace.connectTimeout)
        do throws(SnpackError) {
            return try withoutActuallyEscaping(begin) { (begin) throws(SnpackError) in
                try withoutActuallyEscaping(consume) { (consume) throws(SnpackError) in
                    let exchange = Exchange(
                        url: url, cancel: cancel, pace: client.pace,
                        onHead: { (response) throws(SnpackError) in
                            Self.isSuccess(response)
                                ? try begin(response) : .collect(atMost: StatusFailure.bodyLimit)
                        }, consume: consume)
                    try handle.perform(call, exchange)
                    guard let response = exchange.response else {
                        throw SnpackError(
                            .transferAnswerMalformed, "the server's answer has no head", path: url.description)
                    }
                    return (response, exchange.collected)
                }
            }
        } catch { throw TransferFailure(error) }
    }
}

/// Why an attempt failed, and how long the server asks to be left alone.
struct TransferFailure: Error {
    let error: SnpackError
    let retryAfter: Duration?

    init(_ error: SnpackError, retryAfter: Duration? = nil) {
        self.error = error
        self.retryAfter = retryAfter
    }
}
