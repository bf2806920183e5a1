import Diagnostics
import Signing

enum TrustReaders {
    static func signature(_ bytes: [UInt8]) throws(SnpackError) {
        mustHold((1...4).contains(try SignatureText(decoding: bytes).signatures.count))
    }

    /// A `.key` and a `.pub` file; no passphrase is tried, whose cost the file may set.
    static func keyFile(_ bytes: [UInt8]) throws(SnpackError) {
        _ = try? PublicKey(decoding: bytes)
        let file = try KeyFile(decoding: SecretBytes(copying: bytes))
        guard !file.isEncrypted else { return }
        mustHold(try file.unlock(passphrase: nil).publicKey == file.publicKey)
    }

    static func pem(_ bytes: [UInt8]) throws(SnpackError) {
        _ = try? PublicKey(pem: bytes)
        _ = try SecretKey(pem: SecretBytes(copying: bytes), role: .factory)
    }
}
