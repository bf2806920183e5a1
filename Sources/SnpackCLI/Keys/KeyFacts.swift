package import Diagnostics
import DurableFiles
import Signing
package import TerritoryModel

/// What can be told of a key's file without any secret: a `.key`, a `.pub`, or a public key in PEM.
package struct KeyFacts: Sendable {
    private let publicKey: PublicKey
    /// Nil for a public key, which does not carry its role.
    private let role: KeyRole?
    private let isEncrypted: Bool?

    package init(reading path: String) throws(SnpackError) {
        let bytes = try OpenFile(reading: path).allBytes(limit: PEM.maxByteCount)
        if bytes.starts(with: KeyFile.magic.utf8) {
            let content = try SecretKeyFile(reading: path).content
            (publicKey, role, isEncrypted) = (content.publicKey, content.role, content.isEncrypted)
            return
        }
        do throws(SnpackError) {
            let isPEM = bytes.starts(with: "-----BEGIN".utf8)
            publicKey = try isPEM ? PublicKey(pem: bytes) : PublicKey(decoding: bytes)
        } catch { throw error.at(path) }
        (role, isEncrypted) = (nil, nil)
    }

    package var json: JSONObject {
        [
            "role": role.map { .string($0.rawValue) } ?? .null, "key_id": .string(publicKey.keyID),
            "public_key": .string(publicKey.hex), "secret": .bool(isEncrypted != nil),
            "encrypted": isEncrypted.map(JSONValue.bool) ?? .null,
            "example": .bool(ExampleKeys.isExample(publicKey)),
        ]
    }

    package var lines: [String] {
        var lines = [
            "role        \(role?.rawValue ?? "not stated in a public key's file")", "key id      \(publicKey.keyID)",
            "public key  \(publicKey.hex)",
        ]
        if let isEncrypted { lines.append("secret key  \(isEncrypted ? "with a passphrase" : "without a passphrase")") }
        if ExampleKeys.isExample(publicKey) { lines.append("example     its secret is public: never pin this key") }
        return lines
    }
}
