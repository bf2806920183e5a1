import Arguments
import Diagnostics
import Testing

@Suite struct ParserTests {
    @Test(arguments: [
        ["build", "d.json", "--version", "1.0.0"], ["build", "--version=1.0.0", "d.json"],
        ["--json", "build", "--version", "1.0.0", "d.json"], ["build", "--version", "1.0.0", "--", "d.json"],
        ["--jobs", "4", "build", "--version", "1.0.0", "-j4", "d.json"].filter { $0 != "-j4" },
    ])
    func optionsStandAnywhere(_ words: [String]) throws {
        guard case .run(let arguments) = try ArgumentParser.parse(words, by: SampleProgram.spec) else {
            Issue.record("does not run")
            return
        }
        #expect(arguments.path.words == ["build"])
        #expect(arguments.value("version") == "1.0.0")
        #expect(arguments.required("DEFINITION") == "d.json")
        #expect(arguments.positional(0) == "d.json")
        #expect(arguments.positional(1) == nil)
        #expect(arguments.flag("json") == words.contains("--json"))
    }

    @Test func valuesMayHoldEqualsSignsAndBeEmpty() throws {
        #expect(try parsed("cut", "--area=a=b").value("area") == "a=b")
        #expect(try parsed("cut", "--bbox=").value("bbox") == "")
        #expect(try parsed("cut", "--area=--x").value("area") == "--x")
    }

