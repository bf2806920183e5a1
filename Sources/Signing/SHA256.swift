import CSodium

/// SHA-256, which web pages are checked with. Nothing of the format uses it.
package enum SHA256 {
    /// The digest of `bytes` as standard base64.
    package static func base64(of bytes: [UInt8]) -> String {
        var digest = [UInt8](repeating: 0, count: Int(crypto_hash_sha256_BYTES))
        crypto_hash_sha256(&digest, bytes, UInt64(bytes.count))
        return Base64.encode(digest)
    }
}
