import Foundation
import SnpackTestSupport
import Testing

/// What `scripts/install` puts in place, used from there by the shells and by man.
@Suite struct InstallTests {
    /// The program, installed once for all tests of a run.
    private static let prefix: Result<URL, any Error> = Result {
        let home = try ProjectFiles.temporaryDirectory("snpack-install")
        atexit { if let home = try? InstallTests.prefix.get() { try? FileManager.default.removeItem(at: home) } }
        let result = try install(to: home)
        try #require(result.status == 0, "\(result)")
        return home
    }

    private static func install(
        _ words: String..., to prefix: URL, environment: [String: String] = [:]
    ) throws -> ToolResult {
        let variables = ["SNPACK_BINARY": SnpackProcess.path].merging(environment) { $1 }
        return try SystemTool.run(
            ProjectFiles.root.appending(path: "scripts/install").path, words + ["--prefix", prefix.path],
            environment: variables)
    }

    private static func files(below directory: URL) throws -> Set<String> {
        Set(
            try FileManager.default.subpathsOfDirectory(atPath: directory.path).filter {
                var isDirectory: ObjCBool = false
                let path = directory.appending(path: $0).path
                return FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) && !isDirectory.boolValue
            })
    }

    /// Runs `body` with the prefix and a directory to complete files in.
    private static func inDirectory(_ body: (_ prefix: URL, URL) throws -> Void) throws {
        let prefix = try prefix.get()
        try ProjectFiles.inTemporaryDirectory { directory in
            try Data().write(to: directory.appending(path: "notes.txt"))
            try FileManager.default.createDirectory(
                at: directory.appending(path: "maps"), withIntermediateDirectories: false)
            try body(prefix, directory)
        }
    }

    @Test func installsEverythingAndTakesExactlyThatAwayAgain() throws {
        try ProjectFiles.inTemporaryDirectory { root in
            let prefix = URL(filePath: "/opt/somewhere else")
            let destination = ["DESTDIR": root.path]
            let placed = root.appending(path: prefix.path)
            try FileManager.default.createDirectory(
                at: placed.appending(path: "share/man/man1"), withIntermediateDirectories: true)
            // Somebody's own, and a page that an older version had.
            try Data().write(to: placed.appending(path: "share/man/man1/snpack-of-mine.1"))
            let older = placed.appending(path: "share/man/man1/snpack-older.1")
            try Data().write(to: older)
            let record = placed.appending(path: "share/doc/snpack/installed-files")
            try FileManager.default.createDirectory(
                at: record.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data("share/man/man1/snpack-older.1\n".utf8).write(to: record)

            let result = try Self.install(to: prefix, environment: destination)
            #expect(result.status == 0 && result.standardError == "", "\(result)")
            let files = try Self.files(below: placed)
            #expect(
                files.isSuperset(of: [
                    "bin/snpack", "share/man/man1/snpack.1", "share/man/man1/snpack-store-sync.1",
                    "share/bash-completion/completions/snpack", "share/zsh/site-functions/_snpack",
                    "share/fish/vendor_completions.d/snpack.fish", "share/doc/snpack/examples/serve/nginx.conf",
                    "share/doc/snpack/examples/mirror-rsync", "share/man/man1/snpack-of-mine.1",
                ]), "\(files)")
            #expect(!files.contains("share/man/man1/snpack-older.1"))
            let pages = files.filter { $0.hasPrefix("share/man/man1/snpack") }
            #expect(pages.count == CommandLineTests.commands.count + 1)
            let program = placed.appending(path: "bin/snpack").path
            #expect(try SystemTool.run(program, ["--version"]).standardOutput.hasPrefix("snpack "))

            // Once more over itself, as an update does.
            #expect(try Self.install(to: prefix, environment: destination).status == 0)
            #expect(try Self.files(below: placed) == files)
            let removed = try Self.install("--uninstall", to: prefix, environment: destination)
            #expect(removed.status == 0, "\(removed)")
            #expect(try Self.files(below: placed) == ["share/man/man1/snpack-of-mine.1"])
            #expect(!FileManager.default.fileExists(atPath: placed.appending(path: "share/doc/snpack").path))
            #expect(try Self.install("--uninstall", to: prefix, environment: destination).status == 4)
        }
    }

    @Test func saysHowItIsUsedIfItIsUsedWrongly() throws {
        try ProjectFiles.inTemporaryDirectory { directory in
            let result = try Self.install("--nonsense", to: directory)
            #expect(result.status == 2 && result.standardError.contains("scripts/install --uninstall"), "\(result)")
            #expect(try Self.files(below: directory).isEmpty)
        }
    }

    // MARK: - Shells

    @Test(
        arguments: [
            (["snpack", "pub"], ["publish"]), (["snpack", "store", "re"], ["remove", "repair", "reverse"]),
            (["snpack", "completions", ""], ["bash", "fish", "zsh"]),
            (["snpack", "keygen", "--role", ""], ["factory", "region"]),
            (["snpack", "--json", "build", "no"], ["notes.txt"]),
            (["snpack", "publish", "x", "--channel", ""], ["maps"]),
            (["snpack", "store", "--root", "x", "style", "uk", "--theme", "="], ["dark", "light"]),
            (["snpack", "verify", "x", "--sh"], ["--shallow"]),
        ] as [([String], [String])])
    func bashCompletes(_ words: [String], _ offers: [String]) throws {
        try Self.inDirectory { prefix, directory in
            let script = prefix.appending(path: "share/bash-completion/completions/snpack").path
            let (found, result) = try ShellCompletion.bash(
                "source '\(script)'; [[ $(complete -p snpack) == 'complete -F _snpack snpack' ]]", function: "_snpack",
                words: words, in: directory)
            #expect(found == offers && result.status == 0 && result.standardError == "", "\(result)")
        }
    }

    /// zsh finds the file by its name on `fpath`, as after a login.
    @Test(
        .enabled(if: ShellCompletion.isInstalled("zsh"), "zsh is not installed"),
        arguments: [
            ("snpack pub", ["publish"]), ("snpack store re", ["remove", "repair", "reverse"]),
            ("snpack completions ", ["bash", "fish", "zsh"]), ("snpack keygen --role ", ["factory", "region"]),
            ("snpack --json build no", ["notes.txt"]), ("snpack publish x --channel ", ["maps"]),
            ("snpack store style uk --root x --theme ", ["dark", "light"]), ("snpack verify x --sh", ["--shallow"]),
        ] as [(String, Set<String>)])
    func zshCompletes(_ line: String, _ offers: Set<String>) throws {
        try Self.inDirectory { prefix, directory in
            let functions = prefix.appending(path: "share/zsh/site-functions")
            let (found, result) = try ShellCompletion.zsh(
                "fpath=($directory $fpath); compinit -D -u", at: functions, line: line, in: directory)
            #expect(found == offers && result.status == 0, "\(found): \(result)")
        }
    }

    /// fish finds the file by its name below `XDG_DATA_DIRS`, if the program is on `PATH`.
    @Test(
        .enabled(if: ShellCompletion.isInstalled("fish"), "fish is not installed"),
        arguments: [
            ("snpack pub", ["publish"]), ("snpack store re", ["remove", "repair", "reverse"]),
            ("snpack completions ", ["bash", "fish", "zsh"]), ("snpack keygen --role ", ["factory", "region"]),
            ("snpack --json build no", ["notes.txt"]), ("snpack publish x --channel ", ["maps/"]),
            ("snpack store --root x style uk --theme ", ["dark", "light"]), ("snpack verify x --sh", ["--shallow"]),
        ] as [(String, [String])])
    func fishCompletes(_ line: String, _ offers: [String]) throws {
        try Self.inDirectory { prefix, directory in
            let (found, result) = try ShellCompletion.fish(
                "true", at: prefix, line: line, in: directory,
                environment: [
                    "XDG_DATA_DIRS": prefix.appending(path: "share").path,
                    "PATH": "\(prefix.path)/bin:/usr/bin:/bin",
                ])
            #expect(found == offers && result.status == 0 && result.standardError == "", "\(result)")
        }
    }

    // MARK: - Manual pages

    @Test(.enabled(if: ShellCompletion.isInstalled("man"), "man is not installed"), arguments: ["", "-store-sync"])
    func manFindsThePages(_ suffix: String) throws {
        let pages = try Self.prefix.get().appending(path: "share/man").path
        let result = try SystemTool.run(
            "man", ["-M", pages, "snpack" + suffix], environment: ["LC_ALL": "C.UTF-8", "MANPAGER": "cat"])
        #expect(result.status == 0 && result.standardError == "", "\(result)")
        #expect(result.standardOutput.contains(try Regex("NAME\n +snpack\(suffix) +- ")), "\(result)")
        // What holds for every command stands on the program's page alone.
        for title in ["EXIT STATUS", "ENVIRONMENT", "FILES"] {
            #expect(result.standardOutput.contains("\n\(title)\n") == suffix.isEmpty, "\(title)")
        }
    }

    @Test(.enabled(if: ShellCompletion.isInstalled("mandoc"), "mandoc is not installed"))
    func mandocFindsNoFaultInThePages() throws {
        let directory = try Self.prefix.get().appending(path: "share/man/man1")
        let pages = try Self.files(below: directory).sorted()
        #expect(pages.count == CommandLineTests.commands.count)
        let result = try SystemTool.run("mandoc", ["-T", "lint", "-W", "warning"] + pages, in: directory)
        #expect(result.status == 0 && result.output.isEmpty && result.standardError == "", "\(result)")
        // Text stays on the page; what can be copied is one line, as long as it is.
        let text = try SystemTool.run("mandoc", ["-T", "utf8", "-O", "width=80"] + pages, in: directory)
            .standardOutput.replacing(/.\x08/, with: "")
        let wide = text.split(separator: "\n").filter { $0.count > 80 && !$0.hasPrefix("           snpack ") }
        #expect(wide == [] && text.contains("snpack-store-sync"))
    }
}
