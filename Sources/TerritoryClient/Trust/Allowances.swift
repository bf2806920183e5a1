/// What a person allows for one command that is refused otherwise.
public struct Allowances: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Going back to an older version than is installed.
    public static let downgrade = Allowances(rawValue: 1)
    /// A version that the publisher withdrew.
    public static let yanked = Allowances(rawValue: 2)
    /// An index that has expired, or is older than was asked for.
    public static let expired = Allowances(rawValue: 4)
    /// An index below the mark. The mark is not lowered, and what it withdrew stays withdrawn.
    public static let olderIndex = Allowances(rawValue: 8)
}
