package import Arguments
package import Diagnostics
import DurableFiles
import MapLayers
import TerritoryModel

/// `snpack geocode …`, `snpack pmtiles …`, `snpack valhalla …`
enum MakingLayers {
    static let geocode = CommandSpec("geocode", "make search indexes")
    static let pmtiles = CommandSpec("pmtiles", "make map tile archives")
    static let valhalla = CommandSpec("valhalla", "make routing tile trees")
}

package struct GeocodeBuildCommand: Command {
    package var spec: CommandSpec {
        CommandSpec(
            "build", "make a search index out of a list of places",
            discussion: """
                PLACES.ndjson holds one place a line, as JSON. The index is one SQLite file, DIR/places.sqlite. Every \
                line that is no place is told. `build` does this itself where a definition names an .ndjson file.
                """,
            positionals: [PositionalSpec("PLACES.ndjson", "the places, one JSON document a line", form: .path)],
            options: [
                .value("out", "DIR", "the directory for places.sqlite", short: "o", form: .directory, required: true)
            ],
            examples: [CommandExample("snpack geocode build places.ndjson -o geocode", "make geocode/places.sqlite")])
    }

    package func run(_ arguments: ParsedArguments, in session: Session) throws(SnpackError) -> CommandResult {
        let source = arguments.required("PLACES.ndjson")
        let file = try OpenFile(reading: source)
        let directory = try Directory.create(arguments.required("out"))
        try directory.removeLeftovers()
        let builder = try PlaceIndexBuilder(in: directory, context: session.context)
        try builder.add(contentsOf: file, named: source)
        let summary = try builder.finish(replacing: true)
        let path = directory.path(of: "places.sqlite")
        return CommandResult(
            [
                "path": .string(path), "documents": .number(JSONNumber(Int64(summary.documentCount))),
                "bytes": .number(JSONNumber(summary.byteCount)),
            ], lines: ["wrote \(path): \(summary.documentCount) places, \(byteText(summary.byteCount))"])
    }
}

package struct PMTilesConvertCommand: Command {
    package var spec: CommandSpec {
        CommandSpec(
            "convert", "make a PMTiles archive of an MBTiles database",
            discussion: "`build` does this itself where a definition names an .mbtiles file.",
            positionals: [
                PositionalSpec("IN.mbtiles", "the database", form: .path),
                PositionalSpec("OUT.pmtiles", "the archive to write", form: .path),
            ],
            examples: [CommandExample("snpack pmtiles convert map.mbtiles map.pmtiles", "convert a database")])
    }

    package func run(_ arguments: ParsedArguments, in session: Session) throws(SnpackError) -> CommandResult {
        let path = arguments.required("OUT.pmtiles")
        let source = arguments.required("IN.mbtiles")
        _ = try OpenFile(reading: source)
        let (directory, name) = try Directory.parent(of: path)
        try directory.removeLeftovers()
        let header = try MBTilesConversion.convert(
            from: source, to: name, in: directory, replacing: true, context: session.context)
        let byteCount = try directory.file(name).byteCount
        return CommandResult(
            [
                "path": .string(path), "bytes": .number(JSONNumber(byteCount)),
                "tiles": .number(JSONNumber(header.addressedTileCount)),
            ], lines: ["wrote \(path): \(header.addressedTileCount) tiles, \(byteText(byteCount))"])
    }
}

package struct ValhallaUnpackCommand: Command {
    package var spec: CommandSpec {
        CommandSpec(
            "unpack", "make a tile tree of a tiles.tar",
            discussion: """
                The archive's index is checked against its members. `build` does this itself where a definition names a \
                .tar file.
                """,
            positionals: [
                PositionalSpec("TILES.tar", "what valhalla_build_extract wrote", form: .path),
                PositionalSpec("DIR", "the directory to make", form: .directory),
            ],
            examples: [CommandExample("snpack valhalla unpack tiles.tar valhalla", "unpack routing tiles")])
    }

    package func run(_ arguments: ParsedArguments, in session: Session) throws(SnpackError) -> CommandResult {
        let path = arguments.required("DIR")
        let (parent, name) = try Directory.parent(of: path)
        if try parent.contains(name) {
            throw SnpackError(.fileExists, "something is there already", hint: "give a path that is free", path: path)
        }
        try parent.removeLeftovers()
        let staging = try parent.makeStagingDirectory()
        let outcome = try ValhallaTarUnpack.unpack(
            arguments.required("TILES.tar"), into: staging.contents, context: session.context)
        for warning in outcome.warnings { session.warn(warning) }
        try staging.promote(to: name)
        return CommandResult(
            [
                "path": .string(path), "tiles": .number(JSONNumber(Int64(outcome.tileCount))),
                "bytes": .number(JSONNumber(outcome.byteCount)),
            ], lines: ["wrote \(path): \(outcome.tileCount) tiles, \(byteText(outcome.byteCount))"])
    }
}
