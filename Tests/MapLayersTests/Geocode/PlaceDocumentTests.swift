import Diagnostics
import DurableFiles
import Foundation
import MapLayers
import SnpackTestSupport
import Testing

@Suite struct PlaceDocumentTests {
    static let whole = """
        {"id":"a","kind":"poi","name":"Café","housenumber":"","street":null,"locality":"Schaan","region":"Oberland",\
        "postcode":"9494","country_code":"LI","lat":47.12345678,"lon":-9.5,"categories":["amenity:cafe"],\
        "importance":0.25,"population":7}
        """

    @Test func readsEveryField() throws {
        let place = try PlaceDocument(decoding: Array(Self.whole.utf8))
        #expect(place.id == "a" && place.kind == .poi && place.name == "Café" && place.countryCode == "LI")
        #expect(place.housenumber == nil && place.street == nil)
        #expect(place.locality == "Schaan" && place.region == "Oberland" && place.postcode == "9494")
        #expect(place.position.latE7 == 471_234_568 && place.position.lonE7 == -95_000_000)
        #expect(place.categories == ["amenity:cafe"] && place.importance == 0.25)
    }

    @Test(arguments: [
        ("\"id\":\"a\"", "\"id\":\"\"", "no id"), ("\"id\":\"a\",", "", "no id"), ("\"a\"", "7", "id is not a text"),
        ("\"poi\"", "\"planet\"", "planet"), ("\"Café\"", "\"\"", "no name"), ("\"Café\"", "\"a\\u0007\"", "control"),
        ("\"Café\"", "\"a\\u2028b\"", "control"), ("\"Schaan\"", "\"a\\nb\"", "control"),
        ("\"LI\"", "\"li\"", "country_code"), ("\"LI\"", "\"LIE\"", "country_code"), ("\"LI\"", "null", "country_code"),
        ("47.12345678", "90.1", "Earth"), ("47.12345678", "null", "lat and lon"), ("-9.5", "-180.5", "Earth"),
        ("-9.5", "\"9\"", "lon is not a number"), ("-9.5", "1e999", "JSON"), ("0.25", "1.5", "importance"),
        ("0.25", "-0.1", "importance"), ("[\"amenity:cafe\"]", "\"cafe\"", "categories"),
        ("[\"amenity:cafe\"]", "[1]", "category"), ("[\"amenity:cafe\"]", "[\"\"]", "category"),
        ("\"lon\"", "\"lat\"", "lat"), ("}", "", "JSON"), ("{", "[{", "JSON"),
    ])
    func saysWhatIsWrong(_ part: String, _ other: String, _ reason: String) throws {
        let line = Self.whole.replacingOccurrences(of: part, with: other)
        #expect(line != Self.whole)
        let error = #expect(throws: SnpackError.self) { try PlaceDocument(decoding: Array(line.utf8)) }
        #expect(error?.code == .geocodePlaceInvalid)
        #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
    }

    @Test func textsAreBounded() throws {
        for (part, count) in [("\"Café\"", 1_025), ("\"a\"", 257), ("\"Schaan\"", 513), ("\"amenity:cafe\"", 129)] {
            let long = "\"\(String(repeating: "x", count: count))\""
            let line = Self.whole.replacingOccurrences(of: part, with: long)
            #expect(throws: SnpackError.self) { try PlaceDocument(decoding: Array(line.utf8)) }
        }
    }

    @Test func everyBadLineIsToldWithItsNumber() throws {
        let good = Self.whole.replacingOccurrences(of: "\n", with: "")
        func other(_ id: String) -> String { good.replacingOccurrences(of: "\"a\"", with: "\"\(id)\"") }
        let long = "{\"id\":\"\(String(repeating: "x", count: 70_000))\"}"
        let text = [good, "", "nonsense", other("b") + "\r", long, "[]", other("c"), good].joined(separator: "\n")
        var lines: [Int] = []
        var faults = FaultList()
        try PlaceLines.forEach(
            in: MemoryFile(Array(text.utf8)), named: "p.ndjson", context: WorkContext(), faults: &faults
        ) { _, line in lines.append(line) }
        #expect(lines == [1, 4, 7, 8])
        #expect(faults.faults.compactMap { $0.message.split(separator: ":").first } == ["line 3", "line 5", "line 6"])
        #expect(faults.faults.allSatisfy { $0.path == "p.ndjson" && $0.code == .geocodePlaceInvalid })
    }

    @Test func linesAcrossChunksAreWhole() throws {
        let padding = String(repeating: "y", count: 400)
        let lines = (0..<9_000).map {
            "{\"id\":\"\($0)\",\"kind\":\"poi\",\"name\":\"\(padding)\",\"country_code\":\"LI\",\"lat\":1,\"lon\":2}"
        }
        var ids: [String] = []
        var faults = FaultList()
        try PlaceLines.forEach(
            in: MemoryFile(Array(lines.joined(separator: "\n").utf8)), named: "p", context: WorkContext(),
            faults: &faults
        ) { document, _ in ids.append(document.id) }
        #expect(faults.isEmpty && ids == (0..<9_000).map(String.init))
    }
}
