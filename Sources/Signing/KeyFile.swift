package import Diagnostics

/// A secret key as a file, with or without a passphrase. Text of our own; only bytes here, the disk is the caller's.
///
/// ```
/// snpack-secret-key 1
/// role: factory
/// public-key: <64 hex>
/// key-id: <16 hex>
/// seed: <base64 of 32 bytes>
/// ```
///
/// With a passphrase `argon2id-passes`, `argon2id-bytes`, `salt` (16 bytes), `nonce` (24) and `sealed` stand in the
/// place of `seed`; sealed is secretbox over the seed and one byte for the role (`f` or `r`), so that nobody without the
/// passphrase can make a region's key out of a factory's. Exactly these lines in this order; CR and blanks at a line's end are passed over.
///
/// Whoever reads one calls ``KeyFilePermissions/checkKind(isSymlink:isRegular:byteCount:path:)``, reads at most
/// ``maxByteCount`` into ``SecretBytes``, decodes, calls
/// ``KeyFilePermissions/checkSecrecy(mode:publicKey:path:)``, and then ``unlock(passphrase:)``.
package struct KeyFile: Sendable {
    /// How every key file begins.
    package static let magic = "snpack-secret-key "
    package static let maxByteCount = 4_096
    private static let version = "1"

    private enum Content {
        case open(SecretKey)
        case sealed(PassphraseBox)
    }

    /// What the key may sign.
    package let role: KeyRole
    /// The public half: known without the passphrase, and compared with the secret one when it is unlocked.
    package let publicKey: PublicKey
    private let content: Content

    /// A key file that everybody who can read it can sign with.
    package init(_ key: SecretKey) {
        (role, publicKey, content) = (key.role, key.publicKey, .open(key))
    }

    /// A key file that takes `passphrase` (1 to 1,024 bytes) to sign with.
    package init(
        _ key: SecretKey, passphrase: SecretBytes, cost: PassphraseCost = .moderate
    ) throws(SnpackError) {
        let secret = try SecretBytes(count: SecretKey.seedByteCount + 1) { target in
            key.withSeed { _ = target.update(fromContentsOf: $0) }
            target[SecretKey.seedByteCount] = Self.letter(key.role)
        }
        let box = try PassphraseBox(sealing: secret, passphrase: passphrase, cost: cost)
        (self.role, publicKey, content) = (key.role, key.publicKey, .sealed(box))
    }

    /// True if ``unlock(passphrase:)`` needs a passphrase.
    package var isEncrypted: Bool {
        if case .sealed = content { true } else { false }
    }

    /// The secret key. Takes about a second and 256 MiB when there is a passphrase.
    ///
    /// Throws `key-file.passphrase-needed` or `-wrong`, or `key-file.mismatch` when the file's halves do not belong together.
    package func unlock(passphrase: SecretBytes?) throws(SnpackError) -> SecretKey {
        switch content {
        case .open(let key): return key
        case .sealed(let box):
            guard let passphrase else {
                throw SnpackError(
                    .passphraseNeeded, "this key file needs its passphrase",
                    hint: "type it at the terminal, or use --passphrase-file or SNPACK_PASSPHRASE_FILE")
            }
            let secret = try box.open(passphrase)
            guard secret.withBytes({ $0.last == Self.letter(role) }) else { throw Self.mismatch("role") }
            let seed = try SecretBytes(count: SecretKey.seedByteCount) { target in
                secret.withBytes { _ = target.update(fromContentsOf: $0.prefix(SecretKey.seedByteCount)) }
            }
            return try Self.key(seed, role, publicKey)
        }
    }

    /// Reads a key file; throws `key-file.malformed` (with a hint for PEM and `.pub` files), `key-file.too-new`,
    /// `key-file.mismatch`.
    package init(decoding file: SecretBytes) throws(SnpackError) {
        self = try file.withBytes { bytes throws(SnpackError) in
            var lines = try KeyFileLines(bytes)
            try Self.checkVersion(lines.version)
            let roleName = try lines.text("role")
            guard let role = KeyRole(rawValue: roleName) else {
                throw KeyFileLines.malformed("its role is \(quoted(roleName)), neither factory nor region")
            }
            let publicKey = try PublicKey(parsing: lines.text("public-key"))
            guard try lines.text("key-id") == publicKey.keyID else { throw Self.mismatch("key id") }
            let content: Content
            if lines.nextIs("seed") {
                let seed = try lines.secret("seed", count: SecretKey.seedByteCount)
                content = .open(try Self.key(seed, role, publicKey))
            } else {
                content = .sealed(try Self.box(&lines))
            }
            try lines.end()
            return KeyFile(role: role, publicKey: publicKey, content: content)
        }
    }

    /// The file's text, itself secret unless ``isEncrypted``.
    package func encoded() throws(SnpackError) -> SecretBytes {
        let head =
            "\(Self.magic)\(Self.version)\nrole: \(role)\npublic-key: \(publicKey.hex)\nkey-id: \(publicKey.keyID)\n"
        switch content {
        case .open(let key):
            let start = Array((head + "seed: ").utf8)
            let count = start.count + Base64.textCount(SecretKey.seedByteCount) + 1
            return try SecretBytes(count: count) { target in
                _ = target.update(fromContentsOf: start)
                key.withSeed {
                    Base64.encode($0, into: UnsafeMutableBufferPointer(rebasing: target[start.count...]))
                }
                target[count - 1] = 0x0A
            }
        case .sealed(let box):
            return try SecretBytes(
                copying: """
                    \(head)argon2id-passes: \(box.cost.passes)
                    argon2id-bytes: \(box.cost.byteCount)
                    salt: \(Base64.encode(box.salt))
                    nonce: \(Base64.encode(box.nonce))
                    sealed: \(Base64.encode(box.sealed))

                    """.utf8)
        }
    }

    private init(role: KeyRole, publicKey: PublicKey, content: Content) {
        (self.role, self.publicKey, self.content) = (role, publicKey, content)
    }

    private static func box(_ lines: inout KeyFileLines) throws(SnpackError) -> PassphraseBox {
        let passes = try lines.integer("argon2id-passes")
        let byteCount = try lines.integer("argon2id-bytes")
        guard let cost = PassphraseCost(passes: passes, byteCount: byteCount) else {
            throw KeyFileLines.malformed(
                "it asks for \(passes) argon2id passes over \(byteCount) bytes; at most "
                    + "\(PassphraseCost.most.passes) over \(PassphraseCost.most.byteCount) may be")
        }
        return try PassphraseBox(
            cost: cost, salt: lines.bytes("salt", count: PassphraseBox.saltByteCount),
            nonce: lines.bytes("nonce", count: PassphraseBox.nonceByteCount),
            sealed: lines.bytes("sealed", count: PassphraseBox.tagByteCount + SecretKey.seedByteCount + 1))
    }

    private static func checkVersion(_ version: String) throws(SnpackError) {
        guard version != Self.version else { return }
        throw SnpackError(
            .keyFileTooNew, "a key file of version \(quoted(version)); this snpack knows version \(Self.version)",
            hint: "use the snpack that wrote it, or a later one")
    }

    private static func key(
        _ seed: SecretBytes, _ role: KeyRole, _ publicKey: PublicKey
    ) throws(SnpackError) -> SecretKey {
        let key = try SecretKey(seed: seed, role: role)
        guard key.publicKey == publicKey else { throw mismatch("public key") }
        return key
    }

    private static func letter(_ role: KeyRole) -> UInt8 {
        switch role {
        case .factory: UInt8(ascii: "f")
        case .region: UInt8(ascii: "r")
        }
    }

    private static func mismatch(_ part: String) -> SnpackError {
        SnpackError(
            .keyFileMismatch, "the \(part) that this key file states is not its key's", hint: "restore it from a backup"
        )
    }
}
