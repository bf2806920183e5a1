import Foundation
import SnpackTestSupport
import Testing

/// Whole regions, against brute force and against the plug being pulled.
@Suite struct AreaTests {
    /// More of them: `scripts/try-areas 200`.
    @Test(
        .enabled(
            if: ProcessInfo.processInfo.environment["SNPACK_PYTHON_PACKAGES"] != nil,
            "needs the Python packages that scripts/python-packages fetches"))
    func randomAreasHoldWhatTheRuleSaysAndNothingElse() throws {
        let seed = UInt32.random(in: 0...UInt32.max)
        let result = try SystemTool.run(
            ProjectFiles.root.appending(path: "scripts/try-areas").path, ["20", "\(seed)"],
            environment: ["SNPACK_BINARY": SnpackProcess.path], seconds: 300)
        #expect(result.status == 0 && result.standardOutput.contains("20 regions hold"), "seed \(seed): \(result)")
    }

    @Test func aKilledCutLeavesNothingHalfMadeAndTheNextEndsAlike() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SplitMix(seed: seed)
        try Workshop.open { shop in
            let layers = ProjectFiles.sample.appending(path: "v1").path
            try shop.done(
                "build", ProjectFiles.root.appending(path: "manifests/liechtenstein.json").path, "--version", "1.0.0",
                "--layer", "valhalla-tiles=\(layers)/valhalla", "--layer",
                "geocode-index=\(layers)/geocode/places.ndjson", "--layer",
                "pmtiles=\(layers)/pmtiles/liechtenstein.pmtiles", "--layer", "style=\(layers)/style", "--layer",
                "poi-sidecar=\(layers)/poi-sidecar/poi.sqlite", "--level", "1")
            try shop.done("sign", "build/liechtenstein/1.0.0", "--key", "keys/factory.key")
            let words = [
                "cut", "build/liechtenstein/1.0.0", "--factory-key", "keys/factory.pub", "--bbox",
                "9.48,47.1,9.56,47.2",
                "--name", "Vaduz", "--out", "regions",
            ]
            let began = Date.now
            try shop.done(words)
            var usual = Date.now.timeIntervalSince(began)
            let whole = try shop.files(below: "regions")
            var killed = 0
            for round in 0..<20 {
                try shop.remove("regions")
                let limit = Double.random(in: 0.002...usual, using: &random)
                let start = Date.now
                let result = try shop.run(words, seconds: limit)
                if result.timedOut { killed += 1 } else { usual = min(usual, Date.now.timeIntervalSince(start)) }
                let left =
                    FileManager.default.enumerator(atPath: shop.url("regions").path)?
                    .compactMap { $0 as? String } ?? []
                let manifests = left.filter { $0.hasSuffix("manifest.json") && !$0.contains(".snpack-tmp-") }
                #expect(manifests.isEmpty || result.timedOut == false || manifests.count == 1, "seed \(seed), \(round)")
                let next = try shop.run(words)
                #expect(next.status == 0, "seed \(seed), round \(round): \(next)")
                #expect(try shop.files(below: "regions") == whole, "seed \(seed), round \(round)")
                #expect(shop.leftovers() == [], "seed \(seed), round \(round)")
            }
            #expect(killed >= 5, "only \(killed) of 20 runs were killed: seed \(seed)")
        }
    }

    @Test func aRefusedCutLeavesNothing() throws {
        try Workshop.open { shop in
            try shop.define("liechtenstein", layers: #"{"kind": "notes", "source": "note.txt"}"#)
            try shop.release("1.0.0", of: "liechtenstein")
            let words = [
                "cut", "build/liechtenstein/1.0.0", "--factory-key", "keys/factory.pub", "--bbox", "9.1,47.1,9.2,47.2",
                "--name", "x", "--out", "regions",
            ]
            let unknown = try shop.run(words)
            #expect(unknown.status == 2 && unknown.standardError.contains("--keep-whole notes"), "\(unknown)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: shop.url("regions").path) == [])
            // An outline that no manifest has room for is refused before anything is cut.
            let count = 99_999
            let ring = (0..<count).map { number in
                let angle = 2 * Double.pi * Double(number) / Double(count)
                return "[\(9.5 + 0.4 * cos(angle)),\(47.5 + 0.4 * sin(angle))]"
            }
            try shop.write(
                "coast.geojson",
                #"{"type":"Polygon","coordinates":[["# + (ring + ring.prefix(1)).joined(separator: ",") + "]]}")
            let outline = try shop.run(
                words.prefix(4) + [
                    "--area", "coast.geojson", "--name", "x", "--out", "regions", "--keep-whole", "notes",
                ])
            #expect(outline.status == 2 && outline.standardError.contains("simplify the outline"), "\(outline)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: shop.url("regions").path) == [])
        }
    }
}
