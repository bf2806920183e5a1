package import Arguments
package import Diagnostics
import DurableFiles
import Glibc
package import Signing

/// Where a passphrase comes from: the file that the flag or the environment names, else the terminal.
///
/// Never from the command line or a variable, which others can read.
package struct PassphraseSource: Sendable {
    package static let option = OptionSpec.value(
        "passphrase-file", "FILE",
        "take the passphrase from this file's first line; without it from the file that SNPACK_PASSPHRASE_FILE names, "
            + "else from the terminal", form: .path)

    private static let variable = "SNPACK_PASSPHRASE_FILE"
    private static let maxByteCount = 4_096

    private let file: String?
    private let session: Session

    package init(_ arguments: ParsedArguments, in session: Session) {
        file = arguments.value(Self.option.name) ?? session.environment[Self.variable]
        self.session = session
    }

    /// The passphrase of the key file at `path`.
    package func passphrase(for path: String) throws(SnpackError) -> SecretBytes {
        if let file { return try read(file) }
        return try PassphrasePrompt(cancel: session.context.cancel).ask("Passphrase for \(printable(path)): ")
    }

    /// A passphrase for a key file to be, which a person types twice.
    package func newPassphrase(for path: String) throws(SnpackError) -> SecretBytes {
        let prompt = PassphrasePrompt(cancel: session.context.cancel)
        let passphrase =
            if let file { try read(file) } else { try prompt.ask("New passphrase for \(printable(path)): ") }
        guard passphrase.count > 0 else {
            throw SnpackError(
                .passphraseUnfit, "an empty passphrase protects nothing",
                hint: "choose one, or use --no-passphrase if the key is kept safe in another way")
        }
        if file == nil {
            let again = try prompt.ask("The same again: ")
            guard passphrase.withBytes({ first in again.withBytes { first.elementsEqual($0) } }) else {
                throw SnpackError(.passphraseUnequal, "the two passphrases differ", hint: "run the command again")
            }
        }
        return passphrase
    }

    /// A pipe is fine too, as in `--passphrase-file <(pass show snpack)`.
    private func read(_ path: String) throws(SnpackError) -> SecretBytes {
        let descriptor = try uninterrupted("open", path) { open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY) }
        defer { close(descriptor) }
        warnIfExposed(path)
        var bytes = [UInt8](repeating: 0, count: Self.maxByteCount)
        var count = 0
        while count < bytes.count, !bytes[..<count].contains(0x0A) {
            let added = try uninterrupted("read", path) {
                bytes.withUnsafeMutableBytes {
                    Glibc.read(
                        descriptor, UnsafeMutableRawBufferPointer(rebasing: $0[count...]).baseAddress, $0.count - count)
                }
            }
            if added == 0 { break }
            count += added
        }
        return try SecretBytes.firstLine(wiping: &bytes, count: count)
    }

    /// Waits for whoever writes into a pipe, unless the person stops the work.
    private func uninterrupted<Value: SignedInteger>(
        _ action: String, _ path: String, _ call: () -> Value
    ) throws(SnpackError) -> Value {
        while true {
            let value = call()
            if value >= 0 { return value }
            guard errno == EINTR else {
                throw SystemFailure(number: errno).error("\(action) the passphrase file", path)
            }
            try session.context.cancel.check()
        }
    }

    private func warnIfExposed(_ path: String) {
        guard let identity = FileIdentity.at(path), identity.kind == .file, identity.mode & 0o077 != 0 else { return }
        session.warn(
            SnpackError(
                .passphraseFileExposed, "others than its owner can reach this passphrase", hint: "chmod 600 the file",
                path: path))
    }
}

extension SecretBytes {
    /// What stands before the first line end in the first `count` bytes; all of `bytes` is wiped.
    static func firstLine(wiping bytes: inout [UInt8], count: Int) throws(SnpackError) -> SecretBytes {
        let whole = try SecretBytes(wiping: &bytes)
        return try whole.withBytes { whole throws(SnpackError) in
            try SecretBytes(copying: whole[..<count].prefix { $0 != 0x0A && $0 != 0x0D })
        }
    }
}
