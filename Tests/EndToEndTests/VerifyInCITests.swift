import Foundation
import SnpackTestSupport
import Testing

/// What `verify` offers to CI: parts of a channel, early warning, reports.
struct VerifyInCITests {
    private var channel: String { VectorChannel.ok.path }
    private func key() throws -> String { try VectorChannel.key("factory_public") }

    @Test func sampleIsRepeatableAndFindsDamageInTheEnd() throws {
        try Workshop.open { shop in
            try shop.write("note.txt", SplitMix.sample(6 << 20))
            try shop.release("1.0.0")
            try shop.publish("1.0.0")
            let first = try shop.object("verify", "channel", "--factory-key", "keys/factory.pub", "--sample", "2")
            let seed = try #require(first["seed"] as? Int)
            #expect(first["ok"] as? Bool == true && first["depth"] as? String == "sampled")
            let again = try shop.verify("channel", "--sample", "2", "--seed", "\(seed)")
            #expect(again.standardOutput.contains("seed \(seed)") && !again.standardOutput.contains("verified"))
            // One byte of one chunk of six.
            let path = try #require(shop.files(below: "channel").keys.first { $0.hasSuffix("note.txt.tar.zst") })
            var bytes = try shop.read("channel/\(path)")
            bytes[bytes.count / 2] ^= 1
            try shop.remove("channel/\(path)")
            try shop.write("channel/\(path)", bytes)
            let statuses = try (0..<12).map { try shop.verify("channel", "--sample", "1", "--seed", "\($0)").status }
            #expect(Set(statuses) == [0, 3])
            #expect(try shop.verify("channel", "--sample", "100").status == 3)
        }
    }

    @Test func sinceLooksAtWhatIsNewAlone() throws {
        try Workshop.open { shop in
            try shop.release("1.0.0")
            try shop.publish("1.0.0")
            try shop.copy("channel/index.signed", to: "earlier.signed")
            try shop.write("note.txt", "another note")
            try shop.release("1.1.0")
            try shop.publish("1.1.0")
            // What is known is not looked at.
            try shop.remove("channel/territories/demo/1.0.0/manifest.json")
            #expect(try shop.verify("channel").status == 3)
            let since = try shop.verify("channel", "--since", "earlier.signed")
            #expect(since.status == 0 && since.standardOutput.contains("1 releases"), "\(since)")
            // An index that nobody signed is no reason to look away, and one of the future tells a rollback.
            try shop.write("forged.json", try shop.read("channel/index.json"))
            try shop.write("forged.json.sig", "AAAA")
            #expect(try shop.verify("channel", "--since", "forged.json").status == 3)
            try shop.copy("channel/index.signed", to: "later.signed")
            for (name, part) in [("index.signed", 0)] where part == 0 {
                try shop.remove("channel/\(name)")
                try shop.copy("earlier.signed", to: "channel/\(name)")
            }
            let older = try shop.verify("channel", "--since", "later.signed", "--shallow")
            #expect(older.status == 3 && older.standardError.contains("[index.older]"), "\(older)")
        }
    }

    @Test func expiryIsToldInTime() throws {
        try Workshop.open { shop in
            try shop.release("1.0.0")
            try shop.publish("1.0.0", "--valid-for", "2d")
            #expect(try shop.verify("channel", "--expires-within", "1d").status == 0)
            let soon = try shop.verify("channel", "--expires-within", "3d")
            #expect(soon.status == 3 && soon.standardError.contains("[index.expires-soon]"), "\(soon)")
        }
    }

    @Test func faultsBecomeAnnotationsInAWorkflow() throws {
        try Workshop.open { shop in
            try shop.release("1.0.0")
            try shop.publish("1.0.0")
            try shop.remove("channel/territories/demo/1.0.0/manifest.json")
            let words = ["verify", "channel", "--factory-key", "keys/factory.pub", "--json"]
            let result = try shop.run(words, environment: ["GITHUB_ACTIONS": "true"])
            #expect(result.status == 3)
            let lines = result.standardError.split(separator: "\n").filter { $0.hasPrefix("::error ") }
            #expect(lines.count == 1 && lines[0].hasPrefix("::error title=snpack package.file-missing::"), "\(result)")
            _ = try JSONSerialization.jsonObject(with: Data(result.output))
            #expect(try !shop.run(words).standardError.contains("::error"))
        }
    }

    /// The commands of the ready files, taken out of them by a YAML parser and run against a served channel.
    @Test(.enabled(if: ConfiguredServer.hasNginx, "needs nginx (Debian: nginx-light)"))
    func readyFilesForCIRun() throws {
        let script = """
            import sys, yaml
            root = sys.argv[1]
            github = yaml.safe_load(open(root + "/scripts/ci/github-verify-channel.yml"))
            steps = github["jobs"]["verify"]["steps"]
            gitlab = yaml.safe_load(open(root + "/scripts/ci/gitlab-verify-channel.yml"))
            print([s["run"] for s in steps if "run" in s][0].strip())
            print(gitlab["verify-channel"]["script"][0].strip())
            """
        let parsed = try SystemTool.run("/usr/bin/python3", ["-c", script, ProjectFiles.root.path])
        try #require(parsed.status == 0, "\(parsed)")
        let commands = parsed.standardOutput.split(separator: "\n").map(String.init)
        #expect(commands.count == 2)
        try PublishedSample.inCopy { journey in
            let server = try ConfiguredServer.nginx(root: journey.place("channel"))
            defer { server.stop() }
            let programs = URL(filePath: SnpackProcess.path).deletingLastPathComponent().path
            for command in commands {
                for (key, status) in [(journey.key + ".pub", Int32(0)), (try key(), Int32(3))] {
                    let result = try SystemTool.run(
                        "/bin/bash", ["-c", command], in: journey.directory,
                        environment: [
                            "PATH": "\(programs):/usr/bin:/bin", "FACTORY_KEY": key,
                            "CHANNEL_URL": "http://127.0.0.1:\(server.ports[0])",
                        ])
                    #expect(result.status == status, "\(result)")
                    #expect(FileManager.default.fileExists(atPath: journey.place("verify-channel.xml").path))
                }
            }
        }
    }
}
