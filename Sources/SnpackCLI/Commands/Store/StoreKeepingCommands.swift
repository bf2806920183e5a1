package import Arguments
package import Diagnostics
import TerritoryClient
import TerritoryModel
import TerritoryPackage

package struct StoreVerifyCommand: Command {
    package var spec: CommandSpec {
        CommandSpec(
            "verify", "check every byte of an installed territory",
            discussion: "Names every file that is damaged, missing or does not belong there, and changes nothing.",
            positionals: [StoreFamily.id], rules: StoreFamily.rules,
            examples: [
                CommandExample(
                    "snpack store verify liechtenstein --root store --factory-key keys/factory.pub", "after a crash")
            ])
    }

    package func run(_ arguments: ParsedArguments, in session: Session) async throws(SnpackError) -> CommandResult {
        let report = try await arguments.store(in: session).verify(
            arguments.territoryID(), cancel: session.context.cancel)
        var faults = FaultList()
        for fault in report.faults { faults.add(fault) }
        return CommandResult(
            ["ok": .bool(faults.isEmpty), "territory": StoreText.json(report.territory)],
            lines: faults.isEmpty ? ["verified: \(StoreText.line(report.territory))"] : [], faults: faults)
    }
}

package struct StoreRepairCommand: Command {
    package var spec: CommandSpec {
        CommandSpec(
            "repair", "put right what is damaged in a territory",
            discussion: """
                From a channel only the chunks are fetched in which the damage lies. Without a SOURCE files that do not \
                belong there are removed, and layers taken from the version before if it has them.
                """,
            positionals: [
                StoreFamily.id,
                PositionalSpec("SOURCE", "a channel or package that has the installed version", .optional),
            ],
            options: StoreFamily.transportOptions, rules: StoreFamily.rules,
            examples: [
                CommandExample(
                    "snpack store repair liechtenstein channel --root store --factory-key keys/factory.pub",
                    "repair from a channel")
            ])
    }

    package func run(_ arguments: ParsedArguments, in session: Session) async throws(SnpackError) -> CommandResult {
        let id = try arguments.territoryID()
        var source: RepairSource?
        if let text = arguments.value("SOURCE") {
            let reference = try SourceReference(parsing: text)
            if let channel = try arguments.transport(reference.place, for: id) {
                source = .channel(channel)
            } else if case .path(let path) = reference.place {
                source = .package(path: path)
            }
        }
        let result = try await arguments.store(in: session).repair(id, from: source, cancel: session.context.cancel)
        let kinds = result.repairedKinds.map(\.rawValue)
        let isWhole = kinds.isEmpty && result.removedFiles == 0
        return CommandResult(
            [
                "territory": StoreText.json(result.territory), "repaired_kinds": .array(kinds.map(JSONValue.string)),
                "removed_files": .number(JSONNumber(UInt64(result.removedFiles))),
                "bytes_downloaded": .number(JSONNumber(result.bytesDownloaded)),
            ],
            lines: [
                isWhole
                    ? "nothing to repair: \(StoreText.line(result.territory))"
                    : "repaired \(id): \(kinds.isEmpty ? "no layer" : kinds.joined(separator: ", ")), "
                        + "\(result.removedFiles) files removed, \(byteText(result.bytesDownloaded)) downloaded"
            ])
    }
}

package struct StoreRollbackCommand: Command {
    package var spec: CommandSpec {
        CommandSpec(
            "rollback", "go back to the version before",
            discussion: "sync then holds until the channel offers a version above the one left.",
            positionals: [StoreFamily.id], rules: StoreFamily.rules,
            examples: [
                CommandExample(
                    "snpack store rollback liechtenstein --root store --factory-key keys/factory.pub",
                    "undo the last update")
            ])
    }

    package func run(_ arguments: ParsedArguments, in session: Session) async throws(SnpackError) -> CommandResult {
        let info = try await arguments.store(in: session).rollback(
            arguments.territoryID(), cancel: session.context.cancel)
        return CommandResult(
            ["territory": StoreText.json(info)], lines: ["went back to \(StoreText.line(info))"])
    }
}

package struct StoreRemoveCommand: Command {
    package var spec: CommandSpec {
        CommandSpec(
            "remove", "take an installed territory away", positionals: [StoreFamily.id], rules: StoreFamily.rules,
            examples: [
                CommandExample(
                    "snpack store remove liechtenstein --root store --factory-key keys/factory.pub", "free its space")
            ])
    }

    package func run(_ arguments: ParsedArguments, in session: Session) async throws(SnpackError) -> CommandResult {
        let id = try arguments.territoryID()
        try await arguments.store(in: session).remove(id)
        return CommandResult(["removed": .string(id.rawValue)], lines: ["removed \(id)"])
    }
}

package struct StoreCacheCommand: Command {
    package var spec: CommandSpec {
        CommandSpec(
            "cache", "show or clear what was fetched and is not installed",
            discussion: "A command that was stopped goes on from there; once cleared it is fetched again.",
            options: [.flag("clear", "forget it")], rules: StoreFamily.rules,
            examples: [
                CommandExample(
                    "snpack store cache --clear --root store --factory-key keys/factory.pub", "free its space")
            ])
    }

    package func run(_ arguments: ParsedArguments, in session: Session) async throws(SnpackError) -> CommandResult {
        let store = try arguments.store(in: session)
        if arguments.flag("clear") {
            let count = try await store.clearLayerCache()
            return CommandResult(
                ["bytes": 0, "cleared_bytes": .number(JSONNumber(count))], lines: ["cleared \(byteText(count))"])
        }
        let count = try await store.layerCacheSize()
        return CommandResult(["bytes": .number(JSONNumber(count))], lines: [byteText(count)])
    }
}
