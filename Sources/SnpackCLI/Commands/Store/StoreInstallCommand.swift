package import Arguments
package import Diagnostics
import FoundationEssentials
import TerritoryClient
import TerritoryModel
import TerritoryPackage

package struct StoreInstallCommand: Command {
    package var spec: CommandSpec {
        CommandSpec(
            "install", "install a territory from a channel or package",
            discussion: """
                SOURCE is a channel (directory or URL), a release, a .snpkg or an unpacked package directory. From a channel \
                the version that it offers is installed, or the one named. Layers that are on disk already are linked, and \
                never fetched.
                """,
            positionals: [
                PositionalSpec("SOURCE", "where from: a path, a URL, or CHANNEL#ID[@VERSION]"),
                PositionalSpec("ID[@VERSION]", "what, if SOURCE is a channel", .optional, form: .text),
            ],
            options: StoreFamily.installOptions + StoreFamily.indexOptions + StoreFamily.transportOptions,
            rules: StoreFamily.rules + [.atMostOne(["omit", "all-layers"])],
            examples: [
                CommandExample(
                    "snpack store install channel liechtenstein --root store --factory-key keys/factory.pub",
                    "install what a channel offers"),
                CommandExample(
                    "snpack store install liechtenstein.snpkg --omit pmtiles --root store --factory-key keys/factory.pub",
                    "install a package without its map"),
            ])
    }

    package func run(_ arguments: ParsedArguments, in session: Session) async throws(SnpackError) -> CommandResult {
        let source = try SourceReference(parsing: arguments.required("SOURCE"))
        var (id, version) = (source.territory, source.version)
        if let text = arguments.value("ID[@VERSION]") {
            let named = try arguments.selection(text)
            (id, version) = (named.id, named.version ?? version)
        }
        var request = try arguments.installRequest()
        if let version { request.version = .exactly(version) }
        let store = try arguments.store(in: session, keepsPrevious: arguments.value("keep") != "0")
        if let channel = try arguments.transport(source.place, for: id) {
            guard let id else {
                throw SnpackError(
                    .usageMissingArgument, "SOURCE is a channel: name a territory of it",
                    hint: "snpack list shows what it offers")
            }
            return StoreText.result(
                try await store.install(id, from: channel, request, cancel: session.context.cancel))
        }
        guard case .path(let path) = source.place else { preconditionFailure("a URL is a channel") }
        if let id { request.territory = id }
        return StoreText.result(
            try await store.install(
                package: URL(filePath: ParsedArguments.path(ofFileURL: path) ?? path), request,
                cancel: session.context.cancel))
    }
}

package struct StoreSyncCommand: Command {
    package var spec: CommandSpec {
        CommandSpec(
            "sync", "bring a territory to what its channel offers",
            discussion: """
                Installs, updates, or does nothing; fit for a timer. It never goes back to an older version. After a \
                rollback it waits for a version above the one left.
                """,
            positionals: [PositionalSpec("SOURCE", "the channel: a directory or URL"), StoreFamily.id],
            options: StoreFamily.installOptions + StoreFamily.indexOptions + StoreFamily.transportOptions,
            rules: StoreFamily.rules + [.atMostOne(["omit", "all-layers"])],
            examples: [
                CommandExample(
                    "snpack store sync https://maps.example.org liechtenstein --root store --factory-key keys/factory.pub",
                    "install or update from the web")
            ])
    }

    package func run(_ arguments: ParsedArguments, in session: Session) async throws(SnpackError) -> CommandResult {
        let id = try arguments.territoryID()
        let channel = try arguments.channel(for: id)
        let store = try arguments.store(in: session, keepsPrevious: arguments.value("keep") != "0")
        return StoreText.result(
            try await store.install(id, from: channel, arguments.installRequest(), cancel: session.context.cancel))
    }
}

package struct StoreCheckCommand: Command {
    package var spec: CommandSpec {
        CommandSpec(
            "check", "say whether a channel has an update, and what it costs",
            discussion: "Changes nothing that is installed. The exit status is 0 whether there is an update or not.",
            positionals: [PositionalSpec("SOURCE", "the channel: a directory or URL"), StoreFamily.id],
            options: [
                .repeated("omit", "KIND", "reckon without layers of this kind"),
                .flag("all-layers", "reckon with every layer, also those left out before"),
            ] + StoreFamily.indexOptions + StoreFamily.transportOptions,
            rules: StoreFamily.rules + [.atMostOne(["omit", "all-layers"])],
            examples: [
                CommandExample(
                    "snpack store check channel liechtenstein --root store --factory-key keys/factory.pub --json",
                    "ask for an update in a script")
            ])
    }

    package func run(_ arguments: ParsedArguments, in session: Session) async throws(SnpackError) -> CommandResult {
        let id = try arguments.territoryID()
        let channel = try arguments.channel(for: id)
        let check = try await arguments.store(in: session).check(
            id, from: channel, arguments.installRequest(), cancel: session.context.cancel)
        var json: JSONObject = [
            "update_available": .bool(check.isUpdateAvailable), "index": StoreText.json(check.index),
        ]
        json["territory"] = check.territory.map(StoreText.json)
        json["version"] = check.availableVersion.map(JSONValue.string)
        json["held_version"] = check.heldVersion.map(JSONValue.string)
        json["refusal"] = check.refusal.map { .object($0.json) }
        var lines: [String] = []
        if let version = check.availableVersion, let plan = check.plan {
            json["download_bytes"] = .number(JSONNumber(plan.downloadBytes))
            json["installed_bytes"] = .number(JSONNumber(plan.installedBytes))
            json["bytes_after"] = .number(JSONNumber(plan.bytesAfter))
            json["peak_bytes"] = .number(JSONNumber(plan.peakBytes))
            json["changed_layers"] = .array(
                plan.changed.map { layer in
                    [
                        "kind": .string(layer.kind.rawValue),
                        "way": .string(layer.way.rawValue),
                        "whole_bytes": .number(JSONNumber(layer.wholeBytes)),
                        "download_bytes": .number(JSONNumber(layer.downloadBytes)),
                        "installed_bytes": .number(JSONNumber(layer.installedBytes)),
                    ]
                })
            let from = check.territory.map { "\($0.version) → " } ?? ""
            lines.append(
                "\(id) \(from)\(version): \(byteText(plan.downloadBytes)) to download, \(byteText(plan.bytesAfter)) on disk, "
                    + "\(byteText(plan.peakBytes)) more at the peak")
            lines += plan.changed.map { layer in
                let whole = layer.way == .patched ? "\(byteText(layer.wholeBytes)) → patch " : ""
                return "  \(layer.kind) \(whole)\(byteText(layer.downloadBytes))"
            }
        } else if let held = check.heldVersion {
            lines.append("\(id): no update above \(held), from which you rolled back")
        } else if let refusal = check.refusal {
            lines.append("\(id): \(refusal.message)")
        } else {
            lines.append("\(id) is up to date")
        }
        return CommandResult(json, lines: lines + [StoreText.line(check.index)])
    }
}

extension ParsedArguments {
    /// The channel that `SOURCE` must be.
    func channel(for id: TerritoryID) throws(SnpackError) -> any ChannelTransport {
        let text = required("SOURCE")
        let source = try SourceReference(parsing: text)
        guard source.territory == nil || source.territory == id, let channel = try transport(source.place, for: id)
        else {
            throw SnpackError(
                .sourceUnknown, "that is not a channel", hint: "install takes packages too", path: text)
        }
        return channel
    }
}
