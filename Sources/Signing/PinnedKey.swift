public import Diagnostics

/// A public key that a reader trusts for one role. The two roles are two types, so that they cannot be swapped.
public protocol PinnedKey: Hashable, Sendable, CustomStringConvertible {
    /// What this key may sign.
    static var role: KeyRole { get }
    /// The key itself.
    var publicKey: PublicKey { get }
    /// Pins a key for this role.
    init(_ publicKey: PublicKey)
}

extension PinnedKey {
    /// Pins the key of 64 hex characters; throws `key.invalid`.
    public init(parsing text: String) throws(SnpackError) { self.init(try PublicKey(parsing: text)) }

    /// The key's short name.
    public var keyID: String { publicKey.keyID }

    /// Role and key id, for people.
    public var description: String { "\(Self.role) key \(keyID)" }
}

/// A key whose holder signs countries and the channel index.
public struct FactoryKey: PinnedKey {
    /// ``KeyRole/factory``
    public static var role: KeyRole { .factory }
    /// The key itself.
    public let publicKey: PublicKey
    /// Pins a key for the factory's role.
    public init(_ publicKey: PublicKey) { self.publicKey = publicKey }
}

/// A key whose holder signs custom regions and nothing else.
public struct RegionKey: PinnedKey {
    /// ``KeyRole/region``
    public static var role: KeyRole { .region }
    /// The key itself.
    public let publicKey: PublicKey
    /// Pins a key for the region's role.
    public init(_ publicKey: PublicKey) { self.publicKey = publicKey }
}
