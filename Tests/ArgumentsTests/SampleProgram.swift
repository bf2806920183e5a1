import Arguments

/// A command line with one of everything.
enum SampleProgram {
    static let spec = ProgramSpec(
        "tool", version: "1.2.3", released: "2026-11-30", "does things with maps",
        discussion: "First paragraph.\n\nSecond one.",
        globalOptions: [
            .flag("json", "print one JSON object"),
            .flag("quiet", "say little", short: "q"),
            .value("jobs", "N", "how many threads to use", short: "j"),
        ],
        groups: [
            CommandGroup("Keys", [key]), CommandGroup("Work", [build, cut, join]), CommandGroup("Places", [store]),
        ],
        examples: [CommandExample("tool build a.json --version 1.0.0", "build a territory")],
        exitStatuses: [(0, "done"), (2, "usage")])

    static let key = CommandSpec(
        "key", "look after keys",
        subcommands: [
            CommandSpec(
                "show", "show a key", positionals: [PositionalSpec("FILE", "the key's file")],
                examples: [CommandExample("tool key show a.key", "show it")]),
            CommandSpec("export", "write a key out", positionals: [PositionalSpec("FILE", "the key's file")]),
        ])

    static let build = CommandSpec(
        "build", "build a territory", discussion: "It's .hidden\\here.\n\n.starts with a dot",
        positionals: [PositionalSpec("DEFINITION", "what to build")],
        options: [
            .value("version", "V", "the version it gets", required: true),
            .value("out", "DIR", "where to write", short: "o", form: .directory),
            .value("role", "ROLE", "whose key it is", form: .choice(["factory", "region"])),
            .repeated("factory-key", "K", "a key to trust", form: .path),
            .flag("no-cache", "compute everything: again, [all] of it", short: "n"),
        ],
        examples: [CommandExample("tool build 'my map.json' --version 1.0.0", "build version 1.0.0")])

    static let cut = CommandSpec(
        "cut", "cut a region out",
        options: [
            .value("bbox", "W,S,E,N", "the box"), .value("area", "FILE", "the area", form: .path),
            .value("level", "N", "a level"), .value("size", "SIZE", "a size"), .value("age", "AGE", "an age"),
            .value("buffer", "METRES", "how much more"), .repeated("layer", "KIND=PATH", "a layer"),
            .flag("stage", "do not sign"), .value("key", "K", "the key", form: .path),
        ],
        rules: [.exactlyOne(["bbox", "area"]), .needs("stage", ["key"])])

    static let join = CommandSpec(
        "join", "join parts",
        positionals: [
            PositionalSpec("TARGET", "the target", .one, form: .directory), PositionalSpec("PART", "the parts", .any),
        ])

    static let store = CommandSpec(
        "store", "keep territories",
        options: [.value("root", "DIR", "where the store is", form: .directory, required: true)],
        subcommands: [
            CommandSpec("list", "list what is there"),
            CommandSpec(
                "reverse", "find what is near",
                positionals: [
                    PositionalSpec("ID", "the territory", .one, form: .text),
                    PositionalSpec("LAT,LON", "the place", .one, form: .text),
                ]),
            CommandSpec(
                "style", "print a style",
                positionals: [PositionalSpec("THEME", "the theme", .optional, form: .choice(["light", "dark"]))]),
        ])
}
