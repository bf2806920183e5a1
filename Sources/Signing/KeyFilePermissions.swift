package import Diagnostics

/// Judges where a secret key lies, from facts that the caller took by `lstat` and `fstat`; touches no disk itself.
package enum KeyFilePermissions {
    /// The mode that a key file has from its first byte.
    package static let secretMode: UInt32 = 0o600
    /// The mode of a `.pub` file.
    package static let publicMode: UInt32 = 0o644

    /// Before it is opened: a symbolic link, or anything but a regular file of a sensible size, is refused.
    package static func checkKind(
        isSymlink: Bool, isRegular: Bool, byteCount: UInt64, path: String
    ) throws(SnpackError) {
        if isSymlink {
            throw SnpackError(
                .keyFileExposed, "a key file must not be a symbolic link",
                hint: "give the path that realpath prints for it", path: path)
        }
        guard isRegular else {
            throw SnpackError(
                .keyFileExposed, "a key file must be a regular file",
                hint: "give the .key file that snpack keygen wrote",
                path: path)
        }
        guard byteCount <= UInt64(KeyFile.maxByteCount) else {
            throw SnpackError(
                .keyFileMalformed, "\(byteCount) bytes are too many for a key file",
                hint: "give the .key file that snpack keygen wrote", path: path)
        }
    }

    /// Once its public part is read and before a passphrase is asked for: nobody but the owner may reach the file.
    ///
    /// The example keys are let through: they hold no secret, and a checkout gives their files mode 0644.
    package static func checkSecrecy(
        mode: UInt32, publicKey: PublicKey, path: String
    ) throws(SnpackError) {
        guard mode & 0o077 != 0, !ExampleKeys.isExample(publicKey) else { return }
        let octal = String(mode & 0o777, radix: 8)
        throw SnpackError(
            .keyFileExposed, "others than its owner may reach this secret key (mode 0\(octal))",
            hint: "chmod 600 \(shellWord(path))", path: path)
    }

    private static func shellWord(_ path: String) -> String {
        let isPlain = path.utf8.allSatisfy {
            switch $0 {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "-"):
                true
            default: false
            }
        }
        return isPlain ? path : quoted(path)
    }
}
