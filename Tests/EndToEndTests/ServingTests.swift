import Foundation
import SnpackTestSupport
import Testing

/// The web servers' files in `scripts/serve`, with the real servers: what they serve has no fault and no warning.
struct ServingTests {
    private func checkBothForms(_ journey: Journey, _ server: ConfiguredServer) throws {
        defer { server.stop() }
        for (port, gateway) in [(server.ports[0], [String]()), (server.ports[1], ["--gateway"])] {
            let url = "http://127.0.0.1:\(port)"
            let verified = try SnpackProcess.run(
                ["verify", url, "--factory-key", journey.key + ".pub"] + gateway, in: journey.directory)
            #expect(verified.status == 0, "\(verified)")
            #expect(verified.standardError == "", "\(verified)")
            let store = "store-\(port)"
            let synced = try SnpackProcess.run(
                journey.storeWords(["sync", url, Journey.id] + gateway, root: store), in: journey.directory)
            #expect(synced.status == 0, "\(synced)")
            let hidden = try SystemTool.run(
                "curl", ["-s", "-o", "/dev/null", "-w", "%{http_code}", url + "/.snpack/lock"])
            #expect(hidden.standardOutput == "404")
        }
    }

    /// The catalogue: typed, short-lived, the page at the root too, and in the gateway form not at all.
    private func checkCatalogue(_ server: ConfiguredServer) throws {
        let wanted = [
            ("/", "text/html"), ("/index.html", "text/html"), ("/catalogue.json", "application/json"),
            ("/catalogue.geojson", "application/geo+json"),
        ]
        for (path, type) in wanted {
            let head = try SystemTool.run(
                "curl", ["-sS", "-D", "-", "-o", "/dev/null", "-L", "http://127.0.0.1:\(server.ports[0])\(path)"]
            ).standardOutput.lowercased()
            #expect(head.contains("200 ok") && head.contains("cache-control: max-age=60"), "\(path): \(head)")
            #expect(head.contains("content-type: \(type)"), "\(path): \(head)")
        }
    }

    @Test(.enabled(if: ConfiguredServer.hasNginx, "needs nginx (Debian: nginx-light)"))
    func nginxServesBothForms() throws {
        try PublishedSample.inCopy { journey in
            let server = try ConfiguredServer.nginx(root: journey.place("channel"))
            try checkCatalogue(server)
            try checkBothForms(journey, server)
        }
    }

    @Test(.enabled(if: ConfiguredServer.hasCaddy, "needs Caddy (Debian: caddy)"))
    func caddyServesBothForms() throws {
        try PublishedSample.inCopy { journey in
            let server = try ConfiguredServer.caddy(root: journey.place("channel"))
            try checkCatalogue(server)
            try checkBothForms(journey, server)
        }
    }

    @Test(.enabled(if: ConfiguredServer.hasNginx, "needs nginx (Debian: nginx-light)"))
    func nginxThatCompressesIsCaught() throws {
        try PublishedSample.inCopy { journey in
            let server = try ConfiguredServer.nginx(root: journey.place("channel")) {
                $0.replacing("gzip off;", with: "gzip on; gzip_types *; gzip_min_length 1; max_ranges 0;")
            }
            defer { server.stop() }
            let result = try SnpackProcess.run(
                ["verify", "http://127.0.0.1:\(server.ports[0])", "--factory-key", journey.key + ".pub", "--shallow"])
            #expect(result.status == 3, "\(result)")
            #expect(result.standardError.contains("[served.encoded]"))
            #expect(result.standardError.contains("[served.range-ignored]"))
        }
    }

    /// The catalogue may be compressed on its way; nobody verifies it by its bytes.
    private static func isForPeople(_ path: String) -> Bool { path == "index.html" || path.hasPrefix("catalogue.") }

    /// Every path of a channel and the cache header that the file of Netlify and Cloudflare gives it.
    @Test func headersFileSaysWhatVerifyWants() throws {
        let text = try String(contentsOf: ProjectFiles.root.appending(path: "scripts/serve/_headers"), encoding: .utf8)
        var rules: [(pattern: [String], headers: [String: String])] = []
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            if line.hasPrefix("  ") {
                let parts = line.split(separator: ":", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
                try #require(parts.count == 2 && !rules.isEmpty, "\(line)")
                rules[rules.count - 1].headers[parts[0]] = parts[1]
            } else {
                rules.append((line.split(separator: "/").map(String.init), [:]))
            }
        }
        let cases = [
            ("index.signed", "max-age=60"), ("index.json", "max-age=60"), ("index.json.sig", "max-age=60"),
            ("index.html", "max-age=60"), ("catalogue.json", "max-age=60"), ("catalogue.geojson", "max-age=60"),
            ("territories/uk/1.0.0/manifest.json", "max-age=3600"),
            ("territories/uk/1.0.0/manifest.json.sig", "max-age=3600"),
            ("territories/uk/1.0.0/layers/00/x.tar.zst", "max-age=31536000, immutable"),
        ]
        for (path, wanted) in cases {
            let segments = path.split(separator: "/").map(String.init)
            let matching = rules.filter { rule in
                let isOpen = rule.pattern.last == "*"
                guard isOpen ? segments.count >= rule.pattern.count : segments.count == rule.pattern.count else {
                    return false
                }
                return zip(rule.pattern, segments).allSatisfy { $0 == "*" || $0.hasPrefix(":") || $0 == $1 }
            }
            // Headers of several rules would be joined.
            #expect(matching.count == 1, "\(path)")
            let cache = matching.first?.headers["Cache-Control"]
            #expect(cache == wanted + (Self.isForPeople(path) ? "" : ", no-transform"), "\(path)")
        }
    }
}
