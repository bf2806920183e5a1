import Arguments

enum PackCommand {
    static let spec = CommandSpec(
        "pack", "put a release into one .snpkg file",
        positionals: [PositionalSpec("RELEASE", "the signed release", form: .directory)],
        options: [
            .value("out", "F.snpkg", "the file to write", short: "o", form: .path, required: true)
        ],
        examples: [
            CommandExample("snpack pack build/liechtenstein/1.0.0 -o liechtenstein.snpkg", "pack a release into a file")
        ])
}
