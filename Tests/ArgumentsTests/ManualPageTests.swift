import Arguments
import Foundation
import SnpackTestSupport
import Testing

@Suite struct ManualPageTests {
    static let pages = SampleProgram.spec.paths.map { ManualPage($0) }

    private func check(_ tool: String, _ arguments: [String]) throws {
        for page in Self.pages {
            try ProjectFiles.inTemporaryDirectory { directory in
                try Data(page.text.utf8).write(to: directory.appending(path: page.fileName))
                let result = try SystemTool.run(tool, arguments + [page.fileName], in: directory)
                #expect(result.status == 0 && result.standardError == "", "\(page.fileName): \(result)")
            }
        }
    }

    @Test(.enabled(if: ShellCompletion.isInstalled("groff"), "groff is not installed"))
    func groffReadsThePages() throws { try check("groff", ["-man", "-Tutf8", "-ww", "-z"]) }

    @Test(.enabled(if: ShellCompletion.isInstalled("mandoc"), "mandoc is not installed"))
    func mandocFindsNoFault() throws { try check("mandoc", ["-T", "lint", "-W", "warning"]) }

    @Test(.enabled(if: ShellCompletion.isInstalled("man"), "man is not installed"))
    func manShowsTextAsItWasWritten() throws {
        let page = ManualPage(try CommandPath(SampleProgram.spec, naming: ["build"]))
        try ProjectFiles.inTemporaryDirectory { directory in
            try Data(page.text.utf8).write(to: directory.appending(path: page.fileName))
            let result = try SystemTool.run(
                "man", ["-l", page.fileName], in: directory, environment: ["MANWIDTH": "100", "LC_ALL": "C.UTF-8"])
            #expect(result.status == 0, "\(result)")
            for text in [
                "tool-build - build a territory", "It's .hidden\\here.", ".starts with a dot", "--factory-key K",
                "tool build 'my map.json' --version 1.0.0",
            ] {
                #expect(result.standardOutput.contains(text), "\(text) in \(result.standardOutput)")
            }
        }
    }

    @Test func everyCommandHasAPage() {
        #expect(Self.pages.map(\.fileName).contains("tool-key-show.1"))
        #expect(Set(Self.pages.map(\.fileName)).count == SampleProgram.spec.paths.count)
    }
}
