public import Diagnostics
public import Signing

/// The public keys that a program trusts, by role. Nothing else is ever trusted.
public struct PinnedKeys: Hashable, Sendable {
    /// At most this many keys a role.
    public static let limit = 8

    /// Sign countries and their index.
    public let factory: [FactoryKey]
    /// Sign `region-` territories and their indices, and nothing else.
    public let region: [RegionKey]
    /// Verify what is installed already: never an index, a new manifest or a `.snpkg`.
    public let retired: [PublicKey]

    /// - Throws: `keys.invalid` without any key, with more than ``limit`` of a role, or with a key in two places.
    public init(
        factory: [FactoryKey], region: [RegionKey] = [], retired: [PublicKey] = []
    ) throws(SnpackError) {
        func invalid(_ reason: String) -> SnpackError { SnpackError(.pinnedKeysInvalid, reason) }
        guard !factory.isEmpty || !region.isEmpty else {
            throw SnpackError(.pinnedKeysInvalid, "no key to verify with", hint: "give --factory-key or --region-key")
        }
        guard max(factory.count, region.count, retired.count) <= Self.limit else {
            throw invalid("more than \(Self.limit) keys of one role")
        }
        let all = Set(factory.map(\.publicKey)).map { $0 } + Set(region.map(\.publicKey)) + Set(retired)
        if let twice = all.first(where: { key in all.count { $0 == key } > 1 }) {
            throw invalid("key \(twice.keyID) is pinned twice: as factory, region or retired key")
        }
        self.factory = factory
        self.region = region
        self.retired = retired
    }

    /// The key that signed exactly `bytes`, and its role; nil for a retired key, whose role is not known.
    func signer(of bytes: [UInt8], _ signature: SignatureText) -> (key: PublicKey, role: KeyRole?)? {
        for key in factory where key.publicKey.verifies(signature, bytes) { return (key.publicKey, .factory) }
        for key in region where key.publicKey.verifies(signature, bytes) { return (key.publicKey, .region) }
        for key in retired where key.verifies(signature, bytes) { return (key, nil) }
        return nil
    }
}
