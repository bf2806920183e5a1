import CSodium
package import Diagnostics

/// An ed25519 key pair with its role. The secret lies in locked memory that is wiped when the last copy of the value goes.
package struct SecretKey: Sendable, CustomStringConvertible {
    package static let seedByteCount = 32

    /// What it may sign; the caller states what it signs by ``require(_:)`` before it writes anything.
    package let role: KeyRole
    package let publicKey: PublicKey
    /// Seed and public key, 64 bytes, as libsodium wants them.
    private let pair: SecretBytes

    /// The key pair of a seed of 32 bytes (RFC 8032's private key).
    package init(seed: SecretBytes, role: KeyRole) throws(SnpackError) {
        guard seed.count == Self.seedByteCount else {
            throw SnpackError(.keyInvalid, "a secret key is 32 bytes; this has \(seed.count)")
        }
        var point = [UInt8](repeating: 0, count: PublicKey.byteCount)
        pair = try SecretBytes(
            count: 64,
            pointer: { pair throws(SnpackError) in
                let status = seed.withPointer { crypto_sign_seed_keypair(&point, pair, $0) }
                try Sodium.check(status, "deriving a key pair")
            })
        publicKey = try PublicKey(bytes: point)
        self.role = role
    }

    /// A new key from the system's random numbers.
    package static func generate(role: KeyRole) throws(SnpackError) -> SecretKey {
        let seed = try SecretBytes(count: seedByteCount, pointer: { randombytes_buf($0, seedByteCount) })
        return try SecretKey(seed: seed, role: role)
    }

    /// Throws `key.wrong-role` unless the key is of `role`.
    package func require(_ role: KeyRole) throws(SnpackError) {
        guard role == self.role else {
            throw SnpackError(
                .keyWrongRole, "this needs a \(role) key, and key \(publicKey.keyID) is a \(self.role) key",
                hint: "countries and their index are signed by the factory key, region- territories by the region key")
        }
    }

    /// Signs exactly these bytes: pure ed25519, the same 64 bytes every time.
    ///
    /// The signature is verified before it is handed out: a bit that flips in memory while signing could tell the seed.
    package func sign(_ message: [UInt8]) throws(SnpackError) -> Signature {
        var bytes = [UInt8](repeating: 0, count: Signature.byteCount)
        let status = pair.withPointer { crypto_sign_detached(&bytes, nil, message, UInt64(message.count), $0) }
        try Sodium.check(status, "signing")
        guard let signature = Signature(bytes: bytes), publicKey.verifies(signature, message) else {
            throw SnpackError(
                .cryptographyFailed, "a signature just made does not verify: suspect this machine's memory")
        }
        return signature
    }

    /// Lends the 32 bytes of the seed to `body`, which must not keep them.
    func withSeed<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        pair.withBytes { body(UnsafeBufferPointer(rebasing: $0[..<Self.seedByteCount])) }
    }

    package var description: String { "\(role) key \(publicKey.keyID)" }
}
