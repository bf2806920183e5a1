import Arguments

enum VerifyCommand {
    static let spec = CommandSpec(
        "verify", "check a channel, release or package against keys",
        discussion: """
            Checks signatures, listings, sizes and every blob, and changes nothing. Every fault is reported, and the exit \
            status is 3 on any; 8 if all of them are things too new for this version; 4 if TARGET itself is not there.
            """,
        positionals: [
            PositionalSpec("TARGET", "a channel (directory or URL), release, .snpkg or unpacked package")
        ],
        options: [
            .factoryKey, .regionKey, .flag("shallow", "signatures, listings and sizes only; no blob is read"),
            .flag("partial", "a channel may lack what its index lists, as a partial mirror does"),
            .value("junit", "FILE", "write the outcome for CI as JUnit XML", form: .path),
        ],
        rules: [.atLeastOne(["factory-key", "region-key"])],
        examples: [
            CommandExample(
                "snpack verify channel --factory-key keys/factory.pub", "check a channel, all blobs included")
        ])
}
