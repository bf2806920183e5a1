import Arguments
import Diagnostics
import Glibc
import Signing
import TerritoryFactory
import TerritoryModel
import TerritoryPackage

extension OptionSpec {
    static let signerCommand = value("signer-command", "CMD", "a shell command that signs what it reads")
    static let signerPublicKey = value(
        "public-key", "K", "the signer's public key: 64 hex characters or a .pub file", form: .path)
    static let signerRole = value(
        "role", "ROLE", "what the signer's key may sign", form: .choice(KeyRole.allCases.map(\.rawValue)))
}

extension ParsedArguments {
    /// The signer that `--key` or `--signer-command` names.
    func signer(in session: Session) throws(SnpackError) -> any DocumentSigner {
        if let command = value("signer-command") {
            return CommandSigner(
                command: command, publicKey: try publicKey(required("public-key")), role: try role(),
                cancel: session.context.cancel)
        }
        return try session.signingKey(
            required(OptionSpec.key.name), passphrases: PassphraseSource(self, in: session))
    }

    /// The keys that `--factory-key` and `--region-key` pin.
    func pinnedKeys() throws(SnpackError) -> PinnedKeys {
        try PinnedKeys(factory: factoryKeys(), region: regionKeys())
    }

    /// `ID@V`.
    func releaseName(_ text: String) throws(SnpackError) -> ReleaseName {
        let parts = text.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2 else {
            throw SnpackError(
                .usageInvalidValue, "\(quoted(text)) names no version", hint: "write it as liechtenstein@1.1.0")
        }
        return ReleaseName(try TerritoryID(parsing: parts[0]), try TerritoryVersion(parsing: parts[1]))
    }

    /// How `--valid-for`, `--sequence`, `--adopt` and `--state` want the next index.
    func succession() throws(SnpackError) -> IndexSuccession {
        var succession = IndexSuccession(now: .now)
        succession.validity = try duration("valid-for")?.components.seconds
        if let validity = succession.validity, validity < 1 {
            throw invalid(value("valid-for") ?? "", "valid-for", "at least one second")
        }
        succession.sequence = try unsignedInteger("sequence", in: Limits.sequence)
        succession.adopt = flag("adopt")
        succession.statePath = value("state") ?? value(OptionSpec.key.name).map(Self.statePath(beside:))
        return succession
    }

    /// `keys/factory.published.json` for `keys/factory.key`.
    private static func statePath(beside key: String) -> String {
        (key.hasSuffix(".key") ? String(key.dropLast(4)) : key) + ".published.json"
    }
}

extension Timestamp {
    /// The system clock, read now.
    static var now: Timestamp { Timestamp(secondsSince1970: Int64(time(nil))) }
}
