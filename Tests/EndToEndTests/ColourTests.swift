import Foundation
import SnpackTestSupport
import Testing

/// Colour and bars are for terminals: `script` lends the program one.
@Suite(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/script"), "script(1) is not installed"))
struct ColourTests {
    private func onATerminal(_ arguments: String, _ environment: [String: String?] = [:]) throws -> String {
        var variables: [String: String?] = ["TERM": "xterm", "NO_COLOR": nil]
        variables.merge(environment) { $1 }
        return try SystemTool.run(
            "script", ["-qec", "'\(SnpackProcess.path)' \(arguments)", "/dev/null"], environment: variables
        ).standardOutput
    }

    @Test func errorsAreColouredOnATerminal() throws {
        #expect(try onATerminal("biuld").contains("\u{1b}[1;31merror:\u{1b}[0m"))
    }

    @Test func nobodyWhoDoesNotWantColourGetsIt() throws {
        #expect(!(try onATerminal("--no-color biuld")).contains("\u{1b}"))
        #expect(!(try onATerminal("biuld", ["NO_COLOR": "1"])).contains("\u{1b}"))
        #expect(!(try onATerminal("biuld", ["TERM": "dumb"])).contains("\u{1b}"))
        #expect(!(try onATerminal("--json biuld")).contains("\u{1b}"))
    }
}
