import Diagnostics
import DurableFiles
import Foundation
import MapLayers
import SnpackTestSupport
import TerritoryModel
import Testing

@Suite struct PackageCheckTests {
    private func box(_ west: Double, _ south: Double, _ east: Double, _ north: Double) throws -> BoundingBox {
        try BoundingBox(west: west, south: south, east: east, north: north)
    }

    private func facts(_ box: BoundingBox?) -> LayerFacts {
        var facts = LayerFacts()
        facts.coverage = box
        return facts
    }

    /// The codes of what is said about one layer with a box.
    private func verdict(_ layer: BoundingBox, in territory: BoundingBox) -> String {
        let result = PackageCheck.faults(box: territory, layers: [(.valhallaTiles, facts(layer))])
        return (result.faults.faults + result.warnings).map(\.code.name).joined(separator: " ")
    }

    @Test func sampleLayersFitTogether() throws {
        let context = WorkContext(jobs: 2)
        for version in ["v1", "v2"] {
            let kinds: [(LayerKind, String)] = [
                (.valhallaTiles, "valhalla"), (.pmtiles, "pmtiles/liechtenstein.pmtiles"), (.style, "style"),
            ]
            let layers = try kinds.map { kind, path in
                let layer = try MemoryLayer(sample: "\(version)/\(path)")
                return (kind: kind, facts: try LayerCheck.facts(of: kind, in: layer, context: context))
            }
            let result = PackageCheck.faults(box: try box(9.47108, 47.04774, 9.636217, 47.27128), layers: layers)
            #expect(layers.allSatisfy { $0.facts.faults.isEmpty })
            #expect(result.faults.isEmpty && result.warnings.isEmpty)
        }
    }

    @Test func comparesBoxes() throws {
        let country = try box(9.47, 47.05, 9.64, 47.27)
        #expect(verdict(country, in: country) == "")
        #expect(verdict(try box(9.25, 47, 9.75, 47.5), in: country) == "")
        #expect(verdict(try box(47.05, 9.47, 47.27, 9.64), in: country) == "package.layer-outside")
        #expect(verdict(try box(9.64, 47.05, 10, 47.27), in: country) == "package.layer-outside")
        #expect(verdict(try box(5.9, 45.8, 10.5, 47.8), in: country) == "package.layer-large")
        #expect(verdict(try box(9.5, 47.1, 9.55, 47.15), in: country) == "package.layer-small")
        let fiji = try box(176.9, -19.2, -178.2, -16.1)
        #expect(verdict(fiji, in: fiji) == "")
        #expect(verdict(try box(179.5, -18, -179.5, -17.25), in: fiji) == "package.layer-small")
        #expect(verdict(try box(-180, -19.5, -178, -16), in: fiji) == "")
        #expect(verdict(try box(170, -19, 175, -16), in: fiji) == "package.layer-outside")
        #expect(verdict(try box(-180, -85, 180, 85), in: fiji) == "package.layer-large")
        #expect(try verdict(box(-180, -85, 180, 85), in: box(-180, -90, 180, 90)) == "")
    }

    @Test func aStyleAloneAnswersNoArea() throws {
        let country = try box(9.47, 47.05, 9.64, 47.27)
        func codes(_ kinds: [String]) throws -> [String] {
            let layers = try kinds.map { (kind: try LayerKind(parsing: $0), facts: facts(nil)) }
            return PackageCheck.faults(box: country, layers: layers).faults.faults.map(\.code.name)
        }
        #expect(try codes(["style"]) == ["package.no-area"])
        #expect(try codes(["style", "samples"]).isEmpty)
        #expect(try codes(["geocode-index"]).isEmpty)
    }

    @Test func styleMustFindItsSourceLayers() throws {
        let context = WorkContext()
        let country = try box(9.47108, 47.04774, 9.636217, 47.27128)
        let style = try LayerCheck.facts(of: .style, in: MemoryLayer(sample: "v1/style"), context: context)
        func codes(_ archive: LayerFacts?) -> [String] {
            let layers = [(kind: LayerKind.style, facts: style)] + (archive.map { [(kind: .pmtiles, facts: $0)] } ?? [])
            let result = PackageCheck.faults(box: country, layers: layers)
            return result.faults.faults.map { "\($0.code) \($0.path ?? "")" } + result.warnings.map(\.code.name)
        }
        var archive = facts(nil)
        #expect(codes(archive) == [])
        archive.vectorLayers = ["boundaries", "landuse", "water", "waterways", "buildings", "roads", "rail", "places"]
        #expect(codes(archive) == ["style.source-layer layer/dark.json", "style.source-layer layer/light.json"])
        #expect(codes(nil) == ["package.no-area ", "package.style-without-tiles"])
    }

    @Test func convertsWhatPeopleHave() throws {
        let context = WorkContext(jobs: 2)
        let sources: [(LayerKind, String)] = [
            (.valhallaTiles, "valhalla-tar/tiles.tar"), (.pmtiles, "mbtiles/liechtenstein.mbtiles"),
            (.geocodeIndex, "geocode/places.ndjson"),
        ]
        try ProjectFiles.inTemporaryDirectory { url in
            for (kind, path) in sources {
                let source = ProjectFiles.sample.appending(path: "v1/\(path)").path
                #expect(LayerConversion.isNeeded(for: kind, source: source))
                let directory = try Directory.create(url.appending(path: kind.rawValue).path)
                let layer = try LayerConversion.convert(kind, source: source, into: directory, context: context)
                #expect(!LayerConversion.isNeeded(for: kind, source: layer))
                let made = try MemoryLayer(reading: URL(filePath: layer))
                let facts = try LayerCheck.facts(of: kind, in: made, context: context)
                #expect(facts.faultLines.isEmpty)
                #expect(facts.coverage?.west ?? 0 > 9 && facts.coverage?.east ?? 180 < 10)
            }
        }
        #expect(!LayerConversion.isNeeded(for: .style, source: "a/tiles.tar"))
    }
}
