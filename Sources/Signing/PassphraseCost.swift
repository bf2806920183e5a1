import CSodium

/// How hard guessing a passphrase is made: argon2id's passes over memory, and how much memory.
package struct PassphraseCost: Hashable, Sendable {
    package let passes: Int
    package let byteCount: Int

    /// 3 passes over 256 MiB, under a second: what key files are written with.
    package static let moderate = PassphraseCost(
        known: Int(crypto_pwhash_OPSLIMIT_MODERATE), Int(crypto_pwhash_MEMLIMIT_MODERATE))
    /// 2 passes over 64 MiB: for tests.
    package static let interactive = PassphraseCost(
        known: Int(crypto_pwhash_OPSLIMIT_INTERACTIVE), Int(crypto_pwhash_MEMLIMIT_INTERACTIVE))
    /// 4 passes over 1 GiB: the most that a key file may ask of whoever reads it.
    package static let most = PassphraseCost(
        known: Int(crypto_pwhash_OPSLIMIT_SENSITIVE), Int(crypto_pwhash_MEMLIMIT_SENSITIVE))

    /// Nil unless argon2id can do it and it is not above ``most``.
    package init?(passes: Int, byteCount: Int) {
        guard (Int(crypto_pwhash_OPSLIMIT_MIN)...Self.most.passes).contains(passes),
            (Int(crypto_pwhash_MEMLIMIT_MIN)...Self.most.byteCount).contains(byteCount)
        else { return nil }
        self.init(known: passes, byteCount)
    }

    private init(known passes: Int, _ byteCount: Int) {
        self.passes = passes
        self.byteCount = byteCount
    }
}
