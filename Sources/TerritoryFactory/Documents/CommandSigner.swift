package import Diagnostics
import Foundation
package import Signing

/// A program that signs, for keys that never leave their module: the bytes go to its stdin, and the base64 signature
/// comes from its stdout.
package struct CommandSigner: DocumentSigner {
    private let command: String
    package let publicKey: PublicKey
    package let role: KeyRole

    /// - Parameter command: run by `/bin/sh -c`.
    package init(command: String, publicKey: PublicKey, role: KeyRole) {
        self.command = command
        self.publicKey = publicKey
        self.role = role
    }

    /// - Throws: `signer.failed` when the program fails, or its answer is no signature of the key over the bytes.
    package func sign(_ bytes: [UInt8]) throws(SnpackError) -> Signature {
        func failed(_ reason: String) -> SnpackError {
            SnpackError(
                .signerFailed, "the signer command \(reason)", hint: "it is given the bytes on stdin and prints base64")
        }
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", command]
        let (input, output) = (Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = output
        do { try process.run() } catch { throw failed("cannot be started: \(error.localizedDescription)") }
        // A signer that reads nothing closes the pipe; the write then fails with EPIPE, and its exit status tells why.
        let feeding = DispatchQueue.global()
        let isFed = DispatchGroup()
        feeding.async(group: isFed) {
            try? input.fileHandleForWriting.write(contentsOf: Data(bytes))
            try? input.fileHandleForWriting.close()
        }
        let answer = (try? output.fileHandleForReading.read(upToCount: SignatureText.maxByteCount + 1)) ?? Data()
        try? output.fileHandleForReading.close()
        process.waitUntilExit()
        isFed.wait()
        guard process.terminationReason == .exit, process.terminationStatus == 0 else {
            throw failed("ended with status \(process.terminationStatus)")
        }
        guard let text = try? SignatureText(decoding: Array(answer)), text.signatures.count == 1,
            let signature = text.signatures.first
        else { throw failed("printed no signature") }
        guard publicKey.verifies(signature, bytes) else {
            throw failed("printed a signature that is not one of key \(publicKey.keyID)")
        }
        return signature
    }
}
