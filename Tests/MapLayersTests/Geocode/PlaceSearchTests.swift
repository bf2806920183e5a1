import Diagnostics
import Foundation
import MapLayers
import SnpackTestSupport
import TerritoryModel
import Testing

@Suite struct PlaceSearchTests {
    static let sample = Result { try PlaceFixtures.sampleIndex() }
    var index: PlaceIndex { get throws { try Self.sample.get() } }

    @Test func knownSearchesOfTheSampleComeFirst() throws {
        for version in ["v1", "v2"] {
            let index = try PlaceFixtures.sampleIndex(version)
            let known: [(String, PlaceKind, String?, Double?, Double?)] = [
                ("Malbun", .locality, nil, 47.102793, 9.608395),
                ("Schellenberg", .locality, nil, 47.231202, 9.545802),
                ("formatio Privatschule", .poi, "Triesen", 47.107668, 9.526205),
                ("Landstrasse 71-75", .address, "Schaan", 47.162871, 9.508665),
                ("Zum Sankt Johanner", .street, "Vaduz", nil, nil),
            ]
            for (query, kind, locality, lat, lon) in known {
                let place = try #require(try index.search(query).first, "\(query)")
                #expect(place.kind == kind && place.name == query)
                if let locality { #expect(place.locality == locality) }
                if let lat { #expect(place.lat == lat && place.lon == lon) }
                #expect(place.distanceM == nil && place.countryCode == "LI")
            }
        }
    }

    @Test func streetsOfOneVersionAreNotFoundInTheOther() throws {
        let (v1, v2) = (try PlaceFixtures.sampleIndex("v1"), try PlaceFixtures.sampleIndex("v2"))
        for name in ["Kesse", "Schmiedegass", "Im Fetzer", "Eschestrasse"] {
            #expect(try v1.search(name).first?.name == name)
            #expect(try v2.search(name).allSatisfy { $0.name != name })
        }
        for name in ["Kesse Süd", "Schmiedegass Süd", "Im Fetzer Süd", "Eschestrasse Süd", "Café am Markt"] {
            #expect(try v2.search(name).first?.name == name)
            #expect(try v1.search(name).allSatisfy { $0.name != name })
        }
    }

    @Test(.enabled(if: ProjectFiles.sharedData != nil, "the larger territory lies beside the checkout"))
    func knownSearchesOfTheLargerTerritoryComeFirst() throws {
        let data = try #require(ProjectFiles.sharedData)
        let known: [(String, String, Double, Double)] = [
            ("Landstrasse 97", "osm:node:1033439543#addr", 47.161272, 9.508918),
            ("Kunstmuseum Liechtenstein", "osm:way:28712148", 47.139501, 9.522099),
            ("Liechtensteinisches Landesspital", "osm:node:326058662", 47.134377, 9.522478),
            ("Malbun", "osm:node:347290636", 47.102793, 9.608395),
            ("Churerstrasse", "osm:way:28712198#street", 47.15319, 9.510816),
        ]
        for version in ["v1", "v2"] {
            let index = try PlaceFixtures.index(data.appending(path: "\(version)/geocode/places.ndjson"))
            for (query, id, lat, lon) in known {
                for text in [query, query.lowercased(), query.uppercased(), "  \(query) "] {
                    let place = try #require(try index.search(text).first)
                    #expect(place.id == id, "\(text) in \(version)")
                    if version == "v1" { #expect(place.lat == lat && place.lon == lon) }
                }
            }
        }
        let (v1, v2) = (
            try PlaceFixtures.index(data.appending(path: "v1/geocode/places.ndjson")),
            try PlaceFixtures.index(data.appending(path: "v2/geocode/places.ndjson"))
        )
        for name in ["Bartlegroschstrasse", "Gapetschstrasse", "Kesse", "Pflugstrasse"] {
            #expect(try v1.search(name).first?.name == name)
            #expect(try v2.search(name).allSatisfy { $0.name != name })
        }
        for name in ["Alte Gapetschstrasse", "Alte Pflugstrasse", "Bartlegroschstrasse Süd", "Kesse Nord"] {
            #expect(try v2.search(name).first?.name == name)
            #expect(try v1.search(name).allSatisfy { $0.name != name })
        }
    }

    @Test func everyPlaceIsAmongTheFirstFiveByItsFullName() throws {
        var alone = 0
        let documents = try PlaceFixtures.sampleDocuments()
        for document in documents {
            let near = (document.position.lat, document.position.lon)
            let there = try index.search(document.name, near: near, limit: 5)
            #expect(there.contains { $0.id == document.id }, "\(document.name)")
            if try index.search(document.name, limit: 5).contains(where: { $0.id == document.id }) { alone += 1 }
        }
        #expect(alone == documents.count)
    }

    @Test func placesAreAmongTheFirstFiveByTheirFirstEightLettersNearThem() throws {
        let documents = try PlaceFixtures.sampleDocuments()
        var missed: [String] = []
        for document in documents {
            let near = (document.position.lat, document.position.lon)
            let found = try index.search(String(document.name.prefix(8)), near: near, limit: 5)
            if !found.contains(where: { $0.id == document.id }) { missed.append(document.name) }
        }
        #expect(missed.count * 20 <= documents.count, "\(missed)")
    }

    @Test func everyPrefixOfANameIsAQuery() throws {
        for name in ["Zum Sankt Johanner", "Landstrasse 71-75", "Liechtensteinisches Landesmuseum"] {
            for count in 1...name.count {
                let text = String(name.prefix(count))
                #expect(try !index.search(text).isEmpty, "\(text)")
            }
        }
    }

    @Test func wordsAreComparedAsPeopleTypeThem() throws {
        let index = try PlaceFixtures.index([
            PlaceFixtures.place(
                "Äulestraße 97a", kind: .address, id: "a", housenumber: "97a", street: "Äulestraße", locality: "Vaduz"),
            PlaceFixtures.place(
                "Bahnhofstr. 12", kind: .address, id: "b", housenumber: "12", street: "Bahnhofstr.",
                locality: "Buchs SG", postcode: "9470"),
            PlaceFixtures.place("Café Crème brûlée", id: "c", locality: "Schaan"),
            PlaceFixtures.place("Łódź Øresund Þing Œuvre", id: "d"),
            PlaceFixtures.place("Gamprin-Bendern", kind: .locality, id: "e"),
            PlaceFixtures.place("Rue de l'Église", kind: .street, id: "f"),
            PlaceFixtures.place("東京タワー", id: "g"),
            PlaceFixtures.place("Москва Ёлка", id: "h"),
            PlaceFixtures.place("Αθήνα", id: "i"),
            PlaceFixtures.place(
                "Landstrasse 71-75", kind: .address, id: "j", housenumber: "71-75", street: "Landstrasse",
                locality: "Schaan"),
            PlaceFixtures.place("Dorf 8 B", kind: .address, id: "k", housenumber: "8 B", street: "Dorf"),
            PlaceFixtures.place("दिल्ली", kind: .locality, id: "l"),
        ])
        let cases: [(String, String)] = [
            ("aulestrasse 97a", "a"), ("Äulestr. 97a", "a"), ("Äulestr 97 a", "a"), ("97a aulestrasse vaduz", "a"),
            ("vaduz äulestraße", "a"), ("A\u{308}ULESTRASSE", "a"), ("aulestr", "a"), ("Vaduz Äulestrasse 97A", "a"),
            ("Bahnhofstraße 12", "b"), ("Bahnhofstrasse 12 Buchs", "b"), ("9470 bahnhofstr", "b"), ("bahnhofs", "b"),
            ("12 Bahnhofstr.", "b"), ("cafe creme brulee", "c"), ("creme caf", "c"), ("CAFÉ  crè", "c"),
            ("lodz", "d"), ("oresund", "d"), ("thing", "d"), ("oeuvre", "d"), ("Gamprin Bendern", "e"),
            ("gamprinb", "e"), ("bendern", "e"), ("rue de l’eglise", "f"), ("eglise", "f"), ("東京", "g"),
            ("москва елка", "h"), ("αθηνα", "i"), ("landstrasse 71", "j"), ("landstrasse 71-75", "j"),
            ("Schaan Landstrasse 75", "j"), ("dorf 8b", "k"), ("Dorf 8 b", "k"), ("दिल्ली", "l"), ("दिल", "l"),
        ]
        for (text, id) in cases { #expect(try index.search(text).first?.id == id, "\(text)") }
    }

    @Test func wordOrderDoesNotMatter() throws {
        let places = try index.search("Schaan Landstrasse 71-75")
        #expect(places.first?.name == "Landstrasse 71-75")
        #expect(try index.search("71-75 Landstrasse Schaan").first?.id == places.first?.id)
    }

    @Test func aWordTooMuchStillFindsTheRest() throws {
        #expect(try index.search("Landstrasse 71-75 Neverland").first?.name == "Landstrasse 71-75")
    }

    @Test func nameFitsBeforeProminenceAndProminenceBeforeOrder() throws {
        let index = try PlaceFixtures.index([
            PlaceFixtures.place("Steg", kind: .locality, id: "hamlet", importance: 0.2),
            PlaceFixtures.place("Stegen", kind: .locality, id: "town", importance: 1),
            PlaceFixtures.place("Am Steg", kind: .street, id: "street", importance: 0.9),
            PlaceFixtures.place("Steg", kind: .poi, id: "stop", importance: 0.2),
            PlaceFixtures.place("Post", kind: .poi, id: "post", locality: "Steg", importance: 1),
        ])
        #expect(try index.search("Steg").map(\.id) == ["hamlet", "stop", "town", "street", "post"])
    }

    @Test func aPointRanksAndMeasures() throws {
        let index = try PlaceFixtures.index(
            (0..<300).map {
                try PlaceFixtures.place("Hauptstrasse", kind: .street, id: "\($0)", lat: 46 + Double($0) / 100)
            })
        let places = try index.search("hauptstr", near: (47.503, 9), limit: 3)
        #expect(places.map(\.id) == ["150", "151", "149"])
        #expect(abs((places[0].distanceM ?? 0) - 333.585) < 0.01)
        #expect(try index.search("hauptstrasse", near: (47.503, 9), limit: 3).map(\.id) == ["150", "151", "149"])
        #expect(try index.search("h", near: (47.503, 9), limit: 3).map(\.id) == ["150", "151", "149"])
    }

    @Test func anAreaPrefersOrBounds() throws {
        let index = try PlaceFixtures.index([
            PlaceFixtures.place("Kirche", id: "prominent", lat: 47, lon: 9, importance: 1),
            PlaceFixtures.place("Kirche", id: "inside", lat: 10, lon: 20, importance: 0),
            PlaceFixtures.place("Kirchenplatz", id: "also inside", lat: 10.1, lon: 20.1, importance: 0),
        ])
        let box = try BoundingBox(west: 20, south: 10, east: 20.1, north: 10.1)
        #expect(try index.search("Kirche").map(\.id) == ["prominent", "inside", "also inside"])
        #expect(try index.search("Kirche", area: .preferred(box)).map(\.id) == ["inside", "prominent", "also inside"])
        #expect(try index.search("Kirche", area: .bounds(box)).map(\.id) == ["inside", "also inside"])
        #expect(try index.search("k", area: .bounds(box)).map(\.id).sorted() == ["also inside", "inside"])
        let wide = try BoundingBox(west: -170, south: -80, east: 160, north: 40)
        #expect(try index.search("Kirche", area: .bounds(wide)).map(\.id) == ["inside", "also inside"])
        let over = try BoundingBox(west: 19, south: -80, east: -170, north: 40)
        #expect(try index.search("Kirche", near: (47, 9), area: .bounds(over)).count == 2)
    }

    @Test func limitIsKeptAndChecked() throws {
        #expect(try index.search("strasse", limit: 0).isEmpty)
        #expect(try index.search("Landstrasse", limit: 7).count == 7)
        for limit in [-1, 1_001] { #expect(throws: SnpackError.self) { try index.search("a", limit: limit) } }
        for point in [(91.0, 0.0), (0, 181), (.nan, 0), (.infinity, 0)] {
            let error = #expect(throws: SnpackError.self) { try index.search("a", near: point) }
            #expect(error?.code == .geocodeQueryInvalid)
            #expect(throws: SnpackError.self) { try index.reverse(lat: point.0, lon: point.1) }
        }
    }

    @Test(arguments: [
        "\"", "\"Malbun", "Malbun*", "Malbun NEAR Steg", "NEAR(Malbun Steg, 2)", "Malbun AND", "OR", "NOT", "AND AND",
        "(Malbun", ")", "Mal'bun", "whole:Malbun", "words : malbun", "{whole words}: x", "-Malbun", "^Malbun",
        "Malbun + Steg", "a\0b", "\0", "😀", "👩‍👩‍👧", "", " ", "'; DROP TABLE place; --", "\\", "\u{202E}nublaM", "%", "_",
        "é\u{301}\u{301}", "\u{301}", "\u{10FFFF}", "ﷺ", "½", "²", "Ⅻ",
    ])
    func anyTextIsAQuery(_ text: String) throws {
        for near in [nil, (47.1, 9.5)] as [(lat: Double, lon: Double)?] { _ = try index.search(text, near: near) }
        if text.contains("Malbun") && !text.contains("'") {
            #expect(try index.search(text).contains { $0.name.contains("Malbun") }, "\(text)")
        }
    }

    @Test func longAndRandomTextsAreQueries() throws {
        for text in [
            String(repeating: "a", count: 10_000), String(repeating: "a ", count: 5_000),
            String(repeating: "\"", count: 10_000), String(repeating: "Malbun ", count: 1_500),
            String(repeating: "1 a ", count: 3_000), String(repeating: "\u{301}", count: 10_000),
        ] {
            _ = try index.search(text, near: (47.1, 9.5))
        }
        let seed = UInt64.random(in: .min ... .max)
        print("random queries, seed \(seed)")
        var random = SeededGenerator(seed: seed)
        for _ in 0..<2_000 {
            var text = String.UnicodeScalarView()
            for _ in 0..<Int.random(in: 1...20, using: &random) {
                let top: UInt32 = [0x7F, 0x250, 0x2FFF, 0x10FFFF].randomElement(using: &random) ?? 0
                if let scalar = Unicode.Scalar(UInt32.random(in: 0...top, using: &random)) { text.append(scalar) }
            }
            _ = try index.search(String(text), near: Bool.random(using: &random) ? (47.1, 9.5) : nil)
        }
    }

    @Test func threadsShareAnIndex() async throws {
        let index = try index
        try await withThrowingTaskGroup(of: String?.self) { group in
            for _ in 0..<20 { group.addTask { try index.search("Malbun").first?.name } }
            for try await name in group { #expect(name == "Malbun") }
        }
    }
}
