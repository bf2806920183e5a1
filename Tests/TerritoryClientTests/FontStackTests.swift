import Foundation
import SnpackTestSupport
import TerritoryClient
import TerritoryModel
import Testing

@Suite struct FontStackTests {
    private func served(_ fonts: [String], _ textFont: JSONValue) throws -> JSONValue? {
        try ProjectFiles.inTemporaryDirectory { directory in
            for font in fonts {
                try FileManager.default.createDirectory(
                    at: directory.appending(path: font), withIntermediateDirectories: true)
            }
            let layers: JSONValue = [.object(["id": "names", "layout": .object(["text-font": textFont])])]
            let result = FontStacks(directory: directory.path).served(in: layers)
            return result.arrayValue?.first?.objectValue?["layout"]?.objectValue?["text-font"]
        }
    }

    @Test func stackThatIsThereStays() throws {
        #expect(try served(["A,B", "A", "B"], ["A", "B"]) == ["A", "B"])
    }

    @Test func stackOfSingleFontsBecomesItsFirstThatIsThere() throws {
        #expect(try served(["A", "B"], ["A", "B"]) == ["A"])
        #expect(try served(["B"], ["A", "B"]) == ["B"])
        #expect(try served(["C"], ["A", "B"]) == ["A", "B"], "nothing better is there")
    }

    @Test func stacksWithinExpressionsAreServedToo() throws {
        let font: JSONValue = ["step", ["zoom"], ["literal", ["A", "B"]], 10, ["literal", ["B"]]]
        #expect(try served(["A", "B"], font) == ["step", ["zoom"], ["literal", ["A"]], 10, ["literal", ["B"]]])
        #expect(try served(["A"], ["get", "font"]) == ["get", "font"])
    }
}
