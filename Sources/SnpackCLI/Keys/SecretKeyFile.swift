package import Diagnostics
import DurableFiles
package import Signing

/// A `.key` file that was read: what it says without its passphrase, and the way to the key in it.
package struct SecretKeyFile: Sendable {
    package let path: String
    package let content: KeyFile
    private let mode: UInt32

    package init(reading path: String) throws(SnpackError) {
        let place = try FilePlace(path)
        let directory = try Directory.open(place.parent)
        if let identity = try directory.identity(of: place.name) {
            try KeyFilePermissions.checkKind(
                isSymlink: identity.kind == .symbolicLink, isRegular: identity.kind == .file,
                byteCount: identity.byteCount, path: path)
        }
        let file = try directory.file(place.name)
        do throws(SnpackError) {
            content = try KeyFile(decoding: file.secretBytes(limit: KeyFile.maxByteCount))
        } catch { throw error.at(path) }
        mode = file.identity.mode
        self.path = path
    }

    /// The secret key, once it is certain that only its owner reaches the file, and that this is its passphrase.
    package func unlock(_ passphrases: PassphraseSource) throws(SnpackError) -> SecretKey {
        try KeyFilePermissions.checkSecrecy(mode: mode, publicKey: content.publicKey, path: path)
        let passphrase = content.isEncrypted ? try passphrases.passphrase(for: path) : nil
        try ProcessSecrets.forbidCoreDumps()
        do throws(SnpackError) { return try content.unlock(passphrase: passphrase) } catch { throw error.at(path) }
    }
}

extension Session {
    /// The secret key that a command is to sign with, unlocked.
    ///
    /// Its role is looked at before a passphrase is asked for; a key whose secret the world knows is warned of.
    package func signingKey(
        _ path: String, role: KeyRole? = nil, passphrases: PassphraseSource
    ) throws(SnpackError) -> SecretKey {
        let file = try SecretKeyFile(reading: path)
        let content = file.content
        if let role, content.role != role {
            throw SnpackError(
                .keyWrongRole,
                "this needs a \(role) key, and key \(content.publicKey.keyID) is a \(content.role) key",
                hint: "give the \(role) key's file", path: path)
        }
        if ExampleKeys.isExample(content.publicKey) {
            warn(
                SnpackError(
                    .exampleKey, "this example key's secret is public: a signature by it proves nothing",
                    hint: "make keys of your own with snpack keygen", path: path))
        }
        return try file.unlock(passphrases)
    }
}
