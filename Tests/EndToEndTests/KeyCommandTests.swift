import Foundation
import SnpackTestSupport
import Testing

@Suite struct KeyCommandTests {
    private let openssl = FileManager.default.isExecutableFile(atPath: "/usr/bin/openssl")

    private func object(_ result: ToolResult) throws -> [String: Any] {
        try #require(JSONSerialization.jsonObject(with: Data(result.output)) as? [String: Any], "\(result)")
    }

    private func mode(_ url: URL) throws -> Int {
        try #require(FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? Int)
    }

    private func errorCode(_ result: ToolResult) throws -> String {
        try #require((object(result)["error"] as? [String: Any])?["code"] as? String)
    }

    @Test func writesAPairWithTheRightModesWhateverTheUmask() throws {
        for umask in ["000", "022", "077", "777"] {
            try ProjectFiles.inTemporaryDirectory { directory in
                let script =
                    "mkdir keys; umask \(umask); exec \"$0\" keygen --role factory --out keys/factory --no-passphrase --json"
                let result = try SystemTool.run("bash", ["-c", script, SnpackProcess.path], in: directory)
                #expect(result.status == 0, "\(result)")
                let keys = directory.appending(path: "keys")
                #expect(
                    try FileManager.default.contentsOfDirectory(atPath: keys.path).sorted() == [
                        "factory.key", "factory.pub",
                    ])
                #expect(try mode(keys.appending(path: "factory.key")) == 0o600)
                #expect(try mode(keys.appending(path: "factory.pub")) == 0o644)
                let json = try object(result)
                let text = try String(contentsOf: keys.appending(path: "factory.pub"), encoding: .utf8)
                #expect(text.wholeMatch(of: /[0-9a-f]{64}\n/) != nil)
                #expect("\(json["public_key"] ?? "")\n" == text)
                #expect(json["role"] as? String == "factory" && json["encrypted"] as? Bool == false)
            }
        }
    }

    @Test func neverWritesOverAKey() throws {
        try ProjectFiles.inTemporaryDirectory { directory in
            let words = ["keygen", "--role", "region", "--out", "r", "--no-passphrase"]
            #expect(try SnpackProcess.run(words, in: directory).status == 0)
            let before = try Data(contentsOf: directory.appending(path: "r.key"))
            let again = try SnpackProcess.run(words + ["--json"], in: directory)
            #expect(again.status == 5)
            #expect(try errorCode(again) == "file.exists")
            try FileManager.default.removeItem(at: directory.appending(path: "r.pub"))
            #expect(try SnpackProcess.run(words, in: directory).status == 5)
            #expect(try Data(contentsOf: directory.appending(path: "r.key")) == before)
            try FileManager.default.removeItem(at: directory.appending(path: "r.key"))
            try FileManager.default.createSymbolicLink(
                atPath: directory.appending(path: "r.key").path, withDestinationPath: "nowhere")
            #expect(try SnpackProcess.run(words, in: directory).status == 5)
            #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["r.key"])
        }
    }

    @Test func encryptsWithThePassphraseOfAFile() throws {
        try ProjectFiles.inTemporaryDirectory { directory in
            let (good, bad) = (directory.appending(path: "good"), directory.appending(path: "bad"))
            try Data("correct horse\nnot this".utf8).write(to: good)
            try Data("wrong horse\n".utf8).write(to: bad)
            for file in [good, bad] {
                try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
            }
            let made = try SnpackProcess.run(
                ["keygen", "--role", "factory", "--out", "f", "--passphrase-file", "good"], in: directory)
            #expect(made.status == 0 && made.standardError == "", "\(made)")
            let wrong = try SnpackProcess.run(
                ["key", "export", "f.key", "--pem", "--passphrase-file", "bad", "--json"], in: directory)
            #expect(try wrong.status == 2 && errorCode(wrong) == "key-file.passphrase-wrong")
            let right = try SnpackProcess.run(
                ["key", "export", "f.key", "--pem"], in: directory, environment: ["SNPACK_PASSPHRASE_FILE": good.path])
            #expect(right.status == 0 && right.standardOutput.hasPrefix("-----BEGIN PRIVATE KEY-----\n"), "\(right)")
            let piped = try SystemTool.run(
                "bash",
                ["-c", "\"$0\" key export f.key --passphrase-file <(printf 'correct horse')", SnpackProcess.path],
                in: directory)
            #expect(piped.output == right.output, "\(piped)")
        }
    }

    @Test func waitingForAPassphraseCanBeStopped() throws {
        try ProjectFiles.inTemporaryDirectory { directory in
            let script = """
                mkfifo pipe; "$0" keygen --role factory --out f --passphrase-file pipe & sleep 0.3; kill $!; wait $!
                """
            let result = try SystemTool.run("bash", ["-c", script, SnpackProcess.path], in: directory, seconds: 30)
            #expect(result.status == 143 && result.standardError.contains("[interrupted]"), "\(result)")
        }
    }

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/setsid"), "setsid is not installed"))
    func withoutATerminalAPassphraseMustComeFromAFile() throws {
        try ProjectFiles.inTemporaryDirectory { directory in
            let result = try SystemTool.run(
                "setsid", ["--wait", SnpackProcess.path, "keygen", "--role", "factory", "--out", "f", "--json"],
                in: directory)
            #expect(try result.status == 2 && errorCode(result) == "key-file.passphrase-needed")
            #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).isEmpty)
        }
    }

    @Test func aPassphraseFileThatOthersCanReadIsWarnedOf() throws {
        try ProjectFiles.inTemporaryDirectory { directory in
            let file = directory.appending(path: "p")
            try Data("secret".utf8).write(to: file)
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file.path)
            let words = ["keygen", "--role", "factory", "--passphrase-file", "p", "--out"]
            let told = try SnpackProcess.run(words + ["a"], in: directory)
            #expect(told.status == 0 && told.standardError.contains("snpack: warning: p: "), "\(told)")
            let json = try SnpackProcess.run(words + ["b", "--json"], in: directory)
            #expect(json.standardError == "")
            let warnings = try #require(object(json)["warnings"] as? [[String: Any]])
            #expect(warnings.first?["code"] as? String == "passphrase.file-exposed")
        }
    }

    @Test func showsWhatAKeyIsWithoutItsSecret() throws {
        let directory = ProjectFiles.root.appending(path: "keys-example")
        let shown = try object(SnpackProcess.run(["key", "show", "region.key", "--json"], in: directory))
        #expect(shown["role"] as? String == "region" && shown["example"] as? Bool == true)
        let published = try object(SnpackProcess.run(["key", "show", "region.pub", "--json"], in: directory))
        #expect(published["role"] is NSNull && published["key_id"] as? String == shown["key_id"] as? String)
        let lines = try SnpackProcess.run(["key", "show", "factory.key"], in: directory).standardOutput
        #expect(lines.hasPrefix("role        factory\nkey id      "))
        let seed = try #require(
            try String(contentsOf: directory.appending(path: "factory.key"), encoding: .utf8)
                .split(separator: "\n").first { $0.hasPrefix("seed: ") })
        #expect(!lines.contains(seed.dropFirst(6)))
    }

    @Test func aSecretKeyThatOthersCanReachIsRefused() throws {
        try ProjectFiles.inTemporaryDirectory { directory in
            _ = try SnpackProcess.run(["keygen", "--role", "factory", "--out", "f", "--no-passphrase"], in: directory)
            let path = directory.appending(path: "f.key").path
            try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
            let result = try SnpackProcess.run(["key", "export", "f.key", "--json"], in: directory)
            #expect(try result.status == 2 && errorCode(result) == "key-file.exposed")
            #expect(try SnpackProcess.run(["key", "show", "f.key"], in: directory).status == 0)
        }
    }

    @Test func aPairSurvivesTheWayThroughPEM() throws {
        try #require(openssl, "openssl is needed")
        try ProjectFiles.inTemporaryDirectory { directory in
            func snpack(_ words: String...) throws -> ToolResult {
                let result = try SnpackProcess.run(words, in: directory)
                #expect(result.status == 0, "\(words): \(result)")
                return result
            }
            _ = try snpack("keygen", "--role", "factory", "--out", "f", "--no-passphrase")
            _ = try snpack("key", "export", "f.key", "--pem", "--out", "f.pem")
            #expect(try mode(directory.appending(path: "f.pem")) == 0o600)
            let theirs = try SystemTool.run("openssl", ["pkey", "-in", "f.pem", "-pubout"], in: directory)
            #expect(try theirs.output == snpack("key", "export", "f.pub", "--pem").output)
            _ = try snpack("key", "import", "f.pem", "--role", "factory", "--out", "g", "--no-passphrase")
            #expect(
                try Data(contentsOf: directory.appending(path: "f.key"))
                    == Data(contentsOf: directory.appending(path: "g.key")))
            #expect(try SnpackProcess.run(["key", "export", "f.key", "--out", "f.pem"], in: directory).status == 5)

            _ = try SystemTool.run("openssl", ["genpkey", "-algorithm", "x25519", "-out", "x.pem"], in: directory)
            let other = try SnpackProcess.run(
                ["key", "import", "x.pem", "--role", "factory", "--out", "x", "--no-passphrase", "--json"],
                in: directory)
            #expect(try other.status == 2 && errorCode(other) == "pem.other-algorithm")
            #expect(!FileManager.default.fileExists(atPath: directory.appending(path: "x.key").path))
        }
    }

    /// Python's pty plays the person: it answers each prompt and keeps what the terminal showed.
    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3"), "python3 is not installed"))
    func asksOnTheTerminalAndShowsNothing() throws {
        let person = """
            import os, pty, signal, sys
            answers = sys.argv[1].split(","); command = sys.argv[2:]
            pid, terminal = pty.fork()
            if pid == 0: os.execv(command[0], command)
            shown, seen = b"", 0
            while True:
                try: data = os.read(terminal, 4096)
                except OSError: break
                if not data: break
                shown += data
                if shown[seen:].endswith(b": ") and answers:
                    seen = len(shown); answer = answers.pop(0)
                    if answer == "TERM": os.kill(pid, signal.SIGTERM)
                    else: os.write(terminal, b"\\x03" if answer == "^C" else answer.encode() + b"\\n")
            sys.stdout.buffer.write(shown)
            sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
            """
        try ProjectFiles.inTemporaryDirectory { directory in
            func ask(_ answers: String, _ words: String...) throws -> ToolResult {
                try SystemTool.run("python3", ["-c", person, answers, SnpackProcess.path] + words, in: directory)
            }
            let made = try ask("tr0ub4dor,tr0ub4dor", "keygen", "--role", "region", "--out", "r")
            #expect(made.status == 0, "\(made)")
            #expect(made.standardOutput.hasPrefix("New passphrase for r.key: "))
            #expect(!made.standardOutput.contains("tr0ub4dor"))
            #expect(try ask("tr0ub4dor", "key", "export", "r.key", "--out", "r.pem").status == 0)
            #expect(try ask("other", "key", "export", "r.key").status == 2)
            #expect(
                try ask("one,two", "keygen", "--role", "region", "--out", "s").standardOutput.contains(
                    "the two passphrases differ"))
            #expect(
                try ask(",x", "keygen", "--role", "region", "--out", "s").standardOutput.contains("passphrase-unfit"))
            let interrupted = try ask("^C", "keygen", "--role", "region", "--out", "s")
            #expect(interrupted.status == 130, "\(interrupted)")
            let terminated = try ask("TERM", "keygen", "--role", "region", "--out", "s")
            #expect(terminated.status == 143, "\(terminated)")
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted() == [
                    "r.key", "r.pem", "r.pub",
                ])
        }
    }
}
