package import Arguments
package import Diagnostics
import DurableFiles
package import Signing

extension OptionSpec {
    package static let factoryKey = repeated(
        "factory-key", "K", "trust this factory key: 64 hex characters or a .pub file", form: .path)
    package static let regionKey = repeated(
        "region-key", "K", "trust this region key: 64 hex characters or a .pub file", form: .path)
    /// The secret key to sign with.
    package static let key = value("key", "FILE.key", "the secret key to sign with", form: .path)
    /// What a new key is for.
    package static let role = value(
        "role", "ROLE", "what the key may sign", form: .choice(KeyRole.allCases.map(\.rawValue)), required: true)
    package static let noPassphrase = flag(
        "no-passphrase", "leave the secret key unencrypted: whoever reads the file can sign")
}

extension ParsedArguments {
    /// The factory keys that `--factory-key` pins.
    package func factoryKeys() throws(SnpackError) -> [FactoryKey] {
        try values(OptionSpec.factoryKey.name).map { text throws(SnpackError) in FactoryKey(try publicKey(text)) }
    }

    /// The region keys that `--region-key` pins.
    package func regionKeys() throws(SnpackError) -> [RegionKey] {
        try values(OptionSpec.regionKey.name).map { text throws(SnpackError) in RegionKey(try publicKey(text)) }
    }

    /// The role that a required `--role` names.
    package func role() throws(SnpackError) -> KeyRole {
        let name = required(OptionSpec.role.name)
        guard let role = KeyRole(rawValue: name) else {
            throw invalid(name, OptionSpec.role.name, "factory or region")
        }
        return role
    }

    /// A public key as people give it: 64 hex characters, or the path of a `.pub` file.
    package func publicKey(_ text: String) throws(SnpackError) -> PublicKey {
        // Hex of another length is taken for a key too: that error keeps the text to itself, which may be a secret.
        let isHex = text.utf8.count >= 32 && text.utf8.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
        if isHex, FileIdentity.at(text) == nil { return try PublicKey(parsing: text) }
        let bytes = try OpenFile(reading: text).allBytes(limit: PublicKey.maxFileByteCount)
        do throws(SnpackError) { return try PublicKey(decoding: bytes) } catch { throw error.at(text) }
    }
}
