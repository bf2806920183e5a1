package import Diagnostics
package import Signing

/// Signs documents with one key of one role: a secret key in memory, or a program that holds it elsewhere.
package protocol DocumentSigner: Sendable {
    var publicKey: PublicKey { get }
    var role: KeyRole { get }
    /// The signature of exactly these bytes.
    func sign(_ bytes: [UInt8]) throws(SnpackError) -> Signature
}

extension SecretKey: DocumentSigner {}
