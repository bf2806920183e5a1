import Diagnostics
import Foundation
import Hashing
import SnpackTestSupport
import TerritoryClient
import TerritoryModel
import Testing
import Transfer

/// A server that lies about one document at a time, behind the real HTTP client: each lie has the outcome that is written
/// here, 1.0.0 stays as it was where 1.1.0 does not come whole, and the server is not asked without end.
@Suite struct HostileServerTests {
    /// What is lied about, in the order in which a client asks for it.
    enum Target: String, CaseIterable, Sendable { case index, manifest, signature, blob }

    struct Lie: CustomTestStringConvertible, Sendable {
        let testDescription: String
        /// The outcome for each target: `updated` or the code of an error.
        let expected: [String]
        let answer: @Sendable (_ request: ScriptedRequest, _ file: [UInt8]) -> ScriptedResponse

        init(
            _ name: String, _ expected: [String],
            _ answer: @escaping @Sendable (_ request: ScriptedRequest, _ file: [UInt8]) -> ScriptedResponse
        ) {
            (testDescription, self.expected, self.answer) = (name, expected, answer)
        }
    }

    private static func all(_ outcome: String) -> [String] { [outcome, outcome, outcome, outcome] }

    static let lies: [Lie] = [
        // Status
        Lie("204 and nothing", all("transfer.status-unexpected")) { _, _ in .status(204) },
        Lie("304 though nobody has it", all("transfer.status-unexpected")) { _, _ in .status(304) },
        Lie("401", all("transfer.unauthorized")) { _, _ in .status(401) },
        Lie("402 with a page of text", all("transfer.allowance-used-up")) { _, _ in .status(402, "pay") },
        Lie("403", all("transfer.forbidden")) { _, _ in .status(403) },
        Lie(
            "404 with a page that looks whole",
            ["updated", "package.file-missing", "package.file-missing", "package.file-missing"]
        ) { _, file in
            var response = ScriptedResponse.ok(file)
            response.status = 404
            return response
        },
        Lie("410", ["updated", "package.file-missing", "package.file-missing", "package.file-missing"]) { _, _ in
            .status(410)
        },
        Lie("418", all("transfer.status-unexpected")) { _, _ in .status(418) },
        Lie("429 for ever", all("transfer.too-many-requests")) { _, _ in .status(429).header("Retry-After", "1") },
        Lie("500 for ever", all("transfer.server-failed")) { _, _ in .status(500) },
        Lie("503 until the end of time", all("transfer.server-failed")) { _, _ in
            .status(503).header("Retry-After", "9999999999999")
        },
        Lie("206 that nobody asked for", all("transfer.range-unasked")) { _, file in
            var response = ScriptedResponse.ok(file).header("Content-Range", "bytes 0-9/\(file.count)")
            response.status = 206
            return response
        },
        Lie("status 999", all("transfer.status-unexpected")) { _, file in
            .raw("HTTP/1.1 999 Odd\r\nContent-Length: 0\r\n\r\n")
        },
        Lie("no HTTP at all", all("transfer.answer-malformed")) { _, file in .raw("SSH-2.0-OpenSSH_9.2\r\n") },
        // Bodies
        Lie(
            "HTML with 200",
            ["transfer.html-page", "transfer.html-page", "transfer.html-page", "transfer.length-differs"]
        ) { _, _ in .ok("<html>log in</html>").header("Content-Type", "text/html") },
        Lie(
            "HTML that calls itself JSON",
            ["transfer.html-page", "transfer.html-page", "transfer.html-page", "transfer.length-differs"]
        ) { _, _ in
            .ok("\n <!doctype html>").header("Content-Type", "application/json")
        },
        Lie(
            "an empty body",
            ["index.signed-malformed", "manifest.mismatch", "signature.malformed", "transfer.length-differs"]
        ) { _, _ in .ok("") },
        Lie(
            "zeros of the right length",
            ["index.signed-malformed", "manifest.mismatch", "signature.malformed", "blob.mismatch"]
        ) { _, file in .ok([UInt8](repeating: 0, count: file.count)) },
        Lie(
            "the last byte missing",
            ["signature.not-trusted", "manifest.mismatch", "signature.malformed", "transfer.length-differs"]
        ) { _, file in .ok(Array(file.dropLast())) },
        Lie("a byte too many", ["signature.not-trusted", "manifest.mismatch", "updated", "transfer.length-differs"]) {
            _, file in .ok(file + [0x20])
        },
        Lie(
            "one byte changed",
            ["signature.not-trusted", "manifest.mismatch", "signature.not-trusted", "blob.mismatch"]
        ) { _, file in
            // Of a signature, one digit into another: what is no digit would be malformed.
            var file = file
            file[file.count / 2] = file[file.count / 2] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
            return .ok(file)
        },
        Lie(
            "the body twice",
            ["signature.not-trusted", "manifest.mismatch", "signature.malformed", "transfer.length-differs"]
        ) { _, file in .ok(file + file) },
        Lie("without end", all("transfer.too-large")) { _, file in
            .parts([.bytes(file), .endless([UInt8](repeating: 0x20, count: 1 << 16))], framing: .chunked)
        },
        // Framing
        Lie(
            "a Content-Length that is too long",
            ["transfer.body-short", "transfer.body-short", "transfer.body-short", "transfer.length-differs"]
        ) { _, file in
            .parts([.bytes(file), .hangUp], framing: .declared(["\(file.count + 100)"]))
        },
        Lie(
            "a Content-Length that is too short",
            ["signature.not-trusted", "manifest.mismatch", "signature.malformed", "transfer.length-differs"]
        ) { _, file in
            ScriptedResponse.parts([.bytes(file)], framing: .declared(["\(file.count / 2)"])).closing()
        },
        Lie("two Content-Lengths", all("transfer.answer-malformed")) { _, file in
            .parts([.bytes(file), .hangUp], framing: .declared(["\(file.count)", "\(file.count + 1)"]))
        },
        Lie(
            "nine petabytes announced",
            ["transfer.too-large", "transfer.too-large", "transfer.too-large", "transfer.length-differs"]
        ) { _, file in
            .parts([.bytes(file), .hangUp], framing: .declared(["9000000000000000"]))
        },
        Lie("no length told, closed at the end", all("updated")) { _, file in
            ScriptedResponse.ok(file).framed(.untilClose)
        },
        Lie("chunked", all("updated")) { _, file in ScriptedResponse.ok(file).framed(.chunked) },
        Lie(
            "a reset in the middle, every time",
            ["transfer.connection-lost", "transfer.connection-lost", "transfer.connection-lost", "transfer.body-short"]
        ) { _, file in
            .parts([.bytes(Array(file.prefix(file.count / 2))), .reset], framing: .declared(["\(file.count)"]))
        },
        Lie("hung up before a byte", all("transfer.connection-lost")) { _, _ in .hangUp },
        // Headers
        Lie("gzip announced, plain sent", all("transfer.answer-malformed")) { _, file in
            ScriptedResponse.ok(file).header("Content-Encoding", "gzip")
        },
        Lie("an encoding that nobody has", all("transfer.encoded")) { _, file in
            ScriptedResponse.ok(file).header("Content-Encoding", "br")
        },
        Lie("a head of 100 KB", all("transfer.head-too-large")) { _, file in
            (0..<100).reduce(ScriptedResponse.ok(file)) { $0.header("X-\($1)", String(repeating: "x", count: 1_000)) }
        },
        Lie("a header of 1 MB", all("transfer.head-too-large")) { _, file in
            ScriptedResponse.ok(file).header("X", String(repeating: "x", count: 1 << 20))
        },
        Lie("300 headers", all("transfer.head-too-large")) { _, file in
            (0..<300).reduce(ScriptedResponse.ok(file)) { $0.header("X-\($1)", "y") }
        },
        // Redirects
        Lie("a redirect to itself", all("transfer.redirect-loop")) { request, _ in .redirect(request.path) },
        Lie("a redirect to a file", all("transfer.redirect-refused")) { _, _ in .redirect("file:///etc/passwd") },
        Lie("a redirect to nowhere", all("transfer.connect-failed")) { _, _ in .redirect("http://127.0.0.1:1/x") },
        Lie("a redirect with no place", all("transfer.status-unexpected")) { _, _ in .status(302) },
        // Time
        Lie("half a second late", all("updated")) { _, file in ScriptedResponse.ok(file).after(.milliseconds(500)) },
    ]

