import CSodium
import Diagnostics

/// A secret locked with a passphrase: argon2id makes the key, XSalsa20-Poly1305 (libsodium's secretbox) encrypts.
struct PassphraseBox: Hashable, Sendable {
    static let saltByteCount = 16
    static let nonceByteCount = 24
    /// What encryption adds to the content's length.
    static let tagByteCount = 16
    static let maxPassphraseByteCount = 1_024

    let cost: PassphraseCost
    let salt: [UInt8]
    let nonce: [UInt8]
    /// Tag and encrypted content.
    let sealed: [UInt8]

    init(cost: PassphraseCost, salt: [UInt8], nonce: [UInt8], sealed: [UInt8]) {
        self.cost = cost
        self.salt = salt
        self.nonce = nonce
        self.sealed = sealed
    }

    /// Encrypts `content` under a new salt and nonce.
    init(sealing content: SecretBytes, passphrase: SecretBytes, cost: PassphraseCost) throws(SnpackError) {
        try Self.check(passphrase)
        try Sodium.initialise()
        let salt = Sodium.randomBytes(Self.saltByteCount)
        let nonce = Sodium.randomBytes(Self.nonceByteCount)
        let key = try Self.key(passphrase, salt, cost)
        var sealed = [UInt8](repeating: 0, count: Self.tagByteCount + content.count)
        let status = key.withPointer { key in
            content.withPointer { crypto_secretbox_easy(&sealed, $0, UInt64(content.count), nonce, key) }
        }
        try Sodium.check(status, "encrypting a key file")
        self.init(cost: cost, salt: salt, nonce: nonce, sealed: sealed)
    }

    /// The content; throws `key-file.passphrase-wrong`, which a damaged box looks like as well.
    func open(_ passphrase: SecretBytes) throws(SnpackError) -> SecretBytes {
        try Self.check(passphrase)
        let key = try Self.key(passphrase, salt, cost)
        return try SecretBytes(
            count: max(0, sealed.count - Self.tagByteCount),
            pointer: { content throws(SnpackError) in
                let status = key.withPointer {
                    crypto_secretbox_open_easy(content, sealed, UInt64(sealed.count), nonce, $0)
                }
                guard status == 0 else {
                    throw SnpackError(
                        .passphraseWrong, "the passphrase does not open this key file",
                        hint: "try again; if you are sure of it, the file is damaged: restore it from a backup")
                }
            })
    }

    private static func check(_ passphrase: SecretBytes) throws(SnpackError) {
        guard (1...maxPassphraseByteCount).contains(passphrase.count) else {
            throw SnpackError(
                .passphraseUnfit,
                passphrase.count == 0 ? "the passphrase is empty" : "the passphrase is longer than 1,024 bytes",
                hint: "choose a passphrase of some words")
        }
    }

    private static func key(
        _ passphrase: SecretBytes, _ salt: [UInt8], _ cost: PassphraseCost
    ) throws(SnpackError) -> SecretBytes {
        try SecretBytes(
            count: 32,
            pointer: { key throws(SnpackError) in
                let status = passphrase.withPointer {
                    $0.withMemoryRebound(to: CChar.self, capacity: passphrase.count) {
                        crypto_pwhash(
                            key, 32, $0, UInt64(passphrase.count), salt, UInt64(cost.passes), cost.byteCount,
                            crypto_pwhash_ALG_ARGON2ID13)
                    }
                }
                guard status == 0 else {
                    throw SnpackError(
                        .cryptographyFailed, "no \(cost.byteCount >> 20) MiB of memory for the passphrase's argon2id",
                        hint: "free some memory, or run this where there is more")
                }
            })
    }
}