    @Test func noPathIsEmpty() {
        for words in [["cut", "--area="], ["cut", "--area", ""], ["build", "d", "--version=1", "--out", ""]] {
            let error = #expect(throws: SnpackError.self) {
                try ArgumentParser.parse(words, by: SampleProgram.spec)
            }
            #expect(error?.code == .usageInvalidValue && error?.message.contains("empty path") == true, "\(words)")
        }
    }

    @Test func repeatableOptionsKeepTheirOrder() throws {
        let arguments = try parsed("build", "d", "--version=1", "--factory-key", "a", "--factory-key=b")
        #expect(arguments.values("factory-key") == ["a", "b"])
    }

    @Test func shortLettersShareAHyphenAndTakeTheRest() throws {
        let arguments = try parsed("build", "d", "--version=1", "-nqo", "out")
        #expect(arguments.flag("no-cache") && arguments.flag("quiet"))
        #expect(arguments.value("out") == "out")
        #expect(try parsed("build", "d", "--version=1", "-oout").value("out") == "out")
    }

    @Test func afterTwoHyphensEverythingIsAnArgument() throws {
        let arguments = try parsed("join", "--", "--target", "--json", "--")
        #expect(arguments.required("TARGET") == "--target")
        #expect(arguments.values("PART") == ["--json", "--"])
        #expect(!arguments.flag("json"))
    }

    @Test func negativeNumbersAreValues() throws {
        let box = try parsed("cut", "--bbox", "-10,35,4,44").box("bbox")
        #expect(box == (try parsed("cut", "--bbox=-10,35,4,44").box("bbox")))
        #expect(box?.west == -10 && box?.north == 44)
        let place = try parsed("store", "reverse", "australia", "-33.9,151.2", "--root", "s").coordinate("LAT,LON")
        #expect(place?.latitude == -33.9 && place?.longitude == 151.2)
        #expect(try parsed("cut", "--bbox", "-.5,0,1,1").value("bbox") == "-.5,0,1,1")
        #expect(try parsed("join", "-").required("TARGET") == "-")
    }

    @Test func familyOptionsStandAroundTheVerb() throws {
        #expect(try parsed("store", "--root", "s", "list").required("root") == "s")
        #expect(try parsed("store", "list", "--root", "s").required("root") == "s")
        #expect(refusal("store", "list")?.code == .usageMissingOption)
    }

    @Test(
        arguments: [
            (["biuld"], "usage.unknown-command", "did you mean build?"),
            (["key", "shwo", "f"], "usage.unknown-command", "did you mean show?"),
            (["frobnicate"], "usage.unknown-command", "tool --help lists the commands"),
            (["buil", "d", "--version", "1"], "usage.unknown-command", "did you mean build?"),
            (["build", "d", "--facotry-key", "k"], "usage.unknown-option", "did you mean --factory-key?"),
            (["build", "d", "--factory", "k"], "usage.unknown-option", "did you mean --factory-key?"),
            (["build", "d", "--zzzzzz"], "usage.unknown-option", "tool build --help lists them"),
            (["build", "d", "-x"], "usage.unknown-option", "tool build --help lists them"),
            (
                ["--out", "x", "build"], "usage.unknown-option",
                "options of a command stand after its name; tool --help lists them"
            ),
            (["build", "d", "--version"], "usage.missing-value", nil),
            (["build", "d", "--version", "--json"], "usage.missing-value", nil),
            (["build", "d", "--version", "1", "-o"], "usage.missing-value", nil),
            (["build", "d", "--no-cache=yes"], "usage.unexpected-value", "write --no-cache alone"),
            (["build", "d", "--version", "1", "--version", "2"], "usage.repeated-option", nil),
            (
                ["build", "--version", "1"], "usage.missing-argument",
                "usage: tool build DEFINITION --version V [options]"
            ),
            (["build", "d", "e", "--version", "1"], "usage.extra-argument", nil),
            (["build", "d"], "usage.missing-option", nil),
            (
                ["build", "d", "--version", "1", "--role", "regoin"], "usage.invalid-value",
                "did you mean region? Known are factory, region"
            ),
            (
                ["store", "style", "drak", "--root", "s"], "usage.invalid-value",
                "did you mean dark? Known are light, dark"
            ),
            (["cut"], "usage.missing-option", "usage: tool cut (--bbox W,S,E,N | --area FILE) [options]"),
            (["cut", "--bbox", "1", "--area", "a"], "usage.conflicting-options", nil),
            (["cut", "--bbox", "1", "--stage"], "usage.missing-option", nil),
        ] as [([String], String, String?)])
    func refusesWithUsageStatus(_ words: [String], _ code: String, _ hint: String?) {
        do throws(SnpackError) {
            let invocation = try ArgumentParser.parse(words, by: SampleProgram.spec)
            Issue.record("gives \(invocation)")
        } catch {
            #expect(error.code.name == code)
            #expect(error.code.exitStatus == .usage)
            if let hint { #expect(error.hint == hint) }
            #expect(!error.message.contains("\n"))
        }
    }

    @Test func outsideTextIsQuoted() {
        #expect(refusal("bui\u{1b}[2Jld")?.message.contains("\u{1b}") == false)
        #expect(refusal("build", "--\u{202e}x")?.message.contains("\u{202e}") == false)
    }

    @Test func helpWinsOverEveryMistake() throws {
        for words in [
            ["build", "--help"], ["build", "--nonsense", "-h"], ["--help", "build"], ["build", "a", "b", "-h"],
        ] {
            guard case .help(let path) = try ArgumentParser.parse(words, by: SampleProgram.spec) else {
                Issue.record("no help for \(words)")
                continue
            }
            #expect(path.words == ["build"])
        }
        #expect(refusal("build", "d", "--nonsense", "--", "--help")?.code == .usageUnknownOption)
    }

    @Test func versionIsTheProgramsBeforeACommandAndTheCommandsAfter() throws {
        guard case .version = try ArgumentParser.parse(["--version"], by: SampleProgram.spec) else {
            Issue.record("no version")
            return
        }
        #expect(try parsed("build", "d", "--version", "2").value("version") == "2")
        #expect(refusal("cut", "--version")?.code == .usageUnknownOption)
    }

    @Test func linesThatNameNoCommandAreIncomplete() throws {
        for (words, path) in [([], []), (["--json"], []), (["key"], ["key"])] as [([String], [String])] {
            guard case .incomplete(let found) = try ArgumentParser.parse(words, by: SampleProgram.spec) else {
                Issue.record("\(words) is complete")
                continue
            }
            #expect(found.words == path)
        }
    }

    @Test func hugeAndOddWordsNeverTrap() {
        for word in ["-", "--", "---", "--=", "-=", "--=x", "-é", "", "\u{0}", String(repeating: "x", count: 100_000)] {
            _ = refusal(word)
            _ = refusal("build", word)
            _ = refusal("build", "--version", word)
            _ = refusal("cut", "--bbox=" + word)
        }
    }
}
