package import Arguments
package import Diagnostics
import DurableFiles
import Signing
import TerritoryModel

package struct KeyExportCommand: Command {
    package var spec: CommandSpec {
        CommandSpec(
            "export", "write a key in the form that OpenSSL knows",
            discussion: """
                A .key file gives the secret key as PKCS#8, unencrypted; a .pub file gives the public key. The role does \
                not travel: key import is told it again.
                """,
            positionals: [PositionalSpec("FILE", "a .key or .pub file")],
            options: [
                .flag("pem", "as PEM, which is the only form there is, and the default"),
                .value(
                    "out", "FILE.pem", "write it here, and not on stdout; never over an existing file", short: "o",
                    form: .path),
                PassphraseSource.option,
            ],
            examples: [
                CommandExample(
                    "snpack key export keys/factory.key --pem --out factory.pem", "hand the secret key to OpenSSL"),
                CommandExample("snpack key export keys/factory.pub --pem", "print the public key"),
            ])
    }

    package func run(_ arguments: ParsedArguments, in session: Session) throws(SnpackError) -> CommandResult {
        let path = arguments.required("FILE")
        let start = try OpenFile(reading: path).allBytes(limit: KeyFile.maxByteCount)
        let isSecret = start.starts(with: KeyFile.magic.utf8)
        let pem: SecretBytes
        if isSecret {
            pem = try SecretKeyFile(reading: path).unlock(PassphraseSource(arguments, in: session)).pem()
        } else {
            do throws(SnpackError) {
                pem = try SecretBytes(copying: PublicKey(decoding: start).pem.utf8)
            } catch { throw error.at(path) }
        }
        guard let target = arguments.value("out") else {
            let text = pem.withBytes { String(decoding: $0, as: UTF8.self) }
            return CommandResult(["pem": .string(text), "secret": .bool(isSecret)], verbatim: text)
        }
        let place = try FilePlace(target)
        let directory = try Directory.create(place.parent)
        let file = try directory.stage(
            pem, mode: isSecret ? KeyFilePermissions.secretMode : KeyFilePermissions.publicMode)
        try file.commit(as: place.name, replacing: false)
        try directory.sync()
        return CommandResult(
            ["file": .string(target), "secret": .bool(isSecret)],
            lines: ["wrote \(target)\(isSecret ? " (secret, not encrypted)" : "")"])
    }
}
