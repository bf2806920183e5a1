import Foundation
import SnpackTestSupport
import Testing

/// What holds for every command, asked of the built program.
@Suite struct CommandLineTests {
    /// Every command line that help can be asked for, the program itself first.
    static let commands: [[String]] = {
        guard let text = try? SnpackProcess.run(["manual"]).standardOutput else { return [[]] }
        return [[]] + subcommands(of: [], in: text)
    }()

    /// Follows the pages' lists of commands down.
    private static func subcommands(of path: [String], in page: String) -> [[String]] {
        let lines = page.split(separator: "\n")
        guard let seeAlso = lines.firstIndex(of: ".SH SEE ALSO") else { return [] }
        let name = (["snpack"] + path).joined(separator: "\\-") + "\\-"
        return lines[seeAlso...].flatMap { line -> [[String]] in
            guard line.hasPrefix("\\fB" + name), let end = line.firstRange(of: "\\fR")?.lowerBound else { return [] }
            let below = path + [String(line[..<end].dropFirst(3 + name.count))]
            let page = (try? SnpackProcess.run(["manual"] + below).standardOutput) ?? ""
            return [below] + subcommands(of: below, in: page)
        }
    }

    private func object(_ result: ToolResult) throws -> [String: Any] {
        try #require(JSONSerialization.jsonObject(with: Data(result.output)) as? [String: Any], "\(result)")
    }

    @Test func saysItsVersion() throws {
        let result = try SnpackProcess.run(["--version"])
        #expect(result.status == 0 && result.standardError == "")
        #expect(result.standardOutput.wholeMatch(of: /snpack [0-9]+\.[0-9]+\.[0-9]+\n/) != nil)
        let json = try object(SnpackProcess.run(["--version", "--json"]))
        #expect("snpack \(json["version"] ?? "")\n" == result.standardOutput)
    }

    @Test func helpListsTheCommandsOnStdout() throws {
        let result = try SnpackProcess.run(["--help"])
        #expect(result.status == 0 && result.standardError == "")
        #expect(result.standardOutput.contains("Usage: snpack COMMAND"))
        #expect(try SnpackProcess.run(["help"]).output == result.output)
        #expect(try SnpackProcess.run(["-h"]).output == result.output)
    }

    @Test func everyCommandHasHelpWithAnExampleAndAPage() throws {
        #expect(Self.commands.count > 3)
        for command in Self.commands {
            let help = try SnpackProcess.run(command + ["--help"])
            #expect(help.status == 0 && help.standardError == "", "\(command): \(help)")
            let prose = help.standardOutput.split(separator: "\n").filter { !$0.hasPrefix("  snpack ") }
            #expect(prose.allSatisfy { $0.count <= 80 }, "\(command): \(help)")
            #expect(try SnpackProcess.run(["help"] + command).output == help.output)
            let isFamily =
                help.standardOutput.contains(" COMMAND [options]") || help.standardOutput.contains("\nCommands:")
            #expect(isFamily || help.standardOutput.contains("Examples:"), "\(command)")
            let page = try SnpackProcess.run(["manual"] + command)
            #expect(page.status == 0 && page.standardOutput.hasPrefix(".TH SNPACK"), "\(command): \(page)")
        }
    }

    @Test(arguments: [
        ["biuld"], ["--jsno"], ["completions"], ["completions", "tcsh"], ["--jobs", "0", "manual"],
        ["help", "nothing"], ["--version=1"],
    ])
    func aWrongLineIsUsageAndLeavesStdoutEmpty(_ words: [String]) throws {
        let result = try SnpackProcess.run(words)
        #expect(result.status == 2 && result.output.isEmpty)
        #expect(result.standardError.hasPrefix("snpack: error: "), "\(result)")
        #expect(result.standardError.contains("\nhint: "))
        #expect(!result.standardError.contains("\u{1b}"))

        let json = try SnpackProcess.run(["--json"] + words)
        #expect(json.status == 2 && json.standardError == "")
        let error = try #require(object(json)["error"] as? [String: Any])
        #expect((error["code"] as? String)?.hasPrefix("usage.") == true)
        #expect(error["message"] is String && error["hint"] is String)
    }

    @Test func withoutACommandTheHelpGoesToStderr() throws {
        let result = try SnpackProcess.run([])
        #expect(result.status == 2 && result.output.isEmpty)
        #expect(result.standardError.contains("Usage: snpack COMMAND"))
        let error = try #require(object(SnpackProcess.run(["--json"]))["error"] as? [String: Any])
        #expect(error["code"] as? String == "usage.missing-command")
    }

    @Test func everyWordOfALineIsCheckedBeforeAnythingRuns() throws {
        let result = try SnpackProcess.run(["manual", "--out", "/nowhere/at/all", "--nonsense"])
        #expect(result.status == 2)
    }

    private static let key = ProjectFiles.root.appending(path: "keys-example/factory").path

