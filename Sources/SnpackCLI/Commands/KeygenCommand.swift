package import Arguments
package import Diagnostics
import Signing
import TerritoryModel

package struct KeygenCommand: Command {
    package var spec: CommandSpec {
        CommandSpec(
            "keygen", "make a key pair",
            discussion: """
                Writes BASE.key, the secret key, which nobody but its owner can read, and BASE.pub, the public key to \
                pin in apps. Neither file may be there already. A factory key signs countries and channels, a region \
                key signs regions cut out of them; neither can do the other's work.
                """,
            options: [
                .role,
                .value("out", "BASE", "the files' path without .key and .pub", short: "o", form: .path, required: true),
                PassphraseSource.option, .noPassphrase,
            ],
            rules: [.atMostOne([PassphraseSource.option.name, OptionSpec.noPassphrase.name])],
            examples: [
                CommandExample("snpack keygen --role factory --out keys/factory", "make a factory key"),
                CommandExample(
                    "snpack keygen --role region --out keys/region --no-passphrase",
                    "make a region key for a machine that signs alone"),
            ])
    }

    package func run(_ arguments: ParsedArguments, in session: Session) throws(SnpackError) -> CommandResult {
        let role = try arguments.role()
        let files = try KeyPairFiles(at: arguments.required("out"))
        return try NewKey.write(to: files, arguments, session) { () throws(SnpackError) in
            try SecretKey.generate(role: role)
        }
    }
}

/// What `keygen` and `key import` share: the passphrase, the files, the news.
enum NewKey {
    static func write(
        to files: KeyPairFiles, _ arguments: ParsedArguments, _ session: Session,
        _ make: () throws(SnpackError) -> SecretKey
    ) throws(SnpackError) -> CommandResult {
        let isOpen = arguments.flag(OptionSpec.noPassphrase.name)
        let passphrase =
            isOpen ? nil : try PassphraseSource(arguments, in: session).newPassphrase(for: files.secretPath)
        try ProcessSecrets.forbidCoreDumps()
        let key = try make()
        try session.context.cancel.check()
        try files.write(key, passphrase: passphrase)
        return CommandResult(
            [
                "role": .string(key.role.rawValue), "key_id": .string(key.publicKey.keyID),
                "public_key": .string(key.publicKey.hex), "secret_file": .string(files.secretPath),
                "public_file": .string(files.publicPath), "encrypted": .bool(!isOpen),
            ],
            lines: [
                "wrote \(files.secretPath) (secret, \(isOpen ? "not encrypted" : "encrypted")) and \(files.publicPath)",
                "\(key.role) key \(key.publicKey.keyID), public key \(key.publicKey.hex)",
            ])
    }
}
