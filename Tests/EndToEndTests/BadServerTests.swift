import Foundation
import SnpackTestSupport
import Testing

/// A good channel behind servers that do to it what servers do: each fault has its own name.
struct BadServerTests {
    private typealias Serve =
        @Sendable (ScriptedRequest, _ honest: ScriptedResponse, _ file: [UInt8]?) -> ScriptedResponse

    /// Runs `verify` against the vectors' channel as `serve` answers for it.
    private func verify(_ more: [String] = ["--shallow"], _ serve: @escaping Serve) throws -> ToolResult {
        let root = VectorChannel.ok
        let server = try ScriptedServer { request in
            let file = (try? Data(contentsOf: root.appending(path: String(request.path.dropFirst())))).map {
                [UInt8]($0)
            }
            guard let file else { return serve(request, .notFound, nil) }
            var honest = ScriptedResponse.file(file, for: request, entityTag: "\"\(file.count)\"")
            honest = honest.header(
                "Cache-Control", request.path.contains("/layers/") ? "max-age=31536000" : "max-age=60")
            return serve(request, honest, file)
        }
        defer { server.stop() }
        return try SnpackProcess.run(
            ["verify", server.url(), "--factory-key", VectorChannel.key("factory_public")] + more)
    }

    private func expect(
        _ code: String, _ result: ToolResult, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(result.status == 3, "\(result)", sourceLocation: sourceLocation)
        #expect(result.standardError.contains("[\(code)]"), "\(result)", sourceLocation: sourceLocation)
        #expect(result.standardOutput == "", sourceLocation: sourceLocation)
    }

    @Test func honestServerHasNothingToMend() throws {
        let result = try verify { _, honest, _ in honest }
        #expect(result.status == 0 && result.standardError == "", "\(result)")
    }

    @Test func droppedRangesAreNamed() throws {
        expect("served.range-ignored", try verify { _, honest, file in file.map { .ok($0) } ?? honest })
    }

    @Test func ignoredIfRangeIsNamed() throws {
        expect(
            "served.if-range-ignored",
            try verify { request, honest, file in
                guard let file, request["If-Range"] != nil, let range = request.range else { return honest }
                var part = ScriptedResponse.ok(Array(file[range]))
                part.status = 206
                return part.header("Content-Range", "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(file.count)")
            })
    }

    @Test func rangeBeyondTheEndThatIsAnsweredIsNamed() throws {
        expect(
            "served.range-beyond-end",
            try verify { request, honest, file in honest.status == 416 ? .ok(file ?? []) : honest })
    }

    @Test func convertedLineEndsAreNamed() throws {
        expect(
            "served.line-ends",
            try verify { request, honest, file in
                guard let file, request.path.hasSuffix(".json") || request.path.hasSuffix(".signed") else {
                    return honest
                }
                return .ok(String(decoding: file, as: UTF8.self).replacing("\n", with: "\r\n"))
            })
    }

    @Test func reformattedJSONIsNamed() throws {
        expect(
            "served.reformatted",
            try verify { request, honest, file in
                guard let file, request.path.hasSuffix(".json"),
                    let value = try? JSONSerialization.jsonObject(with: Data(file)),
                    let text = try? JSONSerialization.data(withJSONObject: value)
                else { return honest }
                return .ok([UInt8](text))
            })
    }

    @Test func staleSignatureIsNamed() throws {
        let other = try [UInt8](Data(contentsOf: VectorChannel.region.appending(path: "index.json.sig")))
        expect(
            "served.stale-signature",
            try verify { request, honest, _ in request.path == "/index.json.sig" ? .ok(other) : honest })
        expect(
            "served.stale-signature",
            try verify { request, honest, _ in
                request.path.hasSuffix("1.0.0/manifest.json.sig") ? .ok(other) : honest
            })
    }

    @Test func pageForAMissingFileIsNamed() throws {
        expect(
            "served.missing-file-answered",
            try verify { _, honest, file in
                file == nil ? ScriptedResponse.ok("<html>welcome</html>").header("Content-Type", "text/html") : honest
            })
    }

    @Test func indexThatIsCachedLongIsNamed() throws {
        expect(
            "served.index-cached-long",
            try verify { request, honest, file in
                request.path.hasPrefix("/index")
                    ? ScriptedResponse.ok(file ?? []).header("Cache-Control", "public, max-age=604800") : honest
            })
    }

    @Test func compressionIsNamed() throws {
        expect(
            "served.encoded",
            try verify { request, honest, file in
                request["Accept-Encoding"]?.contains("gzip") == true && file != nil
                    ? ScriptedResponse.ok("xx").header("Content-Encoding", "gzip") : honest
            })
    }

    @Test func serverThatDiesIsNotAskedForEver() throws {
        let start = ContinuousClock.now
        let result = try verify { request, honest, _ in request.path.contains("layers") ? .status(403) : honest }
        #expect(result.status == 3 && result.standardError.contains("[transfer.forbidden]"), "\(result)")
        #expect(ContinuousClock.now - start < .seconds(30))
    }

    @Test func accessThatIsRefusedIsANetworkError() throws {
        for status in [401, 402, 403] {
            let result = try verify { _, _, _ in .status(status) }
            #expect(result.status == 7 && result.standardError.contains("(\(status))"), "\(result)")
        }
    }

    @Test func urlsMayEndInASlashAndPickNothing() throws {
        let key = try VectorChannel.key("factory_public")
        for text in [
            "http://127.0.0.1:9/#uk", "http://127.0.0.1:9/#uk@1.0.0", "http://127.0.0.1:9/?x=1", "http://u:p@h/",
        ] {
            let result = try SnpackProcess.run(["verify", text, "--factory-key", key])
            #expect(result.status == 2, "\(text): \(result)")
        }
    }
}
