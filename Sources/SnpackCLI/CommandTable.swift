package import Arguments

/// All commands, under the headings of the manual. A command that is not in here does not exist.
package enum CommandTable {
    enum Entry {
        case command(any Command)
        /// Commands that share a first word and the options of `spec`.
        case family(CommandSpec, [any Command])

        var spec: CommandSpec {
            switch self {
            case .command(let command): command.spec
            case .family(let spec, let commands): spec.containing(commands.map(\.spec))
            }
        }
    }

    static let groups: [(title: String, entries: [Entry])] = [
        (
            "Keys",
            [
                .command(KeygenCommand()),
                .family(KeyFamily.spec, [KeyShowCommand(), KeyExportCommand(), KeyImportCommand()]),
            ]
        ),
        (
            "The main job",
            [
                .command(BuildCommand()), .command(SignCommand()), .command(PublishCommand()),
                .command(VerifyCommand()), .command(CutCommand()), .command(PackCommand()), .command(UnpackCommand()),
            ]
        ),
        ("Looking", [.command(InspectCommand()), .command(ListCommand()), .command(DiffCommand())]),
        (
            "Keeping a channel",
            [
                .command(YankCommand()), .command(UnyankCommand()), .command(LatestCommand()),
                .command(RefreshCommand()), .command(RepublishCommand()), .command(PruneCommand()),
                .command(ResignCommand()), .command(MirrorCommand()),
            ]
        ),
        ("The client side", [.family(StoreFamily.spec, StoreFamily.commands)]),
        (
            "Making layers",
            [
                .family(MakingLayers.geocode, [GeocodeBuildCommand()]),
                .family(MakingLayers.pmtiles, [PMTilesConvertCommand()]),
                .family(MakingLayers.valhalla, [ValhallaUnpackCommand()]),
            ]
        ),
        ("At the shell", [.command(CompletionsCommand()), .command(ManualCommand()), .command(HelpCommand())]),
    ]

    /// The table that parsing, help, completions and the manual are made from.
    package static let program = ProgramSpec(
        "snpack", version: SnpackVersion.number, released: SnpackVersion.released,
        "make, sign, publish and install offline map territories",
        discussion: """
            A territory is a country's or region's map layers (routing tiles, map tiles, a search index, a style) under \
            one signed manifest. A channel is a static web tree of territories that any web server can serve.

            Results are printed on stdout, everything else on stderr. With --json exactly one JSON object is printed on \
            stdout, for errors too.
            """,
        globalOptions: GlobalOptions.specs,
        groups: groups.map { CommandGroup($0.title, $0.entries.map(\.spec)) },
        exitStatuses: [
            (0, "Done."), (1, "Anything not named below."),
            (2, "The command line, a definition or a key does not fit."),
            (3, "Something does not verify: also expired, rolled back, forked, wrong role, other channel."),
            (4, "Not found."), (5, "Conflict or busy: also an older or a changed version."),
            (6, "The local disk: permission, space, reading, writing."), (7, "The network, or what a server answered."),
            (8, "Too new: a format, a critical key or an engine that this version does not know."),
            (130, "Interrupted (SIGINT)."), (143, "Terminated (SIGTERM, or the terminal closed: SIGHUP)."),
        ],
        environment: [
            ("SNPACK_PASSPHRASE_FILE", "The file with the passphrase, where --passphrase-file does not name one."),
            ("NO_COLOR", "Set to anything: no colour. TERM=dumb says the same."),
            ("XDG_CACHE_HOME", "Where the cache of builds is; ~/.cache without it."),
            ("GITHUB_ACTIONS", "Set to true by GitHub: verify prints annotations for it too."),
            ("http_proxy, https_proxy, no_proxy", "The proxy for what comes from the web, as curl takes it."),
        ],
        files: [
            (
                "~/.cache/snpack",
                "What builds found out about layers, so that what did not change is not read again. Safe to delete."
            ),
            (
                "KEY.published.json",
                "Beside the secret key KEY.key: which index it signed last for each channel. Keep it with the key."
            ),
            ("CHANNEL/.snpack", "The lock and what is staged. It is neither served nor mirrored."),
        ])

    /// The command that a path names.
    static func command(at path: CommandPath) -> (any Command)? {
        for entry in groups.lazy.flatMap(\.entries) where entry.spec.name == path.words.first {
            switch entry {
            case .command(let command): return command
            case .family(_, let commands): return commands.first { $0.spec.name == path.words.last }
            }
        }
        return nil
    }
}
