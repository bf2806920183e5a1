import Arguments

enum UnpackCommand {
    static let spec = CommandSpec(
        "unpack", "unpack a release or .snpkg into a package directory",
        discussion: "Verifies before it writes; --no-verify unpacks without a key, and says so.",
        positionals: [PositionalSpec("RELEASE", "a .snpkg file or a release")],
        options: [
            .value("out", "DIR", "the directory to make", short: "o", form: .directory, required: true),
            .factoryKey, .regionKey, .flag("no-verify", "trust what is unpacked without a signature"),
        ],
        rules: [
            .atLeastOne(["factory-key", "region-key", "no-verify"]), .atMostOne(["factory-key", "no-verify"]),
            .atMostOne(["region-key", "no-verify"]),
        ],
        examples: [
            CommandExample(
                "snpack unpack liechtenstein.snpkg -o liechtenstein --factory-key keys/factory.pub",
                "verify and unpack a package")
        ])
}
