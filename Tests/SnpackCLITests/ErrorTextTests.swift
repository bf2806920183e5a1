import Diagnostics
import SnpackCLI
import TerritoryModel
import Testing

@Suite struct ErrorTextTests {
    private let fault = SnpackError(
        ErrorCode("layer.bad", .usage), "two faults", hint: "mend them", path: "a/b",
        details: [
            SnpackError(ErrorCode("tile.bad", .usage), "first"),
            SnpackError(ErrorCode("tile.worse", .usage), "second", path: "c"),
        ])

    @Test func jsonHasWhatTheErrorHas() {
        #expect(
            fault.json
                == [
                    "code": "layer.bad", "message": "two faults", "hint": "mend them", "path": "a/b",
                    "details": [
                        ["code": "tile.bad", "message": "first"],
                        ["code": "tile.worse", "message": "second", "path": "c"],
                    ],
                ])
    }

    @Test func everyErrorEndsWithAHint() {
        #expect(fault.withHint.hint == "mend them")
        let within = SnpackError(ErrorCode("a.b", .usage), "one", details: [fault])
        #expect(within.withHint.hint == "mend them")
        for status in [ExitStatus.other, .usage, .verification, .notFound, .conflict, .localIO, .network, .unsupported]
        {
            #expect(SnpackError(ErrorCode("a.b", status), "no more is known").withHint.hint?.isEmpty == false)
        }
    }

    @Test func jsonFromOutsideCannotSteerTheTerminal() throws {
        let value = JSONValue.object(["path": "a\u{9b}2Jb\u{202e}c\u{7f}\u{1b}\td", "name": "é東"])
        let shown = printable(json: value.canonicalBytes)
        #expect(String(decoding: shown, as: UTF8.self).contains(#"a\u009b2Jb\u202ec\u007f\u001b"#))
        #expect(try StrictJSON.parse(shown) == value)
        #expect(printable(json: Array("{\n  \"a\": 1\n}\n".utf8)) == Array("{\n  \"a\": 1\n}\n".utf8))
    }

    @Test func linesFromOutsideCannotSteerTheTerminal() {
        #expect(printable("a\u{1b}[2Jb\u{202e}c\rd\ne\tf") == "a\\u{1b}[2Jb\\u{202e}c\\u{d}d\\u{a}e\tf")
        #expect(printable("Zürich é 東京") == "Zürich é 東京")
    }
}
