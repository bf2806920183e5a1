import Foundation
import SnpackTestSupport
import Testing

/// `scripts/publish-s3` by the real rclone, against an S3 server from PyPI (moto).
struct ObjectStoreTests {
    private static let packages = ProcessInfo.processInfo.environment["SNPACK_PYTHON_PACKAGES"] ?? ""
    private static let canRun =
        Programs.has("rclone") && FileManager.default.fileExists(atPath: packages + "/moto/server.py")

    @Test(.enabled(if: canRun, "needs rclone (Debian) and moto (scripts/python-packages)"))
    func uploadsInOrderWithWhatVerifyWants() throws {
        try ProjectFiles.inTemporaryDirectory { root in
            let log = root.appending(path: "log")
            try Data().write(to: log)
            let server = Process()
            server.executableURL = URL(filePath: "/usr/bin/env")
            server.arguments = ["python3", "-m", "moto.server", "-H", "127.0.0.1", "-p", "0"]
            server.environment = ProcessInfo.processInfo.environment.merging(
                ["PYTHONPATH": Self.packages, "PYTHONUNBUFFERED": "1"]) { $1 }
            server.standardError = try FileHandle(forWritingTo: log)
            server.standardOutput = FileHandle.nullDevice
            try server.run()
            defer {
                kill(server.processIdentifier, SIGKILL)
                server.waitUntilExit()
            }
            func lines() throws -> [Substring] { try String(contentsOf: log, encoding: .utf8).split(separator: "\n") }
            var base: String?
            let end = ContinuousClock.now + .seconds(30)
            while base == nil, ContinuousClock.now < end {
                Thread.sleep(forTimeInterval: 0.05)
                base = try lines().compactMap { line in
                    line.firstRange(of: "Running on ").map { String(line[$0.upperBound...].prefix { $0 != " " }) }
                }.first
            }
            let url = try #require(base, "moto did not start")
            let settings = [
                "TYPE": "s3", "PROVIDER": "Other", "ENDPOINT": url, "ACCESS_KEY_ID": "test",
                "SECRET_ACCESS_KEY": "test",
                "ACL": "public-read", "REGION": "us-east-1",
            ]
            var environment: [String: String?] = ["AWS_CA_BUNDLE": nil, "RCLONE_CONFIG": "/notfound"]
            for (name, value) in settings { environment["RCLONE_CONFIG_S3_" + name] = value }
            func run(_ words: String...) throws {
                let result = try SystemTool.run(words[0], Array(words.dropFirst()), environment: environment)
                try #require(result.status == 0, "\(result)")
            }
            try run("rclone", "mkdir", "s3:maps")
            let script = ProjectFiles.root.appending(path: "scripts/publish-s3").path
            let channel = root.appending(path: "channel")
            try FileManager.default.copyItem(at: VectorChannel.ok, to: channel)
            let catalogue = ["catalogue.json", "catalogue.geojson", "index.html"]
            for name in catalogue { try Data(name.utf8).write(to: channel.appending(path: name)) }
            try run(script, channel.path, "s3:maps/eu")
            let puts = try lines().compactMap { line -> String? in
                line.firstRange(of: "\"PUT /maps/eu/").map { String(line[$0.upperBound...].prefix { $0 != " " }) }
            }
            func stage(_ path: String) -> Int {
                if path.contains("/layers/") { return 0 }
                if path.hasPrefix("territories/") { return path.hasSuffix(".sig") ? 1 : 2 }
                let order = ["index.signed", "index.json.sig", "index.json"] + catalogue
                return 3 + (order.firstIndex(of: path) ?? 9)
            }
            #expect(puts.count == 18 && puts.map(stage) == puts.map(stage).sorted(), "\(puts)")
            // The server's own fault, and no other: it answers If-Range with a part, whatever the tag.
            let verified = try SnpackProcess.run(
                ["verify", url + "/maps/eu", "--factory-key", VectorChannel.key("factory_public"), "--json"])
            let object = try #require(JSONSerialization.jsonObject(with: Data(verified.output)) as? [String: Any])
            let faults = (object["faults"] as? [[String: Any]] ?? []).compactMap { $0["code"] as? String }
            #expect(faults.allSatisfy { $0 == "served.if-range-ignored" } && object["warnings"] == nil, "\(verified)")
        }
    }
}
