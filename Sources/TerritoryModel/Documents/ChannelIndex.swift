public import Diagnostics

/// The signed list of what a channel offers.
///
/// Every value keeps all rules of the wire format, whether it was read or made, so what is written can be read.
public struct ChannelIndex: Hashable, Sendable {
    /// What the channel calls itself.
    public let channel: ChannelName
    /// Grows with every index that is signed.
    public let sequence: UInt64
    /// When it was signed.
    public let publishedAt: Timestamp
    /// When it stops being fresh; later than ``publishedAt``.
    public let expiresAt: Timestamp?
    /// The territories, ascending by id.
    public let territories: [Territory]

    /// The entry of a territory, or nil if the channel does not offer it.
    public subscript(id: TerritoryID) -> Territory? {
        var (low, high) = (0, territories.count)
        while low < high {
            let middle = low + (high - low) / 2
            if territories[middle].id < id { low = middle + 1 } else { high = middle }
        }
        return low < territories.count && territories[low].id == id ? territories[low] : nil
    }

    /// True if this is what the region role may sign: one territory, a region, whose id is the channel's name.
    public var isRegionIndex: Bool {
        territories.count == 1 && territories[0].id.isRegion && channel == ChannelName(of: territories[0].id)
    }

    /// True if this is what the factory role may sign: no region in it, and not called like one.
    public var isCountryIndex: Bool { !channel.isRegion && !territories.contains { $0.id.isRegion } }

    /// An index of these parts. Territories are sorted.
    ///
    /// - Throws: `index.malformed` with the key path of what a reader would refuse.
    package init(
        channel: ChannelName, sequence: UInt64, publishedAt: Timestamp, expiresAt: Timestamp? = nil,
        territories: [Territory]
    ) throws(SnpackError) {
        self.channel = channel
        self.sequence = sequence
        self.publishedAt = publishedAt
        self.expiresAt = expiresAt
        self.territories = territories.sorted { $0.id < $1.id }
        _ = try ChannelIndex(decoding: canonicalBytes)
    }

    /// Reads an index, which must already be verified: `type`, `format` and `critical` first, then every rule.
    ///
    /// - Throws: `index.too-new` (exit status 8) for a later format or an unknown critical key, `index.malformed` (exit
    ///   status 3) with the key path for everything else.
    public init(decoding bytes: [UInt8]) throws(SnpackError) {
        let root = try Self.documentType.open(bytes)
        channel = try root.required("channel").parsed(ChannelName.init(parsing:))
        sequence = try root.required("sequence").integer(Limits.sequence)
        publishedAt = try root.required("published_at").parsed(Timestamp.init(parsing:))
        let expiry = try root.optional("expires_at")
        expiresAt = try expiry?.parsed(Timestamp.init(parsing:))
        if let expiry, let expiresAt, expiresAt <= publishedAt {
            throw expiry.fault("\(expiresAt) is not later than published_at, \(publishedAt)")
        }
        var territories: [Territory] = []
        for field in try root.required("territories").elements(Limits.territories) {
            let territory = try Territory(field)
            if let previous = territories.last, previous.id >= territory.id {
                throw try field.required("id").fault("territories must ascend by id, each once")
            }
            territories.append(territory)
        }
        self.territories = territories
    }
}