    /// Every command that reads something, told to read what is not there.
    private static let missingInputs: [[String]] =
        [
            ["build", "nowhere.json", "--version", "1.0.0"],
            ["sign", "nowhere", "--key", key + ".key"],
            ["sign", "nowhere.key", "--key", "nowhere.key"],
            [
                "publish", "nowhere", "--channel", "c", "--key", key + ".key", "--allow-example-keys", "--valid-for",
                "30d",
            ],
            ["verify", "nowhere", "--factory-key", key + ".pub"],
            ["verify", ".", "--factory-key", "nowhere.pub"],
            ["pack", "nowhere", "-o", "x.snpkg"],
            ["unpack", "nowhere", "-o", "x", "--factory-key", key + ".pub"],
            ["inspect", "nowhere"],
            ["geocode", "build", "nowhere", "-o", "x"],
            ["pmtiles", "convert", "nowhere", "x.pmtiles"],
            ["valhalla", "unpack", "nowhere", "x"],
            [
                "cut", "nowhere", "--factory-key", key + ".pub", "--bbox", "9,47,10,48", "--name", "x", "--out", "x",
            ],
            ["list", "nowhere"],
            ["diff", "nowhere", "elsewhere"],
            ["key", "show", "nowhere"],
            ["key", "export", "nowhere"],
            ["key", "import", "nowhere", "--role", "factory", "--out", "k", "--no-passphrase"],
            ["keygen", "--role", "factory", "--out", "k", "--passphrase-file", "nowhere"],
        ] + missingInputsOfStores + missingChannels

    private static let missingChannels: [[String]] = {
        let rest = ["--channel", "nowhere", "--key", key + ".key", "--allow-example-keys"]
        let kept = [
            ["yank", "uk@1.0.0", "--reason", "x"], ["unyank", "uk@1.0.0"], ["latest", "uk@1.0.0"], ["refresh"],
            ["republish", "uk@1.0.0", "--as", "1.1.0"], ["prune", "--keep", "1"],
            ["resign", "--out", "x", "--factory-key", key + ".pub"],
        ]
        return kept.map { $0 + rest } + [["mirror", "nowhere", "x", "--factory-key", key + ".pub"]]
    }()

    private static let missingInputsOfStores: [[String]] = {
        let (root, trusted) = (["--root", "nowhere"], ["--factory-key", key + ".pub"])
        let verbs = [
            ["activate", "uk"], ["path", "uk", "pmtiles"], ["style", "uk"], ["search", "uk", "x"],
            ["reverse", "uk", "47,9"], ["verify", "uk"], ["repair", "uk"], ["rollback", "uk"], ["remove", "uk"],
        ]
        let sources = [["install", "nowhere", "uk"], ["sync", "nowhere", "uk"], ["check", "nowhere", "uk"]]
        let alone = ["list", "active", "cache"]
        return verbs.map { ["store"] + $0 + root + trusted }
            + sources.map { ["store"] + $0 + ["--root", "s"] + trusted }
            + alone.map { ["store", $0, "--root", "s", "--factory-key", "nowhere.pub"] }
    }()

    @Test("Case 19: a missing input is not found, and stdout stays empty or pure JSON", arguments: missingInputs)
    func case019_missingInput(_ words: [String]) throws {
        try ProjectFiles.inTemporaryDirectory { directory in
            let result = try SnpackProcess.run(words, in: directory)
            #expect(result.status == 4 && result.output.isEmpty, "\(result)")
            #expect(result.standardError.contains("nowhere"), "\(result)")
            let json = try SnpackProcess.run(words + ["--json"], in: directory)
            #expect(json.status == 4 && json.standardError == "", "\(json)")
            #expect(try object(json)["error"] is [String: Any])
            #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).isEmpty)
        }
    }

    @Test func everyCommandThatReadsIsAskedForAMissingInput() {
        let shell = [
            [], ["key"], ["store"], ["geocode"], ["pmtiles"], ["valhalla"], ["completions"], ["manual"], ["help"],
        ]
        let untested = Self.commands.filter { command in
            !shell.contains(command) && !Self.missingInputs.contains { $0.starts(with: command) }
        }
        #expect(untested.isEmpty)
    }

    @Test("Case 117: stdout closed or full never traps")
    func case117_closedStdout() throws {
        let program = SnpackProcess.path
        func shell(_ script: String) throws -> ToolResult { try SystemTool.run("bash", ["-c", script, program]) }
        let gone = try shell("\"$0\" completions bash | head -0; echo ${PIPESTATUS[0]}")
        #expect(gone.standardOutput == "0\n" && gone.standardError == "")
        let closed = try shell("\"$0\" completions bash >&-; echo $?")
        #expect(closed.standardOutput == "0\n" && closed.standardError == "")
        let all = try shell("\"$0\" biuld <&- >&- 2>&-; exit $?")
        #expect(all.status == 2)
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "there is no /dev/full"))
    func aResultThatCannotBeWrittenIsAnError() throws {
        let result = try SystemTool.run("bash", ["-c", "\"$0\" --version >/dev/full", SnpackProcess.path])
        #expect(result.status == 6)
        #expect(result.standardError.contains("No space left on device"))
    }

    @Test func argumentsThatAreNotUTF8AreRefused() throws {
        let result = try SystemTool.run("bash", ["-c", "\"$0\" help $'\\xff'", SnpackProcess.path])
        #expect(result.status == 2)
        #expect(result.standardError.contains("[usage.not-utf8]"))
    }

    @Test func aNameFromOutsideCannotMoveTheCursor() throws {
        let result = try SnpackProcess.run(["help", "a\u{1b}[2Jb"])
        #expect(!result.standardError.contains("\u{1b}") && result.standardError.contains("\\u{1b}"))
    }

    @Test func writesAllManualPages() throws {
        try ProjectFiles.inTemporaryDirectory { directory in
            let result = try SnpackProcess.run(["manual", "--out", "man/man1", "--json"], in: directory)
            #expect(result.status == 0, "\(result)")
            let files = try #require(object(result)["files"] as? [String])
            #expect(files.count == Self.commands.count)
            for file in files {
                #expect(FileManager.default.fileExists(atPath: directory.appending(path: file).path), "\(file)")
            }
        }
    }
}
