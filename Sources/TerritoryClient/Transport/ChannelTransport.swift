public import Diagnostics

/// How a channel's bytes get here: over HTTP, from a directory, or any way that an app knows.
///
/// Nothing that a transport hands over is trusted; it only has to be fast. It may be asked from two threads at once.
public protocol ChannelTransport: Sendable {
    /// The directory or URL, for messages; holds no secret.
    var location: String { get }

    /// Fetches a file, or one range of it, and hands its bytes over in order. Blocks until that is done.
    ///
    /// Only the bytes asked for go to `consume`; while it works, nothing more should be read. What it throws must come
    /// out unchanged. More than `request.limit` bytes need not be read: the store stops the transfer there itself.
    /// - Throws: a `SnpackError` with a network code, of an app's own such as `transport.failed`; `interrupted` soon after
    ///   `cancel` was cancelled.
    func fetch(
        _ request: ChannelRequest, cancel: CancelToken,
        consume: (UnsafeRawBufferPointer) throws(SnpackError) -> Void
    ) throws(SnpackError) -> ChannelAnswer
}

/// What is asked of a transport.
public struct ChannelRequest: Hashable, Sendable {
    /// The file's path in the channel, such as `territories/uk/1.0.0/manifest.json`.
    public let path: String
    /// The bytes wanted; nil for the whole file.
    public let range: Range<UInt64>?
    /// The file's size, where a signed document tells it.
    public let exactSize: UInt64?
    /// The most bytes that the whole file may have.
    public let limit: UInt64
    /// Asks caches on the way to fetch afresh.
    public let isPastCaches: Bool

    /// A whole file of at most `limit` bytes.
    public init(_ path: String, limit: UInt64, isPastCaches: Bool = false) {
        self.path = path
        range = nil
        exactSize = nil
        self.limit = limit
        self.isPastCaches = isPastCaches
    }

    /// A file of exactly `size` bytes, or a range of it.
    public init(_ path: String, size: UInt64, range: Range<UInt64>? = nil, isPastCaches: Bool = false) {
        self.path = path
        self.range = range
        exactSize = size
        limit = size
        self.isPastCaches = isPastCaches
    }
}

/// How a transport answered.
public enum ChannelAnswer: Hashable, Sendable {
    /// All bytes asked for were handed over.
    case complete
    /// The channel has no such file; nothing was handed over.
    case notFound
    /// Only whole files can be had here. What was handed over, if anything, does not count.
    case rangeRefused
}
