package import Arguments
package import Diagnostics
import ServedChannels
import TerritoryModel
import TerritoryPackage

package struct ListCommand: Command {
    package var spec: CommandSpec {
        CommandSpec(
            "list", "list a channel's territories and versions",
            positionals: [PositionalSpec("CHANNEL", "the channel's directory or URL")],
            examples: [CommandExample("snpack list channel", "list what a channel offers")])
    }

    package func run(_ arguments: ParsedArguments, in session: Session) throws(SnpackError) -> CommandResult {
        let path = arguments.required("CHANNEL")
        guard let file = try channel(path, session).signedIndex() else {
            throw SnpackError(.sourceNotFound, "the channel has no index", path: path)
        }
        let index: ChannelIndex
        do throws(SnpackError) { index = try ChannelIndex(decoding: file.index) } catch { throw error.at(path) }
        return CommandResult(IndexText.json(index), lines: IndexText.lines(index))
    }

    private func channel(_ path: String, _ session: Session) throws(SnpackError) -> any ChannelReader {
        if ServedChannel.isOne(path) { return try ServedChannel(path, cancel: session.context.cancel) }
        guard case .channel(let channel) = try LocalSource(opening: path) else {
            throw SnpackError(
                .sourceUnknown, "it is not a channel", hint: "snpack inspect tells what it is", path: path)
        }
        return channel
    }
}
