package import Arguments
package import Diagnostics
import Signing
import TerritoryFactory
import TerritoryModel

package struct SignCommand: Command {
    package var spec: CommandSpec {
        CommandSpec(
            "sign", "sign releases, manifests or staged indices",
            discussion: """
                Writes the signature beside each document and checks it. Of an index it says what changes against the live \
                one. The key's role must fit the document.

                With --signer-command the key stays where it is: the command gets the bytes on stdin and answers with the \
                signature in base64 on stdout.

                While keys are changed a document can carry the signatures of both: sign it with the old key, then with \
                --add by the new one. Apps that pin either of them accept it.
                """,
            positionals: [PositionalSpec("PATH", "a release, a manifest.json or a staged index.json", .oneOrMore)],
            options: [
                .key, PassphraseSource.option,
                .signerCommand, .signerPublicKey, .signerRole,
                .flag("add", "keep the signatures of other keys that are there"),
            ],
            rules: [
                .exactlyOne(["key", "signer-command"]), .needs("signer-command", ["public-key", "role"]),
                .needs("public-key", ["signer-command"]), .needs("role", ["signer-command"]),
            ],
            examples: [
                CommandExample("snpack sign build/liechtenstein/1.0.0 --key keys/factory.key", "sign a release"),
                CommandExample(
                    "snpack sign channel/.snpack/staged/index.json --key keys/factory.key", "sign a staged index"),
            ])
    }

    package func run(_ arguments: ParsedArguments, in session: Session) throws(SnpackError) -> CommandResult {
        let paths = arguments.values("PATH")
        let documents = try paths.map { path throws(SnpackError) in try DocumentFile(at: path) }
        let signer = try arguments.signer(in: session)
        // All are looked at before the first is signed.
        for document in documents { try document.checkSignable(by: signer, context: session.context) }
        var lines: [String] = []
        var signed: [JSONValue] = []
        for document in documents {
            try document.sign(with: signer, adding: arguments.flag("add"))
            lines += document.changes + ["signed \(document.path) with \(signer.role) key \(signer.publicKey.keyID)"]
            signed.append(.object(["path": .string(document.path), "signature": .string(document.path + ".sig")]))
        }
        return CommandResult(
            [
                "signed": .array(signed), "key_id": .string(signer.publicKey.keyID),
                "role": .string(signer.role.rawValue),
            ], lines: lines)
    }
}
