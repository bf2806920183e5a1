package import Arguments
package import Diagnostics
import DurableFiles
import Signing

package struct KeyImportCommand: Command {
    package var spec: CommandSpec {
        CommandSpec(
            "import", "take over a secret key that OpenSSL made",
            discussion: "Reads an unencrypted ed25519 key as PKCS#8 PEM and writes the two files that keygen would.",
            positionals: [PositionalSpec("FILE.pem", "the PEM file")],
            options: [
                .role,
                .value("out", "BASE", "the files' path without .key and .pub", short: "o", form: .path, required: true),
                PassphraseSource.option, .noPassphrase,
            ],
            rules: [.atMostOne([PassphraseSource.option.name, OptionSpec.noPassphrase.name])],
            examples: [
                CommandExample(
                    "snpack key import factory.pem --role factory --out keys/imported", "take over a factory key")
            ])
    }

    package func run(_ arguments: ParsedArguments, in session: Session) throws(SnpackError) -> CommandResult {
        let path = arguments.required("FILE.pem")
        let key: SecretKey
        do throws(SnpackError) {
            let pem = try OpenFile(reading: path).secretBytes(limit: PEM.maxByteCount)
            key = try SecretKey(pem: pem, role: arguments.role())
        } catch { throw error.at(path) }
        return try NewKey.write(to: KeyPairFiles(at: arguments.required("out")), arguments, session) { key }
    }
}
