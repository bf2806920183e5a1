import Database
import Diagnostics
import DurableFiles
import Foundation
import MapLayers
import SnpackTestSupport
import TerritoryModel
import Testing

@Suite struct PlaceIndexBuilderTests {
    @Test("Case 103: the same places give the same bytes, in whatever order they come")
    func case103_samePlacesGiveTheSameBytes() throws {
        let documents = try PlaceFixtures.sampleDocuments()
        let first = try bytes(documents)
        #expect(try bytes(documents) == first)
        var random = SeededGenerator()
        print("shuffled places, seed \(random.seed)")
        #expect(try bytes(documents.shuffled(using: &random)) == first)
        #expect(try bytes(Array(documents.dropLast())) != first)
    }

    @Test func rebuildFromItsOwnRowsGivesTheSameBytes() throws {
        let documents = try PlaceFixtures.sampleDocuments()
        let first = try bytes(documents)
        var rows: [PlaceDocument] = []
        try PlaceRows.forEach(of: Database.reading(first, name: "places.sqlite")) { document, _ in rows.append(document)
        }
        #expect(Set(rows) == Set(documents))
        #expect(try bytes(rows) == first)
    }

    @Test("Case 105: of a cut, kept names are found and removed ones are not")
    func case105_cutFindsWhatItKeeps() throws {
        let box = try BoundingBox(west: 9.47, south: 47.1, east: 9.64, north: 47.2)
        var kept: [PlaceDocument] = []
        let source = try Database.reading(bytes(PlaceFixtures.sampleDocuments()), name: "places.sqlite")
        try PlaceRows.forEach(of: source, in: box) { document, _ in kept.append(document) }
        let cut = try bytes(kept)
        #expect(try GeocodeCheck.facts(of: MemoryLayer(["places.sqlite": cut])).faultLines == [])
        let index = try PlaceIndex(Database.reading(cut, name: "cut"))
        #expect(index.placeCount == kept.count && !kept.isEmpty)
        #expect(try index.search("Malbun").first?.name == "Malbun")
        #expect(try index.search("Schellenberg").allSatisfy { $0.name != "Schellenberg" })
    }

    @Test func fileIsPackedAndInRollbackMode() throws {
        let bytes = try bytes(PlaceFixtures.sampleDocuments())
        let header = try #require(DatabaseHeader(bytes))
        #expect(!header.isWAL && header.changeCounter == 1 && header.userVersion == 1)
        #expect(header.pageByteCount * Int(header.pageCount) == bytes.count)
        let database = try Database.reading(bytes, name: "places.sqlite")
        #expect(try database.value("PRAGMA freelist_count") == .integer(0))
        #expect(try database.value("PRAGMA integrity_check") == .text("ok"))
        #expect(try database.value("SELECT count(*) FROM sqlite_schema WHERE name LIKE '%staged%'") == .integer(0))
        #expect(
            try database.value("SELECT lat_e7 FROM place WHERE name = 'Malbun' AND kind = 'locality'")
                == .integer(471_027_930))
    }

    @Test func duplicatesAreToldWithBothLines() throws {
        try ProjectFiles.inTemporaryDirectory { directory in
            let lines = try String(
                contentsOf: ProjectFiles.sample.appending(path: "v1/geocode/places.ndjson"), encoding: .utf8
            ).split(separator: "\n").prefix(3)
            let text = (lines + [lines[1], "{}"]).joined(separator: "\n")
            let error = #expect(throws: SnpackError.self) {
                try PlaceFixtures.build(MemoryFile(Array(text.utf8)), in: directory)
            }
            #expect(Set(error?.details.map(\.code) ?? []) == [.geocodePlaceInvalid, .geocodePlaceDuplicate])
            #expect(error?.details.contains { $0.message.hasPrefix("lines 2 and 4 ") } == true)
            #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == [])
        }
    }

    @Test func idsThatOnlyUnicodeTakesForOneAreTwo() throws {
        let names = ["é", "e\u{301}"]
        let index = try PlaceFixtures.index(names.map { try PlaceFixtures.place("Café", id: $0) })
        #expect(try index.search("cafe").count == 2)
    }

    @Test func noPlacesAreNoIndex() throws {
        try ProjectFiles.inTemporaryDirectory { directory in
            let error = #expect(throws: SnpackError.self) { try PlaceFixtures.build(MemoryFile([0x0A]), in: directory) }
            #expect(error?.code == .geocodeNoPlaces)
        }
    }

    @Test func nothingIsReplacedUnasked() throws {
        try ProjectFiles.inTemporaryDirectory { directory in
            let place = try PlaceFixtures.place("Malbun")
            _ = try PlaceFixtures.build([place], in: directory)
            #expect(throws: SnpackError.self) { try PlaceFixtures.build([place], in: directory) }
            #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["places.sqlite"])
        }
    }

    @Test func onePlaceHasABox() throws {
        for (lat, lon) in [(0.0, 0.0), (90, 180), (-90, -180), (47, 9)] {
            try ProjectFiles.inTemporaryDirectory { directory in
                let builder = try PlaceIndexBuilder(in: Directory.open(directory.path))
                try builder.add(PlaceFixtures.place("Here", lat: lat, lon: lon), line: 1)
                #expect(try builder.finish().coverage != nil)
            }
        }
    }

    @Test func coverageGoesOverTheAntimeridianWhereThatIsShorter() throws {
        try ProjectFiles.inTemporaryDirectory { directory in
            let builder = try PlaceIndexBuilder(in: Directory.open(directory.path))
            for (index, lon) in [177.5, -178.25, 179.9].enumerated() {
                try builder.add(PlaceFixtures.place("Fiji \(index)", lat: -17, lon: lon), line: index)
            }
            let box = try #require(try builder.finish().coverage)
            #expect(box.west == 177.5 && box.east == -178.25)
        }
    }

    private func bytes(_ documents: [PlaceDocument]) throws -> [UInt8] {
        try ProjectFiles.inTemporaryDirectory { directory in
            try Array(Data(contentsOf: URL(filePath: PlaceFixtures.build(documents, in: directory))))
        }
    }
}
