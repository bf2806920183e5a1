import Arguments

enum ListCommand {
    static let spec = CommandSpec(
        "list", "list a channel's territories and versions",
        positionals: [PositionalSpec("CHANNEL", "the channel's directory or URL")],
        examples: [CommandExample("snpack list channel", "list what a channel offers")])
}
