package import Diagnostics
package import Signing

/// A program that signs, for keys that never leave their module: the bytes go to its stdin, and the base64 signature
/// comes from its stdout.
package struct CommandSigner: DocumentSigner {
    private let command: String
    private let cancel: CancelToken
    package let publicKey: PublicKey
    package let role: KeyRole

    /// - Parameter command: run by `/bin/sh -c`.
    package init(command: String, publicKey: PublicKey, role: KeyRole, cancel: CancelToken = CancelToken()) {
        self.command = command
        self.cancel = cancel
        self.publicKey = publicKey
        self.role = role
    }

    /// - Throws: `signer.failed` when the program fails, or its answer is no signature of the key over the bytes.
    package func sign(_ bytes: [UInt8]) throws(SnpackError) -> Signature {
        func failed(_ reason: String) -> SnpackError {
            SnpackError(
                .signerFailed, "the signer command \(reason)", hint: "it is given the bytes on stdin and prints base64")
        }
        let (answer, status) = try ShellCommand.run(
            command, input: bytes, outputLimit: SignatureText.maxByteCount + 1, cancel: cancel)
        guard status == 0 else {
            throw failed(status.map { "ended with status \($0)" } ?? "was ended by a signal")
        }
        guard let text = try? SignatureText(decoding: answer), text.signatures.count == 1,
            let signature = text.signatures.first
        else { throw failed("printed no signature") }
        guard publicKey.verifies(signature, bytes) else {
            throw failed("printed a signature that is not one of key \(publicKey.keyID)")
        }
        return signature
    }
}
