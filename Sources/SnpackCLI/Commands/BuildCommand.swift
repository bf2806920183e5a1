import Arguments

enum BuildCommand {
    static let spec = CommandSpec(
        "build", "check a territory's layers and pack them into an unsigned release",
        discussion: """
            Reads a territory definition, checks every layer, packs each into its blob and writes the release \
            OUT/<id>/<version>/ with its manifest, ready to be signed. Every fault is reported, not the first alone. The \
            same input gives the same bytes, whatever the machine, the number of threads or the time.

            A layer whose content a reused release already has is linked, not packed again.
            """,
        positionals: [PositionalSpec("DEFINITION", "the territory's definition, manifests/<id>.json")],
        options: [
            .value("version", "V", "the release's version, as in 1.2.0", required: true),
            .value("data-timestamp", "T", "when the data was current, as in 2026-11-30T00:00:00Z"),
            .value("out", "DIR", "where releases go (default: build)", short: "o", form: .directory),
            .repeated("layer", "KIND=PATH", "take this layer from here, whatever the definition says"),
            .value("level", "N", "how hard to compress, 1 to 22 (default: 9)"),
            .repeated("reuse", "SOURCE", "a release whose equal layers are linked", form: .path),
            .repeated("patch-from", "SOURCE", "make patches from this release's layers", form: .path),
            .flag("no-patches", "make no patches"),
            .flag("no-cache", "pack every layer anew"),
            .repeated("allow", "CODE", "let this layer check only warn; all: every one"),
        ],
        rules: [.atMostOne(["patch-from", "no-patches"])],
        examples: [
            CommandExample(
                "snpack build manifests/liechtenstein.json --version 1.0.0", "build version 1.0.0 of Liechtenstein"),
            CommandExample(
                "snpack build manifests/liechtenstein.json --version 1.1.0 --reuse build/liechtenstein/1.0.0",
                "build the next version, packing only what changed"),
        ])
}
