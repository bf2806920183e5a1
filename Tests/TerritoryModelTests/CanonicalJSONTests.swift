import Foundation
import SnpackTestSupport
import TerritoryModel
import Testing

@Suite struct CanonicalJSONTests {
    @Test func writesTheVectorsBytes() throws {
        let url = ProjectFiles.vectors.appending(path: "writer.json")
        // The strict reader wants an object, so the array is put into one.
        let text = "{\"rows\":" + (try String(contentsOf: url, encoding: .utf8)) + "}"
        let rows = try #require(try StrictJSON.parse(Array(text.utf8)).objectValue?["rows"]?.arrayValue)
        #expect(rows.count == 5)
        for row in rows {
            let value = try #require(row.objectValue?["value"])
            let expected = try #require(Data(base64Encoded: row.objectValue?["bytes"]?.stringValue ?? "?"))
            #expect(value.canonicalBytes == [UInt8](expected), "\(row.objectValue?["name"]?.stringValue ?? "")")
            #expect(try StrictJSON.parse(value.canonicalBytes) == value)
        }
    }

    @Test(
        "Case 93: one double, one text",
        arguments: [
            (139.745438, "139.745438"), (35.658581, "35.658581"), (139.7455, "139.7455"), (35.66, "35.66"),
            (68.32, "68.32"), (129.9, "129.9"), (13.0, "13"), (-0.0, "0"), (1e-7, "0.0000001"), (13.4, "13.4"),
            (-1.5e-9, "-0.0000000015"), (0.0001, "0.0001"), (0.00001, "0.00001"), (1e21, "1000000000000000000000"),
            (1e23, "99999999999999991611392"), (-1e22, "-10000000000000000000000"), (1e15 + 0.5, "1000000000000000.5"),
            (7.4000000000000004, "7.4"), (9007199254740993.0, "9007199254740992"),
        ])
    func case093(_ value: Double, _ text: String) throws {
        let number = try #require(JSONNumber(value))
        #expect(number.canonicalText == text)
        #expect(number.double == value)
    }

    @Test("Case 93: 13.4, 13.40 and 1.34e1 are one number")
    func case093Notations() throws {
        let object = try #require(try StrictJSON.parse(Array(#"{"a":13.4,"b":13.40,"c":1.34e1}"#.utf8)).objectValue)
        #expect(object["a"] == object["b"] && object["b"] == object["c"])
        #expect(Set(object.members.map(\.value)).count == 1)
        #expect(object["c"]?.numberValue?.canonicalText == "13.4")
    }

    @Test func writesExtremeDoublesInFull() throws {
        let least = try #require(JSONNumber(Double.leastNonzeroMagnitude))
        #expect(least.literal.count == 326 && least.literal.hasSuffix("0005"))
        #expect(least.double == Double.leastNonzeroMagnitude)
        let greatest = try #require(JSONNumber(Double.greatestFiniteMagnitude))
        #expect(
            greatest.literal.count == 309 && greatest.literal.hasPrefix("17976931348623157081452742373170435679807"))
        #expect(JSONNumber(Double.nan) == nil && JSONNumber(Double.infinity) == nil)
    }

    @Test func keepsIntegersOfAnyLength() throws {
        let value = try StrictJSON.parse(Array(#"{"a":18446744073709551617}"#.utf8))
        #expect(String(decoding: value.canonicalBytes, as: UTF8.self) == "{\n  \"a\": 18446744073709551617\n}\n")
    }

    @Test func randomDoublesReadBackAlike() throws {
        let seed = UInt64.random(in: 0 ... .max)
        print("seed of randomDoublesReadBackAlike: \(seed)")
        var random = SplitMix(seed: seed)
        for _ in 0..<5_000 {
            let value = Double(bitPattern: random.next())
            guard value.isFinite else { continue }
            let number = try #require(JSONNumber(value))
            #expect(number.double == value && !number.literal.contains("e"))
        }
    }

    @Test func objectsKeepOneValueForEachKey() {
        var object: JSONObject = ["b": 1, "a": 2, "b": 3]
        #expect(object.members.map(\.key) == ["a", "b"] && object["b"] == 3)
        object["a"] = nil
        object["c"] = nil
        object["B"] = true
        #expect(object == ["B": true, "b": 3])
        #expect(object["a"] == Optional<JSONValue>.none)
    }
}
