public import TerritoryModel

/// How current an index is, as far as this machine's clock can tell.
public enum Freshness: String, Hashable, Sendable {
    /// Before its `expires_at`, and no older than was asked for.
    case fresh
    /// Older than was asked for.
    case stale
    /// Past its `expires_at`.
    case expired
    /// It names no end and no age was asked for, or the clock is wrong.
    case unknown

    /// A clock further than this before `published_at` is wrong: one day.
    package static let clockTolerance: Int64 = 86_400

    /// - Parameter maxAge: seconds since `published_at` that are still fine.
    package init(of index: ChannelIndex, at now: Timestamp, maxAge: Int64?) {
        let age = now.secondsSince1970 - index.publishedAt.secondsSince1970
        if age < -Self.clockTolerance {
            self = .unknown
        } else if let expiresAt = index.expiresAt, expiresAt <= now {
            self = .expired
        } else if let maxAge, age > maxAge {
            self = .stale
        } else {
            self = index.expiresAt == nil && maxAge == nil ? .unknown : .fresh
        }
    }
}

/// What a command tells of the index that it went by.
public struct IndexInfo: Hashable, Sendable {
    /// The channel's name, as the index states it.
    public let channel: ChannelName
    /// Its place in the channel's history: each index that was signed has a greater one.
    public let sequence: UInt64
    /// When it was signed, by the publisher's clock.
    public let publishedAt: Timestamp
    /// From when on nothing new is taken by it; nil when it names no end.
    public let expiresAt: Timestamp?
    /// What this machine's clock makes of it.
    public let freshness: Freshness
    /// Seconds since `published_at` by this machine's clock; negative when the clock is behind.
    public let ageSeconds: Int64

    package init(_ index: ChannelIndex, freshness: Freshness, now: Timestamp) {
        channel = index.channel
        sequence = index.sequence
        publishedAt = index.publishedAt
        expiresAt = index.expiresAt
        self.freshness = freshness
        ageSeconds = now.secondsSince1970 - index.publishedAt.secondsSince1970
    }
}