    /// What comes of it, in a word.
    private func outcome(_ lie: Lie, about target: Target) async throws -> String {
        try await ProjectFiles.inTemporaryDirectory { home in
            var scene = try Scene(home: home)
            let releases = try ["1.0.0", "1.1.0"].enumerated().map { number, version in
                let bytes = SimulatedLayer.noise(3_000, seed: UInt64(number))
                return try scene.release(
                    version,
                    layers: [
                        SimulatedLayer("pmtiles", path: "map.pmtiles", isTree: false, files: [("map.pmtiles", bytes)])
                    ])
            }
            try scene.channel.publish([releases[0]], scene.facts, signer: scene.secret.factory)
            _ = try await scene.store().install(scene.territory(), from: scene.channel)
            scene.facts.sequence += 1
            try scene.channel.publish(releases, scene.facts, signer: scene.secret.factory)
            let release = releases[1]
            let paths: [Target: String] = [
                .index: "index.signed", .manifest: release.name.manifestPath,
                .signature: release.name.manifestPath + ".sig", .blob: release.blobPath("pmtiles"),
            ]
            let (channel, victim) = (scene.channel, paths[target])
            let server = try ScriptedServer { request in
                let path = String(request.path.drop { $0 == "/" })
                guard let file = channel[path] else { return .notFound }
                return path == victim ? lie.answer(request, file) : .file(file, for: request)
            }
            defer { server.stop() }
            var (pace, retry) = (HTTPClient.Pace(), RetryPolicy())
            pace.patience = .seconds(5)
            retry.retries = 2
            retry.sleep = { (_, cancel) throws(SnpackError) in try cancel.check() }
            let client = HTTPClient(version: "0-test", pace: pace, retry: retry)
            let transport = HTTPTransport(try ChannelURL(parsing: server.url("/")), client: client)
            let (store, id) = (try scene.store(), try scene.territory())
            var (word, version) = ("updated", "1.1.0")
            do throws(SnpackError) {
                guard case .updated = try await store.sync(id, from: transport).outcome else { return "not updated" }
            } catch { (word, version) = (error.code.name, "1.0.0") }
            #expect(try await scene.unsoundness(expecting: version) == [], "\(lie.testDescription), \(target)")
            #expect(server.requests.count <= 40, "\(lie.testDescription), \(target): \(server.requests.count) requests")
            // An index may have 16 MiB, and is asked for three times.
            #expect(server.sentByteCount < 80 << 20, "\(lie.testDescription), \(target)")
            return word
        }
    }

    @Test(arguments: lies) func lie(_ lie: Lie) async throws {
        var found: [String] = []
        for target in Target.allCases { found.append(try await outcome(lie, about: target)) }
        #expect(found == lie.expected, "\(lie.testDescription)")
    }
}
