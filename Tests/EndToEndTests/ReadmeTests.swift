import Foundation
import SnpackTestSupport
import Testing

/// README.md, taken at its word: its console blocks are run from top to bottom in one directory.
@Suite struct ReadmeTests {
    private static let text =
        (try? String(contentsOf: ProjectFiles.root.appending(path: "README.md"), encoding: .utf8)) ?? ""

    /// A command of a console block, and what the page shows below it.
    private struct Step {
        var command: String
        var shown: [String]
    }

    private static let blocks: [[Step]] = text.matches(of: /```console\n([^`]*)```/).map { block in
        block.output.1.split(separator: "\n").reduce(into: []) { steps, line in
            if line.hasPrefix("$ ") {
                steps.append(Step(command: String(line.dropFirst(2)), shown: []))
            } else if !steps.isEmpty {
                steps[steps.count - 1].shown.append(String(line))
            }
        }
    }

    /// What differs from run to run, or with the version of libzstd, is left out of the comparison.
    private func shape(_ text: some StringProtocol) -> [String] {
        String(text).replacing(/[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}Z/, with: "TIME")
            .replacing(/\b([0-9a-f]{64}|[0-9a-f]{16})\b/, with: "HEX")
            .replacing(/[0-9]+(\.[0-9]+)? ([kMG]?B)\b/, with: "SIZE").replacing(/[ ]+/, with: " ")
            .split(separator: "\n").map(String.init)
    }

    private struct Shell {
        let journey: Journey
        /// Addresses and places of the page, and what stands for them here.
        var places: [(page: String, here: String)]

        func run(_ command: String) throws -> (status: Int32, output: String, error: String) {
            let line = places.reduce(command) { $0.replacing($1.page, with: $1.here) }
            let result = try SystemTool.run(
                "bash", ["--norc", "-euo", "pipefail", "-c", "PATH=$PWD/bin:$PATH; \(line)"], in: journey.directory,
                environment: [
                    "HOME": nil, "XDG_CACHE_HOME": nil, "GITHUB_ACTIONS": nil, "LC_ALL": "C.UTF-8",
                    "SNPACK_PASSPHRASE_FILE": journey.place("word").path,
                ])
            func onPage(_ text: String) -> String { places.reduce(text) { $0.replacing($1.here, with: $1.page) } }
            return (result.status, onPage(result.standardOutput), onPage(result.standardError))
        }
    }

    @Test(.enabled(if: ConfiguredServer.hasNginx, "needs nginx (Debian: nginx-light)"))
    func consoleBlocksDoWhatThePageShows() throws {
        try ProjectFiles.inTemporaryDirectory { directory in
            let journey = Journey(at: directory)
            for name in ["bin", "channel", "altered"] {
                try FileManager.default.createDirectory(at: journey.place(name), withIntermediateDirectories: false)
            }
            try FileManager.default.createSymbolicLink(
                at: journey.place("bin/snpack"), withDestinationURL: URL(filePath: SnpackProcess.path))
            for name in ["manifests", "Tests", "scripts"] {
                try FileManager.default.createSymbolicLink(
                    at: journey.place(name), withDestinationURL: ProjectFiles.root.appending(path: name))
            }
            try Data("a good passphrase\n".utf8).write(to: journey.place("word"))
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: journey.place("word").path)
            let server = try ConfiguredServer.nginx(root: journey.place("channel"))
            defer { server.stop() }
            let altered = try ConfiguredServer.nginx(root: journey.place("altered"))
            defer { altered.stop() }

            var shell = Shell(
                journey: journey, places: [("http://127.0.0.1:8080", "http://127.0.0.1:\(server.ports[0])")])
            for block in Self.blocks {
                if block.contains(where: { $0.command.contains("1.1.0") }) {
                    // That section is about a channel with a second version.
                    shell.places += [
                        ("https://maps.example.org", "http://127.0.0.1:\(server.ports[0])"), ("/media/usb", "usb"),
                    ]
                    for words in [
                        "build manifests/liechtenstein.json --version 1.1.0",
                        "sign build/liechtenstein/1.1.0 --key keys/factory.key",
                        "publish build/liechtenstein/1.1.0 --channel channel --key keys/factory.key",
                    ] {
                        let result = try shell.run("snpack \(words)")
                        #expect(result.status == 0, "\(result)")
                    }
                }
                if block.contains(where: { $0.shown.contains { $0.contains("[served.line-ends]") } }) {
                    shell.places[1] = ("https://maps.example.org", "http://127.0.0.1:\(altered.ports[0])")
                    let made = try shell.run("cp -r channel/. altered; sed -i 's/$/\\r/' altered/index.json")
                    #expect(made.status == 0, "\(made)")
                }
                for step in block { try check(step, in: shell) }
            }
        }
    }

    private func check(_ step: Step, in shell: Shell) throws {
        let result = try shell.run(step.command)
        let shown = shape(step.shown.joined(separator: "\n"))
        if shown.contains(where: { $0.hasPrefix("snpack: fault: ") }) {
            #expect(result.status == 3, "\(step.command): \(result)")
            #expect(shape(result.error).starts(with: shown), "\(step.command): \(result)")
        } else {
            #expect(result.status == 0, "\(step.command): \(result)")
            if !shown.isEmpty { #expect(shape(result.output) == shown, "\(step.command)") }
        }
    }

    @Test func everyCommandIsInTheTableAndNoOther() {
        let table = Self.text.split(separator: "\n").drop { $0 != "## What the commands do" }
            .prefix { !$0.hasPrefix("## ") || $0 == "## What the commands do" }.filter { $0.hasPrefix("| `") }
        let named = table.flatMap { row in
            row.dropFirst(2).prefix { $0 != "|" }.matches(of: /`([^`]*)`/).map { String($0.output.1) }
        }
        let told = Set(named.map { $0.replacing(" …", with: "") })
        let all = CommandLineTests.commands.filter { !$0.isEmpty }
        let families = Set(all.filter { $0.count > 1 }.map { $0[0] })
        let commands = Set(
            all.filter { $0.count == 1 ? !families.contains($0[0]) : $0[0] != "store" }.map {
                $0.joined(separator: " ")
            })
        #expect(told == commands.union(["store"]))
    }

    @Test func everyLinkLeadsSomewhere() throws {
        let links = Self.text.matches(of: /\]\(([^)#:]+)\)/).map { String($0.output.1) }
        #expect(links.count > 5)
        for link in links {
            #expect(FileManager.default.fileExists(atPath: ProjectFiles.root.appending(path: link).path), "\(link)")
        }
        let anchors = Self.text.matches(of: /\]\(#([^)]+)\)/).map { String($0.output.1) }
        let headings = Self.text.split(separator: "\n").filter { $0.hasPrefix("#") }.map {
            $0.drop { $0 == "#" || $0 == " " }.lowercased().replacing(/[^a-z0-9 -]/, with: "").replacing(" ", with: "-")
        }
        #expect(Set(anchors).isSubset(of: headings))
    }

    /// The page's one line for a layer by hand gives the address that the page shows for it.
    @Test func theLayerByHandHasTheAddressShown() throws {
        let line = try #require(Self.text.matches(of: /\n(cd valhalla && .*b3sum)\n/).first?.output.1)
        let address = try #require(Self.text.firstMatch(of: /valhalla-tiles +([0-9a-f]{16})/)?.output.1)
        let result = try SystemTool.run(
            "bash", ["-euo", "pipefail", "-c", String(line)], in: ProjectFiles.sample.appending(path: "v1"))
        #expect(result.status == 0 && result.standardOutput.hasPrefix(address), "\(result)")
    }
}
