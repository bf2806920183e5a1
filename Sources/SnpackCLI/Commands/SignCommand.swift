import Arguments

enum SignCommand {
    static let spec = CommandSpec(
        "sign", "sign releases, manifests or staged indices",
        discussion: """
            Writes the signature beside each document and checks it. Of an index it says what changes against the live \
            one. The key's role must fit the document.

            With --signer-command the key stays where it is: the command gets the bytes on stdin and answers with the \
            signature in base64 on stdout.
            """,
        positionals: [PositionalSpec("PATH", "a release, a manifest.json or a staged index.json", .oneOrMore)],
        options: [
            .key, PassphraseSource.option,
            .value("signer-command", "CMD", "a shell command that signs what it reads"),
            .value("public-key", "K", "the signer's public key: 64 hex characters or a .pub file", form: .path),
            .value("role", "ROLE", "what the signer's key may sign", form: .choice(["factory", "region"])),
        ],
        rules: [
            .exactlyOne(["key", "signer-command"]), .needs("signer-command", ["public-key", "role"]),
            .needs("public-key", ["signer-command"]), .needs("role", ["signer-command"]),
        ],
        examples: [
            CommandExample("snpack sign build/liechtenstein/1.0.0 --key keys/factory.key", "sign a release")
        ])
}
