import Arguments
import Testing

@Suite struct HelpTextTests {
    @Test func saysEverythingAboutACommand() throws {
        let help = HelpText(try CommandPath(SampleProgram.spec, naming: ["build"])).text
        #expect(
            help == """
                Build a territory.

                Usage: tool build DEFINITION --version V [options]

                It's .hidden\\here.

                .starts with a dot

                Arguments:
                  DEFINITION                what to build

                Options:
                      --version V           the version it gets
                  -o, --out DIR             where to write
                      --role ROLE           whose key it is: factory, region
                      --factory-key K       a key to trust (repeatable)
                  -n, --no-cache            compute everything: again, [all] of it

                Everywhere:
                      --json                print one JSON object
                  -q, --quiet               say little
                  -j, --jobs N              how many threads to use
                  -h, --help                say how the command is used, and end

                Examples:
                  # build version 1.0.0
                  tool build 'my map.json' --version 1.0.0

                """)
    }

    @Test func listsTheCommandsUnderTheirHeadings() {
        let help = HelpText(CommandPath(SampleProgram.spec)).text
        #expect(help.contains("Work:\n  build                     build a territory\n  cut "))
        #expect(help.contains("-V, --version"))
        #expect(help.contains("tool COMMAND --help says more about a command."))
        #expect(help.split(separator: "\n").allSatisfy { $0.count <= 80 })
    }
}
