package import Arguments
package import Diagnostics
import FoundationEssentials
import MapLayers
import TerritoryClient
import TerritoryModel

package struct StoreListCommand: Command {
    package var spec: CommandSpec {
        CommandSpec(
            "list", "list what is installed", rules: StoreFamily.rules,
            examples: [CommandExample("snpack store list --root store --factory-key keys/factory.pub", "list it")])
    }

    package func run(_ arguments: ParsedArguments, in session: Session) async throws(SnpackError) -> CommandResult {
        let territories = try await arguments.store(in: session).list()
        return CommandResult(
            ["territories": .array(territories.map(StoreText.json))], lines: territories.map(StoreText.line))
    }
}

package struct StoreActivateCommand: Command {
    package var spec: CommandSpec {
        CommandSpec(
            "activate", "choose the active territory", positionals: [StoreFamily.id], rules: StoreFamily.rules,
            examples: [
                CommandExample(
                    "snpack store activate liechtenstein --root store --factory-key keys/factory.pub", "choose it")
            ])
    }

    package func run(_ arguments: ParsedArguments, in session: Session) async throws(SnpackError) -> CommandResult {
        let id = try arguments.territoryID()
        try await arguments.store(in: session).setActive(id)
        return CommandResult(["active": .string(id.rawValue)], lines: ["\(id) is active"])
    }
}

package struct StoreActiveCommand: Command {
    package var spec: CommandSpec {
        CommandSpec(
            "active", "show the active territory", rules: StoreFamily.rules,
            examples: [CommandExample("snpack store active --root store --factory-key keys/factory.pub", "show it")])
    }

    package func run(_ arguments: ParsedArguments, in session: Session) async throws(SnpackError) -> CommandResult {
        guard let info = try await arguments.store(in: session).active() else {
            throw SnpackError(
                .noActiveTerritory, "no territory is active", hint: "choose one with snpack store activate ID")
        }
        return CommandResult(
            ["active": .string(info.territoryId), "territory": StoreText.json(info)], lines: [StoreText.line(info)])
    }
}

package struct StorePathCommand: Command {
    package var spec: CommandSpec {
        CommandSpec(
            "path", "show where an installed layer lies",
            positionals: [
                StoreFamily.id, PositionalSpec("KIND", "the layer's kind, as in valhalla-tiles", form: .text),
            ],
            rules: StoreFamily.rules,
            examples: [
                CommandExample(
                    "snpack store path liechtenstein valhalla-tiles --root store --factory-key keys/factory.pub",
                    "the directory that Valhalla reads")
            ])
    }

    package func run(_ arguments: ParsedArguments, in session: Session) async throws(SnpackError) -> CommandResult {
        let url = try await arguments.store(in: session).layerURL(
            arguments.territoryID(), LayerKind(parsing: arguments.required("KIND")))
        let path = url.path(percentEncoded: false)
        return CommandResult(["path": .string(path)], lines: [path])
    }
}

package struct StoreStyleCommand: Command {
    package var spec: CommandSpec {
        CommandSpec(
            "style", "print a MapLibre style whose files are all local",
            positionals: [StoreFamily.id],
            options: [
                .value(
                    "theme", "THEME", "light (default) or dark",
                    form: .choice(StyleTheme.allCases.map(\.rawValue)))
            ],
            rules: StoreFamily.rules,
            examples: [
                CommandExample(
                    "snpack store style liechtenstein --theme dark --root store --factory-key keys/factory.pub",
                    "the style to draw at night")
            ])
    }

    package func run(_ arguments: ParsedArguments, in session: Session) async throws(SnpackError) -> CommandResult {
        let theme = arguments.value("theme").flatMap(StyleTheme.init) ?? .light
        let style = try await arguments.store(in: session).style(arguments.territoryID(), theme: theme)
        return CommandResult(
            ["theme": .string(theme.rawValue), "style": try StrictJSON.parse(Array(style.utf8), depthLimit: 256)],
            verbatim: style)
    }
}

package struct StoreSearchCommand: Command {
    package var spec: CommandSpec {
        CommandSpec(
            "search", "search an installed territory's places",
            positionals: [StoreFamily.id, PositionalSpec("QUERY", "what a person types", form: .text)],
            options: [
                .value("near", "LAT,LON", "rank places near this point higher"),
                .value("viewbox", "W,S,E,N", "rank places in this box higher"), .limit,
            ],
            rules: StoreFamily.rules,
            examples: [
                CommandExample(
                    "snpack store search liechtenstein malbun --root store --factory-key keys/factory.pub",
                    "find a village")
            ])
    }

    package func run(_ arguments: ParsedArguments, in session: Session) async throws(SnpackError) -> CommandResult {
        let near = try arguments.coordinate("near").map { (lat: $0.latitude, lon: $0.longitude) }
        let area = try arguments.box("viewbox").map { box throws(SnpackError) in
            PlaceIndex.Area.preferred(
                try BoundingBox(west: box.west, south: box.south, east: box.east, north: box.north))
        }
        let search = try await arguments.store(in: session).search(arguments.territoryID())
        return StoreText.result(
            try search.search(
                query: arguments.required("QUERY"), near: near, area: area, limit: arguments.limit()))
    }
}

package struct StoreReverseCommand: Command {
    package var spec: CommandSpec {
        CommandSpec(
            "reverse", "list the places nearest to a point",
            positionals: [StoreFamily.id, PositionalSpec("LAT,LON", "the point, latitude first", form: .text)],
            options: [.limit], rules: StoreFamily.rules,
            examples: [
                CommandExample(
                    "snpack store reverse liechtenstein 47.141,9.5215 --root store --factory-key keys/factory.pub",
                    "what is here")
            ])
    }

    package func run(_ arguments: ParsedArguments, in session: Session) async throws(SnpackError) -> CommandResult {
        guard let point = try arguments.coordinate("LAT,LON") else { preconditionFailure("the parser asks for it") }
        let search = try await arguments.store(in: session).search(arguments.territoryID())
        return StoreText.result(
            try search.reverse(lat: point.latitude, lon: point.longitude, limit: arguments.limit()))
    }
}

extension OptionSpec {
    fileprivate static let limit = value("limit", "N", "the most places to list (default: 10)")
}

extension ParsedArguments {
    fileprivate func limit() throws(SnpackError) -> Int { Int(try unsignedInteger("limit", in: 0...1_000) ?? 10) }
}
