import Diagnostics

/// How far one fetch has come, and what to ask for next when it breaks off.
struct FetchProgress {
    /// What the next attempt sends.
    private(set) var request: HTTPRequest
    /// Bytes that the consumer holds, from `start` on.
    private(set) var taken: UInt64 = 0
    private let givenTag: EntityTag?
    private var start: UInt64
    /// Where the last byte wanted ends; nil while the file's size is not known.
    private var end: UInt64?
    private var tag: EntityTag?
    private var mayRestart = false

    init(_ request: HTTPRequest) {
        self.request = request
        givenTag = request.ifRange
        start = request.range?.lowerBound ?? 0
        end = request.range?.upperBound ?? request.size.exact
    }

    /// A body comes; `use` is what the caller wants with it.
    mutating func begin(_ response: HTTPResponse, use: HTTPClient.BodyUse) throws(SnpackError) -> Exchange.BodyFate {
        if case .stop = use { return .drop }
        mayRestart = if case .takeFromStart = use { true } else { false }
        tag = response.entityTag
        if let part = response.part { return .consume(atMost: part.byteCount) }
        if request.range != nil || taken > 0 {
            guard mayRestart else {
                throw SnpackError(
                    .transferRangeIgnored, "the server answered with the whole file where a range was asked for",
                    hint: "it knows no ranges, or the file has changed; the file has to be fetched whole",
                    path: response.url.description)
            }
            (request.range, request.ifRange) = (nil, nil)
            (start, taken, end) = (0, 0, request.size.exact)
        }
        return .consume(atMost: request.size.limit)
    }

    mutating func take(_ byteCount: Int) { taken += UInt64(byteCount) }

    /// A body is over without an error; it must also be complete.
    func checkComplete(_ response: HTTPResponse) throws(SnpackError) {
        guard let end = response.part.map(\.bytes.upperBound) ?? request.size.exact, start + taken < end else { return }
        throw SnpackError(
            .transferBodyShort, "the body ends \(end - start - taken) bytes before its end",
            hint: "run the command again: it goes on there", path: response.url.description)
    }

    /// Prepares the request for the bytes that are missing; false if what was taken cannot be built upon.
    mutating func prepareToGoOn() -> Bool {
        if taken == 0 { return true }
        if let end {
            guard start + taken < end else { return false }
            request.range = start + taken..<end
            request.ifRange = tag.flatMap { $0.isStrong ? $0 : nil } ?? givenTag
            return true
        }
        return mayRestart
    }
}
