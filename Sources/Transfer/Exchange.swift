import Diagnostics

/// One request and its answer while libcurl runs: what its callbacks share. It lives on one thread and for one call.
final class Exchange {
    /// What happens to a body, decided at its head.
    enum BodyFate {
        /// Given to the consumer; more bytes than this are an error.
        case consume(atMost: UInt64)
        /// Kept for a message, up to this; the rest is not waited for.
        case collect(atMost: Int)
        /// Not wanted.
        case drop
    }
    typealias OnHead = (HTTPResponse) throws(SnpackError) -> BodyFate
    typealias Consume = (UnsafeRawBufferPointer) throws(SnpackError) -> Void

    let url: HTTPURL
    private let cancel: CancelToken
    private let onHead: OnHead
    private let consume: Consume
    private var head = ResponseHead()
    private var pace: PaceGuard
    private var fate = BodyFate.drop

    private(set) var response: HTTPResponse?
    /// How many bytes the consumer got.
    private(set) var consumed: UInt64 = 0
    private(set) var collected: [UInt8] = []
    /// What a callback threw; libcurl only knows that it was told to stop.
    private(set) var failure: SnpackError?
    /// True once the body's rest is not wanted.
    private var isCutShort = false
    /// True once a head came whose body nobody depends on.
    var needsNoBody: Bool {
        if case .consume = fate { false } else { response != nil }
    }

    init(
        url: HTTPURL, cancel: CancelToken, pace: HTTPClient.Pace, onHead: @escaping OnHead, consume: @escaping Consume
    ) {
        self.url = url
        self.cancel = cancel
        self.onHead = onHead
        self.consume = consume
        self.pace = PaceGuard(pace, now: .now)
    }

    // Each of these returns false to stop the transfer.

    func take(headLine line: UnsafeRawBufferPointer) -> Bool {
        proceed { () throws(SnpackError) in
            guard let response = try head.take(line, from: url) else { return }
            fate = try onHead(response)
            self.response = response
            if case .drop = fate { isCutShort = true }
        }
    }

    func take(body bytes: UnsafeRawBufferPointer) -> Bool {
        proceed { () throws(SnpackError) in
            try cancel.check()
            let arrival = SuspendingClock.now
            pace.earn(byteCount: bytes.count, now: arrival)
            switch fate {
            case .consume(let limit):
                guard UInt64(bytes.count) <= limit - consumed else {
                    throw SnpackError(
                        .transferTooLarge, "the server sends more than the \(limit) bytes that were expected",
                        hint: "the file on the server is not the signed one; use another source",
                        path: url.description)
                }
                try consume(bytes)
                consumed += UInt64(bytes.count)
                pace.excuse(SuspendingClock.now - arrival)
            case .collect(let limit):
                collected += bytes.prefix(limit - collected.count)
                isCutShort = collected.count == limit
            case .drop: isCutShort = true
            }
        }
    }

    /// Called about once a second, and whenever something happens.
    func takeBreath() -> Bool {
        proceed { () throws(SnpackError) in
            try cancel.check()
            guard !pace.isOver(now: .now) else {
                throw SnpackError(
                    .transferTooSlow, "the server sends next to nothing", hint: "try again later, or use a mirror",
                    path: url.description)
            }
        }
    }

    private func proceed(_ body: () throws(SnpackError) -> Void) -> Bool {
        do {
            try body()
            return !isCutShort
        } catch {
            failure = failure ?? error
            return false
        }
    }
}
