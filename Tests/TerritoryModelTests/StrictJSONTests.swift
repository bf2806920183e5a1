import Diagnostics
import Foundation
import SnpackTestSupport
import TerritoryModel
import Testing

@Suite struct StrictJSONTests {
    private func parse(_ text: String) throws(SnpackError) -> JSONValue { try StrictJSON.parse(Array(text.utf8)) }

    @Test func readsWhatTheVectorsAccept() throws {
        for encoded in try VectorFile("json.json").value("accept", as: [String].self) {
            let bytes = [UInt8](try #require(Data(base64Encoded: encoded)))
            #expect(accepts { _ = try StrictJSON.parse(bytes) }, "\(encoded)")
        }
    }

    @Test func refusesWhatTheVectorsRefuse() throws {
        for row in try VectorFile("json.json").value("reject", as: [[String: String]].self) {
            let bytes = [UInt8](try #require(Data(base64Encoded: row["bytes"] ?? "?")))
            let error = try fault { _ = try StrictJSON.parse(bytes) }
            #expect(error.code.name == "json.malformed", "\(row)")
            #expect(error.code.exitStatus == .verification)
        }
    }

    @Test func tellsIntegersAsTheVectorsDo() throws {
        let vectors = try VectorFile("json.json")
        for text in try vectors.value("integers", "accept_as_integer", as: [String].self) {
            #expect(try parse(#"{"a":\#(text)}"#).objectValue?["a"]?.numberValue?.unsignedInteger == UInt64(text))
        }
        for text in try vectors.value("integers", "reject_as_integer", as: [String].self) {
            #expect(try parse(#"{"a":\#(text)}"#).objectValue?["a"]?.numberValue?.unsignedInteger == nil, "\(text)")
        }
    }

    @Test(
        "Case 91: what is not JSON is refused",
        arguments: [
            #"{"a":[1,]}"#, #"{"a":1,}"#, "\u{FEFF}{}", #"{"size":1e999}"#, #"{"a":tru}"#, #"{"a":truefalse}"#,
            #"{"a":.5}"#, #"{"a":5.}"#, #"{"a":1e}"#, #"{"a":-}"#, #"{"a":"\x"}"#, #"{"a":"\u12g4"}"#, #"{a:1}"#,
            #"{"a" 1}"#, #"{"a":1 "b":2}"#, #"{"a":"\ud800\u0041"}"#, #"{"a":"\udc00"}"#, #"{"a":"\ud800\ud800"}"#,
            #"{"a":"#, #"{"a"#, "{", "[1]", "1", #""a""#, "{}{}", "{} x", "{,}", #"{"a":[}"#, #"{"a":[1}"#, #"{"a":1]"#,
            "{\"a\":\u{A0}1}", #"{"a":Infinity}"#, #"{"a":0x10}"#, "{\"a\":\"\n\"}", #"{"a":1}//"#, #"{"a":"\u{41}"}"#,
        ])
    func case091(_ text: String) throws {
        #expect(try fault { _ = try parse(text) }.code.name == "json.malformed")
    }

    @Test("Case 91: 1.0 and 1e3 are numbers, but no integers")
    func case091Integers() throws {
        let object = try #require(try parse(#"{"a":1.0,"b":1e3,"c":-7}"#).objectValue)
        #expect(object["a"]?.numberValue?.double == 1 && object["a"]?.numberValue?.integer == nil)
        #expect(object["b"]?.numberValue?.double == 1_000 && object["b"]?.numberValue?.unsignedInteger == nil)
        #expect(object["c"]?.numberValue?.integer == -7 && object["c"]?.numberValue?.unsignedInteger == nil)
    }

    @Test("Case 91: 600 nested arrays, and millions, are refused at once")
    func case091Nesting() throws {
        for depth in [600, 5_000_000] {
            let bytes = Array(#"{"a":"#.utf8) + [UInt8](repeating: UInt8(ascii: "["), count: depth)
            let error = try fault { _ = try StrictJSON.parse(bytes) }
            #expect(error.message.contains("more than 32 levels"))
        }
    }

    @Test(
        arguments: [
            [0xC0, 0xAF], [0xE0, 0x80, 0xAF], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80],
            [0x80],
            [0xC3], [0xE2, 0x82], [0xFE],
        ] as [[UInt8]])
    func refusesInvalidUTF8(_ bytes: [UInt8]) throws {
        let document = Array(#"{"a":"é"#.utf8) + bytes + Array(#""}"#.utf8)
        #expect(try fault { _ = try StrictJSON.parse(document) }.message.contains("UTF-8"))
        let key = Array(#"{""#.utf8) + bytes + Array(#"\n":1}"#.utf8)
        #expect(try fault { _ = try StrictJSON.parse(key) }.message.contains("UTF-8"))
    }

    @Test func unescapesTexts() throws {
        let object = try parse(#"{"a":"x\"\\\/\b\f\n\r\t\u00e9\ud83d\uddfa\u0000y"}"#).objectValue
        #expect(object?["a"] == .string("x\"\\/\u{8}\u{C}\n\r\té🗺\0y"))
    }

    @Test func keepsNormalFormsApart() throws {
        let object = try #require(try parse("{\"\u{E9}\":1,\"e\u{301}\":2}").objectValue)
        #expect(object.count == 2)
        #expect(object["\u{E9}"] == 1 && object["e\u{301}"] == 2)
        #expect(JSONValue.string("\u{E9}") != JSONValue.string("e\u{301}"))
    }

    @Test func saysWhereTheFaultIs() throws {
        let error = try fault { _ = try parse("{\n  \"a\": 1,\n  \"b\": nul\n}") }
        #expect(error.message.contains("byte 19, line 3"), "\(error)")
    }

    @Test func namesTheKeyThatStandsTwice() throws {
        let error = try fault { _ = try parse(#"{"z":1,"a":{"b":1,"c":2,"\u0062":3}}"#) }
        #expect(error.message.contains(#""b" stands twice"#) && error.message.contains("byte 11"), "\(error)")
    }

    @Test func depthLimitIsTheCallersToChoose() throws {
        #expect(accepts { _ = try StrictJSON.parse(Array(#"{"a":[]}"#.utf8), depthLimit: 2) })
        #expect(!accepts { _ = try StrictJSON.parse(Array(#"{"a":[]}"#.utf8), depthLimit: 1) })
        #expect(!accepts { _ = try StrictJSON.parse(Array(#"{}"#.utf8), depthLimit: 0) })
    }

    @Test func takesTimeThatGrowsWithTheLength() throws {
        // Quadratic behaviour in any of these would take minutes; a second or two is what a debug build needs.
        let count = 200_000
        let shapes = [
            "{\"a\":[" + String(repeating: "0,", count: count) + "0]}",
            "{\"a\":\"" + String(repeating: "\\n", count: count) + "\"}",
            "{" + (0..<count).reversed().map { "\"k\($0)\":0" }.joined(separator: ",") + "}",
            "{\"a\":" + String(repeating: " ", count: count) + "0}",
        ]
        let clock = ContinuousClock()
        for shape in shapes {
            let bytes = Array(shape.utf8)
            let elapsed = try clock.measure { _ = try StrictJSON.parse(bytes) }
            #expect(elapsed < .seconds(20), "\(shape.prefix(20))")
        }
    }
}
