import Diagnostics
import DurableFiles
import Foundation
import MapLayers
import SnpackTestSupport
import TerritoryModel
import Testing

@Suite struct LayerInspectionTests {
    private func inspect(_ layer: MemoryLayer) throws -> LayerInspection? {
        try LayerInspection.of(layer, context: WorkContext())
    }

    @Test(arguments: [
        ("valhalla", "Valhalla tile tree", "valhalla-tiles"), ("style", "map style", "style"),
        ("pmtiles/liechtenstein.pmtiles", "PMTiles archive", "pmtiles"),
        ("poi-sidecar/poi.sqlite", "POI database", "poi-sidecar"), ("poi-sidecar", "POI database", "poi-sidecar"),
        ("valhalla-tar/tiles.tar", "archive of Valhalla tiles", "valhalla-tiles"),
        ("geocode-tantivy", "search index", "geocode-index"), ("style/dark.json", "style document", nil),
        ("valhalla/2/000/789/878.gph", "Valhalla tile", nil),
    ])
    func recognizesPartsOfTheSample(path: String, what: String, kind: String?) throws {
        let found = try #require(try inspect(MemoryLayer(sample: "v1/\(path)")))
        #expect(found.what == what && found.kind?.rawValue == kind)
        #expect(found.facts.faultLines.isEmpty)
    }

    @Test func readsMBTilesFromDisk() throws {
        let url = ProjectFiles.sample.appending(path: "v1/mbtiles/liechtenstein.mbtiles")
        var faults = FaultList()
        let found = try #require(
            try LayerInspection.of(DiskLayer(FileTree(listing: url.path, faults: &faults)), context: WorkContext()))
        #expect(found.what == "MBTiles database" && found.facts.faultLines.isEmpty)
        let archive = try #require(try inspect(MemoryLayer(sample: "v1/pmtiles/liechtenstein.pmtiles"))).facts
        #expect(found.facts.meta["addressed_tiles"] == archive.meta["addressed_tiles"])
        for key in ["min_zoom", "max_zoom", "tile_type", "vector_layers"] {
            #expect(found.facts.meta[key] == archive.meta[key])
        }
    }

    @Test func saysNothingOfOtherFiles() throws {
        #expect(try inspect(MemoryLayer(["a.txt": [1, 2, 3]], isTree: false)) == nil)
        #expect(try inspect(MemoryLayer(["a.txt": []])) == nil)
        #expect(try inspect(MemoryLayer()) == nil)
    }

    @Test func tellsWhatATileSays() throws {
        let tile = try MemoryLayer(sample: "v1/valhalla")["2/000/789/878.gph"]
        let facts = try #require(try inspect(MemoryLayer(["878.gph": tile], isTree: false))).facts
        #expect(facts.faultLines.isEmpty)
        #expect(
            facts.meta == [
                "tile": "2/000/789/878.gph", "version": "3.9.1", "dataset_id": "17205512", "build_id": 54380,
                "bytes": 767_784, "box": [9.5, 47, 9.75, 47.25],
            ])
        let moved = try #require(try inspect(MemoryLayer(["2/000/789/877.gph": tile], isTree: false))).facts
        #expect(moved.faultCodes == ["valhalla.tile-id"])
        let short = try #require(try inspect(MemoryLayer(["878.gph": [1]], isTree: false))).facts
        #expect(short.faultCodes == ["valhalla.tile-short"])
    }
}
