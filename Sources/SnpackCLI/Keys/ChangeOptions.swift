import Arguments
import Diagnostics
import Signing
import TerritoryFactory
import TerritoryModel
import TerritoryPackage

extension OptionSpec {
    /// The channel directory that a command changes.
    static let channel = value("channel", "DIR", "the channel's directory", form: .directory, required: true)
    static let stage = flag("stage", "leave the new index unsigned at DIR/.snpack/staged/index.json")
    static let validFor = value(
        "valid-for", "TIME", "how long the index is good for, as in 30d (default: as long as the last)")
    static let sequence = value("sequence", "N", "the index's sequence number (default: one more than the last)")
    static let adopt = flag(
        "adopt", "go on from a live index that the state file does not know, or that a clock ahead signed")
    static let state = value("state", "FILE", "the signer's state file", form: .path)
    static let allowExampleKeys = flag("allow-example-keys", "sign with a key whose secret is public")

    static let noCatalogue = flag("no-catalogue", "leave index.html, catalogue.json and catalogue.geojson as they are")

    /// What every command takes that signs a channel's index.
    static let changingChannel: [OptionSpec] = [
        channel, key, PassphraseSource.option, signerCommand, signerPublicKey, signerRole, validFor, sequence, adopt,
        state, noCatalogue, allowExampleKeys,
    ]
    /// What names the key whose signature a staged index waits for.
    static let staging: [OptionSpec] = [stage, factoryKey, regionKey]
}

extension OptionRule {
    static let changingChannel: [OptionRule] = [
        .exactlyOne(["key", "signer-command", "stage"]), .needs("signer-command", ["public-key", "role"]),
    ]
}

extension ParsedArguments {
    /// The change of `--channel` that `--key`, `--signer-command` or `--stage` signs or stages.
    /// - Parameter name: what the channel must be called, if that is said.
    func channelChange(in session: Session, name: ChannelName? = nil) throws(SnpackError) -> ChannelChange {
        var succession = try succession()
        succession.name = name
        return try ChannelChange(
            of: required(OptionSpec.channel.name), finish: finish(in: session), succession: succession,
            allowExampleKeys: flag(OptionSpec.allowExampleKeys.name), writesCatalogue: writesCatalogue,
            report: session.context.report)
    }

    /// Whether the channel's catalogue is to be written with the index.
    var writesCatalogue: Bool { !flag(OptionSpec.noCatalogue.name) }

    private func finish(in session: Session) throws(SnpackError) -> ChannelChange.Finish {
        guard isGiven(OptionSpec.stage.name) else { return .sign(try signer(in: session)) }
        let keys = try pinnedKeys()
        guard keys.factory.isEmpty || keys.region.isEmpty else {
            throw SnpackError(
                .usageInvalidValue, "an index is signed by one role",
                hint: "give --factory-key or --region-key, not both")
        }
        return .stage(keys, keys.region.isEmpty ? .factory : .region)
    }
}
