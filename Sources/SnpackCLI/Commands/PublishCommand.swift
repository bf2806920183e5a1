import Arguments

enum PublishCommand {
    static let spec = CommandSpec(
        "publish", "add signed releases to a channel and sign its index",
        discussion: """
            Verifies what it is handed, adds it to the channel and writes the signed index last, so that readers see the \
            old channel or the new one. A version that is there with the same manifest is left alone; with another it is \
            refused.

            To sign on another machine: --stage writes all but the index and puts the unsigned one at \
            DIR/.snpack/staged/index.json; sign it there; --commit verifies the signature and goes live, unless the live \
            index has changed since.
            """,
        positionals: [PositionalSpec("RELEASE", "a signed release", .any, form: .directory)],
        options: [
            .channel, .key, PassphraseSource.option,
            .flag("stage", "write all but the signed index"),
            .flag("commit", "put the staged and now signed index live"),
            .factoryKey, .regionKey,
            .value("name", "NAME", "the channel's name (default: that of the live index, or main)"),
            .value("valid-for", "TIME", "how long the index is good for, as in 30d (default: as long as the last)"),
            .repeated("latest", "ID@V", "make this the territory's latest version"),
            .value("sequence", "N", "the index's sequence number (default: one more than the last)"),
            .flag("adopt", "go on from a live index that the state file does not know"),
            .value("state", "FILE", "the signer's state file", form: .path),
            .value("gateway", "BASE", "write a region's gateway form for this base URL as well"),
            .flag("allow-example-keys", "sign with a key whose secret is public"),
        ],
        rules: [.exactlyOne(["key", "stage", "commit"])],
        examples: [
            CommandExample(
                "snpack publish build/liechtenstein/1.0.0 --channel channel --key keys/factory.key --valid-for 30d",
                "publish a release")
        ])
}

extension OptionSpec {
    /// The channel directory that a command changes.
    static let channel = value("channel", "DIR", "the channel's directory", form: .directory, required: true)
}
