package import Arguments
package import Diagnostics
import DurableFiles
import ServedChannels
import TerritoryFactory
import TerritoryModel
import TerritoryPackage

package struct MirrorCommand: Command {
    package var spec: CommandSpec {
        CommandSpec(
            "mirror", "carry a channel, or a part of it, into another directory",
            discussion: """
                Everything is verified before it is written; blobs come first and the index last; the publisher's signatures \
                stay as they are. An index that is older than the mirror's is refused. Run it again to bring the mirror up to \
                date, or after it was interrupted. A part of a channel is checked with snpack verify --partial.
                """,
            positionals: [
                PositionalSpec("SOURCE", "the channel's directory or URL"),
                PositionalSpec("DEST", "the mirror's directory"),
            ],
            options: [
                .factoryKey, .regionKey, .repeated("territory", "ID", "carry this territory (default: all)"),
                .flag("latest-only", "of each territory carry the latest version only"), .noCatalogue,
            ],
            rules: [.atLeastOne(["factory-key", "region-key"])],
            examples: [
                CommandExample(
                    "snpack mirror channel mirror --factory-key keys/factory.pub", "carry a channel to another disk")
            ])
    }

    package func run(_ arguments: ParsedArguments, in session: Session) throws(SnpackError) -> CommandResult {
        let path = arguments.required("SOURCE")
        var scope = ChannelMirror.Scope()
        scope.territories = Set(
            try arguments.values("territory").map { text throws(SnpackError) in try TerritoryID(parsing: text) })
        scope.latestOnly = arguments.flag("latest-only")
        let keys = try arguments.pinnedKeys()
        guard !keys.factory.isEmpty || !keys.region.isEmpty else {
            throw SnpackError(.usageInvalidValue, "no key to verify with", hint: "give --factory-key or --region-key")
        }
        let source = try source(path, session)
        let outcome = try ChannelMirror(
            of: source, at: arguments.required("DEST"), keys: keys, scope: scope,
            writesCatalogue: arguments.writesCatalogue, context: session.context
        ).run()
        var object = IndexText.head(outcome.index)
        object["changed"] = .bool(outcome.isNewIndex)
        object["releases"] = .number(JSONNumber(UInt64(outcome.releaseCount)))
        object["absent"] = .number(JSONNumber(UInt64(outcome.absentCount)))
        object["files_copied"] = .number(JSONNumber(UInt64(outcome.copied.fileCount)))
        object["bytes_copied"] = .number(JSONNumber(outcome.copied.byteCount))
        var lines = [
            "\(outcome.releaseCount) releases are here, \(byteText(outcome.copied.byteCount)) copied",
            "channel \(outcome.index.channel), sequence \(outcome.index.sequence)"
                + (outcome.isNewIndex ? "" : ", as before"),
        ]
        if outcome.absentCount > 0 { lines.insert("\(outcome.absentCount) listed versions are left out", at: 1) }
        return CommandResult(object, lines: lines)
    }

    private func source(_ path: String, _ session: Session) throws(SnpackError) -> any ChannelReader {
        if ServedChannel.isOne(path) { return try ServedChannel(path, cancel: session.context.cancel) }
        guard FileIdentity.at(path) != nil else {
            throw SnpackError(.sourceNotFound, "there is no such directory", path: path)
        }
        guard case .channel(let channel) = try LocalSource(opening: path) else {
            throw SnpackError(
                .sourceUnknown, "it is not a channel", hint: "snpack inspect tells what it is", path: path)
        }
        return channel
    }
}
