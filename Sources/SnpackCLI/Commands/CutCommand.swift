package import Arguments
package import Diagnostics
import DurableFiles
import TerritoryFactory
import TerritoryModel
import TerritoryPackage

package struct CutCommand: Command {
    package var spec: CommandSpec {
        CommandSpec(
            "cut", "cut a custom region out of a signed country",
            discussion: """
                Cuts every layer of one version of a country by one rule and writes the unsigned release \
                OUT/<region id>/<version>/, to be signed with a region key. The id comes from the country and the area alone: \
                cutting a later version gives an update of the same region.

                A tile belongs if its box meets the area: its west and south edges are part of it, its east and north edges \
                are not. A point belongs if it lies in the area or on its border. Streets, localities and postcodes stay if \
                anything in the area names them. Layers that have nothing in the area are left out, with a warning.

                With --areas, each feature of a GeoJSON FeatureCollection is a region, named by properties.name; all are cut \
                in one pass over the source.
                """,
            positionals: [
                PositionalSpec("SOURCE", "a signed release, or CHANNEL#ID[@VERSION]")
            ],
            options: [
                .repeated(
                    "factory-key", "K", "trust this factory key: 64 hex characters or a .pub file", form: .path,
                    required: true),
                .value("bbox", "W,S,E,N", "a box in degrees; west greater than east crosses the antimeridian"),
                .value("area", "FILE.geojson", "the polygons of a GeoJSON document", form: .path),
                .value(
                    "corridor", "FILE.geojson", "along the lines of a GeoJSON document; needs --buffer", form: .path),
                .value("areas", "FILE.geojson", "a region for each feature of a FeatureCollection", form: .path),
                .value("buffer", "METRES", "what lies this near belongs too, 1 to 100000"),
                .value("name", "NAME", "what apps call the region"),
                .value("version", "V", "the region's version, the source's or a greater one (default: the source's)"),
                .repeated("omit", "KIND", "leave this layer out"),
                .repeated("keep-whole", "KIND", "take all of this layer"),
                .value("places", "FILE.ndjson", "build the search index from these places", form: .path),
                .value("max-zoom", "N", "leave out map tiles of deeper zooms, 0 to 31"),
                .repeated("patch-from", "SOURCE", "make patches from this version of the region", form: .path),
                .value("level", "N", "how hard to compress, 1 to 22 (default: 9)"),
                .flag("dry-run", "say what each layer would have, and write nothing"),
                .value("out", "DIR", "where releases go", short: "o", form: .directory, required: true),
            ],
            rules: [
                .exactlyOne(["bbox", "area", "corridor", "areas"]), .needs("corridor", ["buffer"]),
                .atMostOne(["areas", "name"]),
            ],
            examples: [
                CommandExample(
                    "snpack cut channel#liechtenstein --factory-key keys/factory.pub --bbox 9.48,47.1,9.56,47.2 --name Vaduz --out regions",
                    "cut a box out of a channel's latest version"),
                CommandExample(
                    "snpack cut build/liechtenstein/1.0.0 --factory-key keys/factory.pub --corridor trail.geojson --buffer 2000 --name Trail --out regions",
                    "cut a corridor of 2 km on each side of a route"),
            ])
    }

    package func run(_ arguments: ParsedArguments, in session: Session) throws(SnpackError) -> CommandResult {
        let keys = try PinnedKeys(factory: arguments.factoryKeys())
        let requests = try requests(arguments)
        let options = try options(arguments)
        let source = try CutSource(
            SourceReference(parsing: arguments.required("SOURCE")), keys: keys, now: .now,
            report: session.context.report)
        let cutter = try RegionCutter(source, options: options, context: session.context)
        if arguments.flag("dry-run") {
            let scratch = session.environment["TMPDIR"] ?? "/tmp"
            return CutText.estimates(try cutter.estimate(requests, scratch: scratch), requests)
        }
        return CutText.outcomes(try cutter.cut(requests), isBatch: arguments.value("areas") != nil)
    }

    private func options(_ arguments: ParsedArguments) throws(SnpackError) -> CutOptions {
        var options = CutOptions(output: arguments.required("out"), tool: "snpack \(SnpackVersion.number)")
        options.version = try arguments.value("version").map { text throws(SnpackError) in
            try TerritoryVersion(parsing: text)
        }
        options.omitted = try kinds("omit", arguments)
        options.keptWhole = try kinds("keep-whole", arguments)
        options.places = arguments.value("places")
        options.maxZoom = try arguments.unsignedInteger("max-zoom", in: 0...31).map { Int($0) }
        if let level = try arguments.unsignedInteger("level", in: 1...22) { options.level = Int(level) }
        for text in arguments.values("patch-from") {
            options.patchBases += try ReusableRelease.all(in: SourceReference(parsing: text))
        }
        return options
    }

    private func kinds(_ name: String, _ arguments: ParsedArguments) throws(SnpackError) -> Set<LayerKind> {
        Set(try arguments.values(name).map { text throws(SnpackError) in try LayerKind(parsing: text) })
    }

    // MARK: Areas

    private func requests(_ arguments: ParsedArguments) throws(SnpackError) -> [RegionRequest] {
        let buffer = try arguments.unsignedInteger("buffer", in: Limits.bufferMeters)
        if let path = arguments.value("areas") {
            let document = try document(path)
            do throws(SnpackError) {
                return try AreaDocument.namedAreas(document, bufferMeters: buffer).map { named throws(SnpackError) in
                    RegionRequest(name: try DisplayText(writing: named.name), area: named.area)
                }
            } catch { throw error.at(path) }
        }
        guard let name = arguments.value("name") else {
            throw SnpackError(.usageInvalidValue, "a region needs a name", hint: "give --name")
        }
        return [RegionRequest(name: try DisplayText(writing: name), area: try area(arguments, buffer))]
    }

    private func area(_ arguments: ParsedArguments, _ buffer: UInt64?) throws(SnpackError) -> RegionArea {
        if let box = try arguments.box("bbox") {
            return try RegionArea(
                BoundingBox(west: box.west, south: box.south, east: box.east, north: box.north), bufferMeters: buffer)
        }
        let isCorridor = arguments.value("corridor") != nil
        let path = isCorridor ? arguments.required("corridor") : arguments.required("area")
        let document = try document(path)
        do throws(SnpackError) {
            return try AreaDocument.area(document, form: isCorridor ? .corridor : .polygons, bufferMeters: buffer)
        } catch { throw error.at(path) }
    }

    private func document(_ path: String) throws(SnpackError) -> JSONValue {
        let bytes = try OpenFile(reading: path).allBytes(limit: 256 << 20)
        do throws(SnpackError) { return try StrictJSON.parse(bytes) } catch {
            throw error.recoded(.areaInvalid, prefix: "not a GeoJSON document: ").at(path)
        }
    }
}
