package import Arguments
package import Diagnostics
import TerritoryFactory
import TerritoryModel
import TerritoryPackage

package struct PublishCommand: Command {
    package var spec: CommandSpec {
        CommandSpec(
            "publish", "add signed releases to a channel and sign its index",
            discussion: """
                Verifies what it is handed, adds it to the channel and writes the signed index last, so that readers see the \
                old channel or the new one. A version that is there with the same manifest is left alone; with another it is \
                refused.

                To sign on another machine: --stage writes all but the index and puts the unsigned one at \
                DIR/.snpack/staged/index.json; sign it there; --commit verifies the signature and goes live, unless the live \
                index has changed since.
                """,
            positionals: [PositionalSpec("RELEASE", "a signed release", .any, form: .directory)],
            options: OptionSpec.changingChannel + OptionSpec.staging + [
                .flag("commit", "put the staged and now signed index live"),
                .value("name", "NAME", "the channel's name (default: that of the live index, or main)"),
                .repeated("latest", "ID@V", "make this the territory's latest version"),
                .value(
                    "gateway", "BASE", "of a region: write its gateway form below this directory as well",
                    form: .directory),
                .flag("trust-patches", "publish patches without applying each once"),
            ],
            rules: [
                .exactlyOne(["key", "signer-command", "stage", "commit"]),
                .needs("signer-command", ["public-key", "role"]),
            ],
            examples: [
                CommandExample(
                    "snpack publish build/liechtenstein/1.0.0 --channel channel --key keys/factory.key --valid-for 30d",
                    "publish a release"),
                CommandExample(
                    "snpack publish build/liechtenstein/1.0.0 --channel channel --stage --factory-key keys/factory.pub",
                    "prepare everything but the signature, where there is no secret key"),
                CommandExample(
                    "snpack publish --commit --channel channel --factory-key keys/factory.pub",
                    "go live with the staged index, now that it is signed"),
            ])
    }

    package func run(_ arguments: ParsedArguments, in session: Session) throws(SnpackError) -> CommandResult {
        if arguments.flag("commit") { return try commit(arguments, session) }
        let isStaged = arguments.flag("stage")
        let publisher = ChannelPublisher(
            try arguments.channelChange(
                in: session,
                name: arguments.value("name").map { text throws(SnpackError) in try ChannelName(parsing: text) }),
            triesPatches: !arguments.flag("trust-patches"),
            context: session.context)
        let outcome = try publisher.publish(
            arguments.values("RELEASE"),
            latest: arguments.values("latest").map { text throws(SnpackError) in try arguments.releaseName(text) })
        if !isStaged { try writeGatewayForm(arguments, session) }
        return CommandResult(
            PublishText.json(outcome, isStaged: isStaged), lines: PublishText.lines(outcome, isStaged: isStaged))
    }

    private func commit(_ arguments: ParsedArguments, _ session: Session) throws(SnpackError) -> CommandResult {
        guard arguments.values("RELEASE").isEmpty else {
            throw SnpackError(
                .usageInvalidValue, "--commit takes what is staged and no releases", hint: "stage the releases first")
        }
        let editor = try ChannelEditor(
            arguments.required(OptionSpec.channel.name), keys: arguments.pinnedKeys())
        let index = try editor.commitStaged()
        if arguments.writesCatalogue { editor.writeCatalogue(report: session.context.report) }
        try writeGatewayForm(arguments, session)
        return CommandResult(
            PublishText.json(index, isChanged: true, isStaged: false),
            lines: ["channel \(index.channel), sequence \(index.sequence) is live"])
    }
}

extension PublishCommand {
    private func writeGatewayForm(_ arguments: ParsedArguments, _ session: Session) throws(SnpackError) {
        guard let base = arguments.value("gateway") else { return }
        try GatewayForm(base).write(
            channel: arguments.required(OptionSpec.channel.name), context: session.context)
    }
}
