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

    @Test func linesFromOutsideCannotSteerTheTerminal() {
        #expect(printable("a\u{1b}[2Jb\u{202e}c\rd\ne\tf") == "a\\u{1b}[2Jb\\u{202e}c\\u{d}d\\u{a}e\tf")
        #expect(printable("Zürich é 東京") == "Zürich é 東京")
    }
}
