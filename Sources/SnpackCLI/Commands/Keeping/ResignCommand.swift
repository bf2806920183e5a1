package import Arguments
package import Diagnostics
import DurableFiles
import TerritoryFactory
import TerritoryModel
import TerritoryPackage

package struct ResignCommand: Command {
    package var spec: CommandSpec {
        CommandSpec(
            "resign", "sign a whole channel again with another key",
            discussion: """
                The way to change keys: an app update pins the new key and retires the old one; resign makes a second tree \
                with the same manifests and blobs, linked where the file system can, and new signatures; both trees are \
                served until no app pins the old key any more. Everything is verified with the old key first.
                """,
            options: [
                .value("channel", "DIR", "the channel that the old key signed", form: .directory, required: true),
                .factoryKey, .regionKey,
                .value("out", "DIR", "the channel of the new key", form: .directory, required: true),
                .key, PassphraseSource.option, .signerCommand, .signerPublicKey, .signerRole, .validFor, .sequence,
                .adopt, .state, .noCatalogue, .allowExampleKeys,
            ],
            rules: [
                .atLeastOne(["factory-key", "region-key"]), .exactlyOne(["key", "signer-command"]),
                .needs("signer-command", ["public-key", "role"]),
            ],
            examples: [
                CommandExample(
                    "snpack resign --channel channel --factory-key keys/factory.pub --key new/factory.key --out channel-2",
                    "change the factory key")
            ])
    }

    package func run(_ arguments: ParsedArguments, in session: Session) throws(SnpackError) -> CommandResult {
        let path = arguments.required("channel")
        let out = arguments.required("out")
        if RealPath.lies(out, in: path) {
            throw SnpackError(
                .usageInvalidValue, "the new key's channel is a tree of its own", hint: "give another --out", path: out)
        }
        let change = try ChannelChange(
            of: out, finish: .sign(arguments.signer(in: session)), succession: arguments.succession(),
            allowExampleKeys: arguments.flag(OptionSpec.allowExampleKeys.name),
            writesCatalogue: arguments.writesCatalogue, report: session.context.report)
        let outcome = try ChannelResigning(
            ChannelDirectory(Directory.open(path)), keys: arguments.pinnedKeys(), context: session.context
        ).run(change)
        var object = IndexText.head(outcome.index)
        object["changed"] = .bool(outcome.isSigned)
        object["releases"] = .number(JSONNumber(UInt64(outcome.releaseCount)))
        let count = outcome.releaseCount == 1 ? "1 release" : "\(outcome.releaseCount) releases"
        return CommandResult(
            object,
            lines: (outcome.isSigned ? ["signed \(count) again, in \(out)"] : [])
                + [PublishText.index(outcome.index, isSigned: outcome.isSigned)])
    }
}
