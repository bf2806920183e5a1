import Diagnostics
import DurableFiles
import Signing

/// Where a new key pair goes: `BASE.key` and `BASE.pub`, neither of which may be there.
struct KeyPairFiles {
    private let directory: Directory
    private let secretName: String
    private let publicName: String

    var secretPath: String { directory.path(of: secretName) }
    var publicPath: String { directory.path(of: publicName) }

    /// Looks before anybody is asked for a passphrase. Missing directories are made.
    init(at base: String) throws(SnpackError) {
        let place = try FilePlace(base.utf8.suffix(4).elementsEqual(".key".utf8) ? String(base.dropLast(4)) : base)
        directory = try Directory.create(place.parent)
        secretName = place.name + ".key"
        publicName = place.name + ".pub"
        for name in [secretName, publicName] where try directory.contains(name) {
            throw SnpackError(
                .fileExists, "there is a key already, and keys are never overwritten",
                hint: "give another name by --out", path: directory.path(of: name))
        }
    }

    /// Writes both. Should the public one fail to appear, the secret one goes too.
    func write(_ key: SecretKey, passphrase: SecretBytes?) throws(SnpackError) {
        let content = try passphrase.map { text throws(SnpackError) in try KeyFile(key, passphrase: text) }
        let secretFile = try directory.stage((content ?? KeyFile(key)).encoded())
        let publicFile = try StagedFile(in: directory, mode: KeyFilePermissions.publicMode)
        try publicFile.write(key.publicKey.fileBytes)

        try secretFile.commit(as: secretName, replacing: false)
        do throws(SnpackError) { try publicFile.commit(as: publicName, replacing: false) } catch {
            try? directory.remove(secretName)
            throw error
        }
        try directory.sync()
    }
}
