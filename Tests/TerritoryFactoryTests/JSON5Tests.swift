import Diagnostics
import Testing

@testable import TerritoryFactory
@testable import TerritoryModel

@Suite struct JSON5Tests {
    @Test(arguments: [
        ("{a: 1, $b_2: 2, 'c d': 3, \"e\": 4, Größe: 5}", #"{"a": 1, "$b_2": 2, "c d": 3, "e": 4, "Größe": 5}"#),
        ("{true: true, null: null, x: [false,],}", #"{"true": true, "null": null, "x": [false]}"#),
        ("// one\n{/* two * / \n */a/**/:/**/1//three\n}\n/* four */", #"{"a": 1}"#),
        (
            "{n: [+1, -2, .5, -.5, 5., 1.5e+3, 0x1F, -0Xff, 2E2, 5.e-1]}",
            #"{"n": [1, -2, 0.5, -0.5, 5, 1500, 31, -255, 200, 0.5]}"#
        ),
        (
            #"{t: ["it's", 'say "hi"', 'don\'t', "\v\0\x41\u00e9\q\a"]}"#,
            #"{"t": ["it's", "say \"hi\"", "don't", "\u000b\u0000Aéqa"]}"#
        ),
        (
            "{t: 'one \\\ntwo \\\r\nthree \\\u{2028}four', u: 'tab\there\u{2028}'}",
            "{\"t\": \"one two three four\", \"u\": \"tab\\there\u{2028}\"}"
        ),
        ("\u{FEFF}\u{A0}{\u{B}\u{C}}\r\n", "{}"),
        ("{t: '// no comment', u: '/* none */'}", #"{"t": "// no comment", "u": "/* none */"}"#),
    ])
    func readsWhatTheNotationAllows(_ row: (lax: String, strict: String)) throws {
        #expect(try JSON5.parse(Array(row.lax.utf8)) == StrictJSON.parse(Array(row.strict.utf8)))
    }

    @Test(arguments: [
        // This one ended the process in Foundation's reader.
        ("{bbox: [.5, -1000000000000000000000000000000000000000000000000000e-,0x12, 48]}", "line 1: expected a digit"),
        ("{\n a: 1e}", "line 2: expected a digit"), ("{a: e-}", "line 1: \"e\" is no value"),
        ("{a: 0x}", "hexadecimal"), ("{a: 0x10000000000000000}", "hexadecimal"), ("{a: 01}", "leading zero"),
        ("{a: .}", "without digits"), ("{a: +}", "without digits"), ("{a: --1}", "without digits"),
        ("{a: 1.2.3}", "expected a comma"), ("{a: 1x}", "\"x\" is no value"), ("{a: 1e999}", "no double holds"),
        ("{a: Infinity}", "\"Infinity\" is no value"), ("{a: -Infinity}", "infinities"), ("{a: NaN}", "NaN"),
        ("{a: 1, a: 2}", "\"a\" stands twice"), ("{a: 1, 'a': 2}", "\"a\" stands twice"),
        ("{a: 1,, b: 2}", "expected a key"), ("{,}", "expected a key"), ("{a: [,]}", "expected a value"),
        ("{a: [1,,]}", "expected a value"), ("{a: 1", "closing brace"), ("{a: 'x}", "does not end on its line"),
        ("{\n\na: 'x\n'}", "line 3: a text that does not end on its line"), ("{a: '\\", "does not end"),
        ("{a: 1 /* }", "a comment that does not end"), ("{a: 1 / 2}", "\"/\" has no meaning"), ("{a: 1} b", "no value"),
        ("{a: '\\x4'}", "two hexadecimal digits"), ("{a: '\\1'}", "an escape"), ("{a: '\\01'}", "an escape"),
        ("{a: '\\ud800'}", "surrogate"), ("{\\u0061: 1}", "has no meaning"), ("{[a]: 1}", "\"a\" is no value"),
        ("[]", "one object"), ("", "one object"), ("a", "no value"), ("'a': 1", "one object"),
        ("{a b: 1}", "no value"), ("{a}", "no value"), ("{1: 2}", "expected a key"),
        ("{a: " + String(repeating: "[", count: 100), "levels"),
    ])
    func refusesTheRestAndSaysWhere(_ row: (text: String, reason: String)) {
        do {
            _ = try JSON5.parse(Array(row.text.utf8))
            Issue.record("read \(row.text)")
        } catch {
            #expect(error.code == .jsonMalformed && error.message.contains(row.reason), "\(error.message)")
        }
    }

    @Test func bytesThatAreNotUTF8AreRefused() {
        #expect(throws: SnpackError.self) { try JSON5.parse(Array("{/* ".utf8) + [0xFF] + Array(" */}".utf8)) }
    }
}
