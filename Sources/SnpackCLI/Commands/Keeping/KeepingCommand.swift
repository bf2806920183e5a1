import Arguments
import Diagnostics
import TerritoryFactory
import TerritoryModel

/// What the commands have in common that change a channel's index and nothing else.
enum KeepingCommand {
    static let release = PositionalSpec("ID@V", "a listed version, as in liechtenstein@1.1.0")

    static func spec(
        _ name: String, _ summary: String, discussion: String, positionals: [PositionalSpec] = [release],
        options: [OptionSpec] = [], staging: Bool = true, example: String, _ explanation: String
    ) -> CommandSpec {
        CommandSpec(
            name, summary, discussion: discussion, positionals: positionals,
            options: options + OptionSpec.changingChannel + (staging ? OptionSpec.staging : []),
            rules: staging
                ? OptionRule.changingChannel
                : [.exactlyOne(["key", "signer-command"]), .needs("signer-command", ["public-key", "role"])],
            examples: [
                CommandExample("snpack \(name) \(example) --channel channel --key keys/factory.key", explanation)
            ])
    }

    static func keeper(_ arguments: ParsedArguments, _ session: Session) throws(SnpackError) -> ChannelKeeper {
        ChannelKeeper(try arguments.channelChange(in: session), context: session.context)
    }

    /// - Parameter done: what has become true, in a few words.
    static func result(
        _ outcome: ChannelChange.Outcome, _ arguments: ParsedArguments, _ done: String
    ) -> CommandResult {
        let isStaged = arguments.isGiven(OptionSpec.stage.name)
        var object = IndexText.head(outcome.index)
        object["changed"] = .bool(outcome.isSigned)
        object["staged"] = .bool(isStaged && outcome.isSigned)
        let first = outcome.isSigned ? isStaged ? ["staged: \(done)"] : [done] : []
        return CommandResult(object, lines: first + [PublishText.index(outcome.index, isSigned: outcome.isSigned)])
    }
}
