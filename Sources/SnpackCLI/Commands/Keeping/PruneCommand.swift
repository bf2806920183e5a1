package import Arguments
package import Diagnostics
import DurableFiles
import TerritoryFactory
import TerritoryModel
import TerritoryPackage

package struct PruneCommand: Command {
    package var spec: CommandSpec {
        CommandSpec(
            "prune", "take old versions out of a channel",
            discussion: """
                Of each territory the N newest versions stay, the latest, and every version whose patches lead from one that \
                stays to the latest; withdrawn versions are not counted. The others leave the index first. Their files \
                follow when they have been out of it for the grace time, so that clients in the middle of a download \
                finish: run prune again, from a timer, to delete what is due. Files that no publisher of this key wrote stay.
                """,
            options: [
                .value("keep", "N", "versions of each territory that stay", required: true),
                .value("grace", "TIME", "how long files stay after their version left the index (default: 24h)"),
                .flag("dry-run", "say what would go and the bytes won, and change nothing"),
            ] + OptionSpec.changingChannel + OptionSpec.staging,
            rules: [
                .atMostOne(["key", "signer-command", "stage"]), .needs("signer-command", ["public-key", "role"]),
            ],
            examples: [
                CommandExample(
                    "snpack prune --keep 3 --channel channel --key keys/factory.key --dry-run",
                    "see what pruning would win")
            ])
    }

    package func run(_ arguments: ParsedArguments, in session: Session) throws(SnpackError) -> CommandResult {
        let keep = try arguments.unsignedInteger("keep", in: 1...UInt64(Limits.versions.upperBound)) ?? 1
        let pruning = ChannelPruning(
            keep: Int(keep), grace: try arguments.duration("grace")?.components.seconds ?? 86_400, now: .now,
            context: session.context)
        if arguments.flag("dry-run") { return try rehearse(pruning, arguments, session) }
        guard ["key", "signer-command"].contains(where: { arguments.value($0) != nil }) || arguments.flag("stage")
        else {
            throw SnpackError(
                .usageInvalidValue, "nothing here signs the new index", hint: "give --key, --signer-command or --stage")
        }
        let outcome = try pruning.run(arguments.channelChange(in: session))
        let isStaged = arguments.flag(OptionSpec.stage.name)
        let lines =
            outcome.dropped.map { isStaged ? "staged: \($0) leaves the index" : "\($0) left the index" }
            + outcome.deleted.map { "\($0) is deleted" }
            + outcome.waiting.map { "\($0.name): its files stay until \($0.until)" }
            + (outcome.deleted.isEmpty ? [] : ["\(byteText(outcome.byteCount)) won"])
            + [PublishText.index(outcome.index, isSigned: outcome.isSigned)]
        return CommandResult(json(outcome, arguments), lines: lines)
    }

    private func rehearse(
        _ pruning: ChannelPruning, _ arguments: ParsedArguments, _ session: Session
    ) throws(SnpackError) -> CommandResult {
        let hasSigner = ["key", "signer-command"].contains { arguments.value($0) != nil }
        let keys = hasSigner ? try arguments.signer(in: session).pinned() : try arguments.pinnedKeys()
        let channel = ChannelDirectory(try Directory.open(arguments.required(OptionSpec.channel.name)))
        let outcome = try pruning.rehearse(channel, keys: keys)
        let lines =
            outcome.dropped.map { "\($0) would leave the index" }
            + outcome.deleted.map { "\($0) would be deleted, after the grace time" }
            + ["\(byteText(outcome.byteCount)) would be won"]
        return CommandResult(json(outcome, arguments), lines: lines)
    }

    private func json(_ outcome: ChannelPruning.Outcome, _ arguments: ParsedArguments) -> JSONObject {
        var object = IndexText.head(outcome.index)
        object["changed"] = .bool(outcome.isSigned)
        object["dry_run"] = .bool(arguments.flag("dry-run"))
        object["staged"] = .bool(arguments.flag(OptionSpec.stage.name) && outcome.isSigned)
        object["dropped"] = .array(outcome.dropped.map { .string($0.description) })
        object["deleted"] = .array(outcome.deleted.map { .string($0.description) })
        object["waiting"] = .array(
            outcome.waiting.map { ["release": .string($0.name.description), "until": .string($0.until.description)] })
        object["bytes_won"] = .number(JSONNumber(outcome.byteCount))
        return object
    }
}
