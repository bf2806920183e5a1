import Foundation
import SnpackTestSupport
import Testing

/// Regions, cut and published by the real program, and used by a store and by the programs that read the layers.
@Suite struct CutTests {
    private static let keys = ProjectFiles.root.appending(path: "keys-example").path
    private static let box = "9.48,47.1,9.56,47.2"

    /// The sample as a signed country, in a directory of its own.
    private struct Country {
        let directory: URL

        init(in directory: URL, versions: [String] = ["1.0.0"]) throws {
            self.directory = directory
            for version in versions {
                let layers = ProjectFiles.sample.appending(path: version == "1.0.0" ? "v1" : "v2").path
                let (_, result) = try run(
                    "build", ProjectFiles.root.appending(path: "manifests/liechtenstein.json").path, "--version",
                    version, "--layer", "valhalla-tiles=\(layers)/valhalla", "--layer",
                    "geocode-index=\(layers)/geocode/places.ndjson", "--layer",
                    "pmtiles=\(layers)/pmtiles/liechtenstein.pmtiles", "--layer", "style=\(layers)/style", "--layer",
                    "poi-sidecar=\(layers)/poi-sidecar/poi.sqlite")
                #expect(result.status == 0, "\(result)")
                try succeed("sign", "build/liechtenstein/\(version)", "--key", keys + "/factory.key")
            }
        }

        /// Runs snpack and takes apart what it prints with `--json`.
        @discardableResult
        func run(_ words: String...) throws -> (json: [String: Any], result: ToolResult) { try run(words) }

        func run(_ words: [String]) throws -> (json: [String: Any], result: ToolResult) {
            let result = try SnpackProcess.run(words + ["--json"], in: directory)
            return ((try? JSONSerialization.jsonObject(with: Data(result.output))) as? [String: Any] ?? [:], result)
        }

        @discardableResult
        func succeed(_ words: String...) throws -> [String: Any] {
            let (json, result) = try run(words)
            #expect(result.status == 0, "\(words.joined(separator: " ")): \(result)")
            return json
        }

        /// Cuts out of a version; the release's path and the region's id.
        func cut(_ version: String = "1.0.0", _ options: String...) throws -> (path: String, id: String) {
            let words = [
                "cut", "build/liechtenstein/\(version)", "--factory-key", keys + "/factory.pub", "--out", "regions",
            ]
            let (json, result) = try run(words + ["--name", "Vaduz"] + options)
            #expect(result.status == 0, "\(options): \(result)")
            return (
                try #require(json["release"] as? String, "\(result)"), try #require(json["territory_id"] as? String)
            )
        }

        /// What refusing a cut says: status, code, message and hint.
        func refusal(_ options: String...) throws -> (status: Int32, code: String, text: String) {
            let source = options.contains { $0.hasPrefix("build/") } ? [] : ["build/liechtenstein/1.0.0"]
            let words = ["cut"] + source + ["--factory-key", keys + "/factory.pub", "--out", "refused"]
            let (json, result) = try run(words + options)
            let error = json["error"] as? [String: Any] ?? [:]
            #expect(!FileManager.default.fileExists(atPath: directory.appending(path: "refused/1.0.0").path))
            return (
                result.status, error["code"] as? String ?? "-",
                "\(error["message"] ?? "") \(error["hint"] ?? "") \(error["details"] ?? "")"
            )
        }

        func write(_ text: String, to name: String) throws {
            try Data(text.utf8).write(to: directory.appending(path: name))
        }

        func bytes(_ path: String) throws -> Data { try Data(contentsOf: directory.appending(path: path)) }
    }

    private func inCountry(versions: [String] = ["1.0.0"], _ body: (Country) throws -> Void) throws {
        try ProjectFiles.inTemporaryDirectory { try body(Country(in: $0, versions: versions)) }
    }

    // MARK: From the country to the app

    @Test func regionIsSignedPublishedInstalledAndUsed() throws {
        try inCountry { country in
            let (path, id) = try country.cut("1.0.0", "--bbox", CutTests.box)
            // Only a region key signs it.
            let wrong = try country.run("sign", path, "--key", CutTests.keys + "/factory.key").result
            #expect(wrong.status == 2, "\(wrong)")
            try country.succeed("sign", path, "--key", CutTests.keys + "/region.key")
            try country.succeed("verify", path, "--region-key", CutTests.keys + "/region.pub")
            let untrusted = try country.run("verify", path, "--factory-key", CutTests.keys + "/factory.pub").result
            #expect(untrusted.status == 3, "\(untrusted)")

            try country.succeed(
                "publish", path, "--channel", "channels/\(id)", "--key", CutTests.keys + "/region.key", "--gateway",
                "gateway", "--allow-example-keys", "--state", "state.json")
            try country.succeed("verify", "channels/\(id)", "--region-key", CutTests.keys + "/region.pub")
            for (served, file) in [
                ("v1/territories/\(id)/index.signed", "index.signed"),
                ("v1/territories/\(id)/index.json", "index.json"),
                ("v1/territories/\(id)/index.json.sig", "index.json.sig"),
                ("territories/\(id)/1.0.0/manifest.json", "territories/\(id)/1.0.0/manifest.json"),
            ] {
                #expect(try country.bytes("gateway/\(served)") == country.bytes("channels/\(id)/\(file)"))
            }
            #expect(try country.bytes("gateway/territories/\(id)/1.0.0/manifest.json.sig").count == 88)

            let store = ["--root", "store", "--region-key", CutTests.keys + "/region.pub", "--channel-name", id]
            func ask(_ words: String...) throws -> [String: Any] {
                let (json, result) = try country.run(["store"] + words + store)
                #expect(result.status == 0, "\(words): \(result)")
                return json
            }
            _ = try ask("install", "channels/\(id)", id)
            let found = try ask("search", id, "Vaduz")["places"] as? [[String: Any]] ?? []
            #expect(found.contains { $0["name"] as? String == "Vaduz" })
            #expect(try (ask("search", id, "Malbun")["places"] as? [Any])?.isEmpty == true)
            let style = try SnpackProcess.run(["store", "style", id] + store, in: country.directory)
            #expect(style.status == 0 && style.standardOutput.contains("pmtiles"), "\(style)")
            let listed = try #require((ask("list")["territories"] as? [[String: Any]])?.first)
            // Case 85: a region says which version of which country it comes from.
            let source = try #require(listed["region_source"] as? [String: Any])
            #expect(source["version"] as? String == "1.0.0" && source["territory_id"] as? String == "liechtenstein")
        }
    }

    @Test("Case 103: cutting twice gives the same bytes; a signed release that is the same stays")
    func case103() throws {
        try inCountry { country in
            let (path, _) = try country.cut("1.0.0", "--bbox", CutTests.box)
            let manifest = try country.bytes(path + "/manifest.json")
            _ = try country.cut("1.0.0", "--bbox", CutTests.box, "--jobs", "3")
            #expect(try country.bytes(path + "/manifest.json") == manifest)
            try country.succeed("sign", path, "--key", CutTests.keys + "/region.key")
            _ = try country.cut("1.0.0", "--bbox", CutTests.box)
            try country.succeed("verify", path, "--region-key", CutTests.keys + "/region.pub")
            let other = try country.run(
                "cut", "build/liechtenstein/1.0.0", "--factory-key", CutTests.keys + "/factory.pub", "--out", "regions",
                "--name", "Another name", "--bbox", CutTests.box)
            #expect(other.result.status == 5, "\(other.result)")
            // A corrected cut has a greater version; a smaller one is refused.
            let corrected = try country.cut("1.0.0", "--bbox", CutTests.box, "--version", "1.0.1", "--omit", "style")
            #expect(corrected.path.hasSuffix("/1.0.1"))
            let low = try country.refusal("--bbox", CutTests.box, "--name", "x", "--version", "0.9.0")
            #expect(low.status == 2 && low.code == "cut.option")
        }
    }

    @Test("Case 93: the same box in other digits is the same region, byte for byte")
    func case093() throws {
        try inCountry { country in
            let first = try country.cut("1.0.0", "--bbox", "9.5,47.1,9.6,47.2", "--omit", "style")
            let manifest = try country.bytes(first.path + "/manifest.json")
            let second = try country.cut("1.0.0", "--bbox", "9.50,47.10,9.60000001,47.20000000", "--omit", "style")
            #expect(second.id == first.id)
            #expect(try country.bytes(second.path + "/manifest.json") == manifest)
        }
    }

    @Test("Case 25: a later version is the same region, its tiles of one build, and comes as a patch")
    func case025() throws {
        try inCountry(versions: ["1.0.0", "1.1.0"]) { country in
            let old = try country.cut("1.0.0", "--bbox", CutTests.box)
            let new = try country.cut("1.1.0", "--bbox", CutTests.box, "--patch-from", old.path)
            #expect(new.id == old.id && new.path != old.path)
            func roads(_ path: String) throws -> [String: Any] {
                let manifest = try JSONSerialization.jsonObject(with: country.bytes(path + "/manifest.json"))
                let layers = (manifest as? [String: Any])?["layers"] as? [[String: Any]] ?? []
                return try #require(layers.first { $0["kind"] as? String == "valhalla-tiles" })
            }
            let (before, after) = (try roads(old.path), try roads(new.path))
            #expect((after["patches"] as? [[String: Any]])?.first?["from"] as? String == before["blake3"] as? String)
            let (old_, new_) = (before["meta"] as? [String: Any], after["meta"] as? [String: Any])
            #expect(new_?["subset"] as? Bool == true && old_?["subset"] as? Bool == true)
            #expect(new_?["build_id"] as? Int != nil && old_?["build_id"] as? Int != new_?["build_id"] as? Int)
        }
    }

    // MARK: Other programs

    @Test(.enabled(if: ValhallaService.isInstalled, "scripts/python-packages brings Valhalla's programs"))
    func valhallaRoutesInTheCutAsInTheCountry() throws {
        try inCountry { country in
            let (path, _) = try country.cut("1.0.0", "--bbox", "9.501,47.05,9.56,47.16")
            try country.succeed("sign", path, "--key", CutTests.keys + "/region.key")
            try country.succeed(
                "unpack", path, "-o", "package", "--region-key", CutTests.keys + "/region.pub")
            let tiles = country.directory.appending(path: "package/valhalla")
            #expect(!FileManager.default.fileExists(atPath: tiles.appending(path: "2/000/791/318.gph").path))
            let valhalla = try ValhallaService(tiles: tiles, in: country.directory)
            let route = try #require(try valhalla.route())
            #expect(route.length == 9.176 && route.time == 639.04 && route.manoeuvres == 14, "\(route)")
            // Ruggell's north lies in a tile that the region does not have.
            let request =
                #"{"locations":[{"lat":47.141,"lon":9.5215},{"lat":47.262,"lon":9.535,"search_cutoff":1000}],"costing":"auto","units":"kilometers"}"#
            let whole = country.directory.appending(path: "whole")
            try FileManager.default.createDirectory(at: whole, withIntermediateDirectories: true)
            let inCountry = try ValhallaService(
                tiles: ProjectFiles.sample.appending(path: "v1/valhalla"), in: whole
            ).route(request)
            #expect(inCountry != nil)
            let inRegion = try valhalla.route(request)
            #expect(inRegion == nil)
            let answer = try valhalla.run(request)
            #expect((0...1).contains(answer.status) && !answer.timedOut, "\(answer)")
            #expect(
                (answer.standardOutput + answer.standardError).contains("No suitable edges near location"), "\(answer)")
        }
    }

    private static let python = ProcessInfo.processInfo.environment["SNPACK_PYTHON_PACKAGES"]

    @Test(.enabled(if: python != nil, "SNPACK_PYTHON_PACKAGES does not name a directory with the pmtiles package"))
    func pmtilesReaderWalksEveryCut() throws {
        let script = """
            import sys
            from pmtiles.reader import Reader, MmapSource, all_tiles
            for path in sys.argv[1:]:
                with open(path, "rb") as f:
                    source = MmapSource(f)
                    reader = Reader(source)
                    header, tiles = reader.header(), list(all_tiles(source))
                    assert len(tiles) == header["addressed_tiles_count"], path
                    zooms = [z for (z, _, _), _ in tiles]
                    assert (min(zooms), max(zooms)) == (header["min_zoom"], header["max_zoom"]), path
                    for (z, x, y), data in tiles: assert reader.get(z, x, y) == data and data, path
                    assert header["min_lon_e7"] <= header["center_lon_e7"] <= header["max_lon_e7"], path
                    assert header["clustered"] and "vector_layers" in reader.metadata(), path
                    print(len(tiles))
            """
        try inCountry { country in
            var archives: [String] = []
            for (number, options) in [
                ["--bbox", CutTests.box], ["--bbox", "9.5,47.1,9.5001,47.1001"], ["--bbox", "-180,-90,180,90"],
                ["--bbox", "9.48,47.1,9.56,47.2", "--max-zoom", "10", "--version", "1.0.1"],
            ].enumerated() {
                let words = [
                    "cut", "build/liechtenstein/1.0.0", "--factory-key", CutTests.keys + "/factory.pub", "--name", "x",
                    "--out", "cut\(number)", "--omit", "geocode-index", "--omit", "poi-sidecar", "--omit",
                    "valhalla-tiles",
                ]
                let (json, result) = try country.run(words + options)
                #expect(result.status == 0, "\(result)")
                let path = try #require(json["release"] as? String)
                try country.succeed("unpack", path, "-o", "package\(number)", "--no-verify")
                archives.append("package\(number)/map.pmtiles")
            }
            let walked = try SystemTool.run(
                "python3", ["-c", script] + archives, in: country.directory,
                environment: ["PYTHONPATH": CutTests.python])
            #expect(walked.status == 0, "\(walked)")
            let counts = walked.standardOutput.split(separator: "\n").compactMap { Int($0) }
            #expect(counts.count == 4 && (15...60).contains(counts[1]) && counts[2] == 182, "\(counts)")
        }
    }

    // MARK: Many at once, and none

    @Test func batchesCutWhatSingleCutsDo() throws {
        try inCountry { country in
            try country.write(
                """
                {"type":"FeatureCollection","features":[
                {"type":"Feature","properties":{"name":"Vaduz"},"geometry":{"type":"Polygon","coordinates":[[[9.48,47.1],[9.56,47.1],[9.56,47.2],[9.48,47.2],[9.48,47.1]]]}},
                {"type":"Feature","properties":{"name":"North"},"geometry":{"type":"Polygon","coordinates":[[[9.52,47.2],[9.6,47.2],[9.6,47.26],[9.52,47.2]]]}},
                {"type":"Feature","properties":{"name":"Beside Vaduz"},"geometry":{"type":"Polygon","coordinates":[[[9.48,47.1],[9.56,47.1],[9.56,47.19],[9.48,47.19],[9.48,47.1]]]}}]}
                """, to: "areas.geojson")
            let single = try country.cut("1.0.0", "--bbox", CutTests.box)
            let (json, result) = try country.run(
                "cut", "build/liechtenstein/1.0.0", "--factory-key", CutTests.keys + "/factory.pub", "--areas",
                "areas.geojson", "--out", "batch")
            #expect(result.status == 0, "\(result)")
            let regions = json["regions"] as? [[String: Any]] ?? []
            #expect(regions.compactMap { $0["display_name"] as? String } == ["Vaduz", "North", "Beside Vaduz"])
            #expect(regions.first?["territory_id"] as? String == single.id)
            #expect(
                try country.bytes("batch/\(single.id)/1.0.0/manifest.json")
                    == country.bytes(single.path + "/manifest.json"))
            // What two regions hold alike is one blob, packed once or twice.
            let beside = try #require(regions.last?["release"] as? String)
            let alone = try country.succeed(
                "cut", "build/liechtenstein/1.0.0", "--factory-key", CutTests.keys + "/factory.pub", "--name",
                "Beside Vaduz", "--bbox", "9.48,47.1,9.56,47.19", "--out", "alone")
            let release = try #require(alone["release"] as? String)
            #expect(try country.bytes(beside + "/manifest.json") == country.bytes(release + "/manifest.json"))
            try country.succeed("sign", beside, "--key", CutTests.keys + "/region.key")
            try country.succeed("verify", beside, "--region-key", CutTests.keys + "/region.pub")
            let again = try country.run(
                "cut", "build/liechtenstein/1.0.0", "--factory-key", CutTests.keys + "/factory.pub", "--areas",
                "areas.geojson", "--out", "dry", "--dry-run")
            #expect(again.result.status == 0, "\(again.result)")
            #expect(!FileManager.default.fileExists(atPath: country.directory.appending(path: "dry").path))
            // What a dry run tells is what a cut gives.
            for (told, made) in zip(again.json["regions"] as? [[String: Any]] ?? [], regions) {
                let toldLayers = told["layers"] as? [[String: Any]] ?? []
                let madeLayers = made["layers"] as? [[String: Any]] ?? []
                #expect(toldLayers.count == madeLayers.count)
                for (left, right) in zip(toldLayers, madeLayers) {
                    #expect(
                        left["bytes"] as? Int == right["bytes"] as? Int
                            && left["files"] as? Int == right["files"] as? Int)
                }
            }
        }
    }

    @Test func leftoversOfAKilledCutAreRemoved() throws {
        try inCountry { country in
            let (path, id) = try country.cut("1.0.0", "--bbox", CutTests.box)
            for place in ["regions", "regions/\(id)"] {
                let left = country.directory.appending(path: "\(place)/.snpack-tmp-0123456789abcdef/valhalla")
                try FileManager.default.createDirectory(at: left, withIntermediateDirectories: true)
            }
            _ = try country.cut("1.0.0", "--bbox", CutTests.box)
            #expect(try FileManager.default.contentsOfDirectory(atPath: country.directory.path + "/regions") == [id])
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: country.directory.path + "/regions/" + id) == [
                    "1.0.0"
                ])
            #expect(path == "regions/\(id)/1.0.0")
        }
    }

    @Test func refusesWithTheReasonAndTheWayOut() throws {
        try inCountry { country in
            try country.write(#"{"type":"LineString","coordinates":[[9.5,47.1],[9.55,47.15]]}"#, to: "line.geojson")
            try country.write(
                #"{"type":"Polygon","coordinates":[[[47.1,9.5],[47.2,9.5],[47.2,9.6],[47.1,9.5]]]}"#,
                to: "swapped.geojson")
            try country.write(
                #"{"type":"Polygon","coordinates":[[[9.5,47.1],[9.6,47.2],[9.6,47.1],[9.5,47.15]]]}"#, to: "bow.geojson"
            )
            try country.write("{", to: "broken.geojson")
            let name = ["--name", "x"]
            func check(_ options: [String], _ status: Int32, _ code: String, _ words: String...) throws {
                let all = [
                    "cut", "build/liechtenstein/1.0.0", "--factory-key", CutTests.keys + "/factory.pub", "--out", "r",
                ]
                let (json, result) = try country.run(all + options + name)
                let error = json["error"] as? [String: Any] ?? [:]
                let text = "\(error["message"] ?? "") \(error["hint"] ?? "")"
                #expect(result.status == status && error["code"] as? String == code, "\(options): \(result)")
                for word in words { #expect(text.contains(word), "\(options): \(text)") }
                let left = (try? FileManager.default.contentsOfDirectory(atPath: country.directory.path + "/r")) ?? []
                #expect(left.isEmpty, "\(options): \(left)")
            }
            try check(["--area", "line.geojson"], 2, "area.invalid", "a line is open", "--corridor")
            try check(["--area", "swapped.geojson"], 2, "cut.outside", "swapped")
            try check(["--area", "bow.geojson"], 2, "area.invalid", "crosses itself")
            try check(["--area", "broken.geojson"], 2, "area.invalid", "GeoJSON")
            try check(["--bbox", "47.1,9.5,47.2,9.6"], 2, "cut.outside", "swapped")
            try check(["--bbox", "1,1,2,2"], 2, "cut.outside", "lies outside of liechtenstein")
            try check(["--bbox", "nan,1,2,2"], 2, "usage.invalid-value")
            try check(["--bbox", "9.5,47.1,9.5,47.2"], 2, "bbox.invalid")
            try check(["--bbox", CutTests.box, "--omit", "gpx"], 2, "cut.option", "no layer gpx")
            try check(["--bbox", CutTests.box, "--buffer", "0"], 2, "usage.invalid-value")
            let foreign = try country.run(
                "cut", "build/liechtenstein/1.0.0", "--factory-key", CutTests.keys + "/region.pub", "--out", "r",
                "--name",
                "x", "--bbox", CutTests.box)
            #expect(foreign.result.status == 3, "\(foreign.result)")
        }
    }

    @Test func whatAChannelWithdrewIsNotCutByName() throws {
        try inCountry { country in
            let signing = ["--channel", "channel", "--key", CutTests.keys + "/factory.key", "--allow-example-keys"]
            func channel(_ words: String...) throws {
                let (_, result) = try country.run(words + signing + ["--state", "state.json"])
                #expect(result.status == 0, "\(words): \(result)")
            }
            func cut(_ source: String) throws -> ToolResult {
                let words = [
                    "cut", source, "--factory-key", CutTests.keys + "/factory.pub", "--name", "x", "--out", "r",
                ]
                return try country.run(words + ["--bbox", CutTests.box, "--omit", "style"]).result
            }
            try channel("publish", "build/liechtenstein/1.0.0", "--valid-for", "1s")
            // Time goes on between two seconds.
            Thread.sleep(forTimeInterval: 1.1)
            let late = try cut("channel#liechtenstein")
            #expect(late.status == 0 && late.standardOutput.contains("index.expired"), "\(late)")
            try channel("yank", "liechtenstein@1.0.0", "--reason", "a bridge is missing")
            let refused = try cut("channel#liechtenstein")
            #expect(refused.status == 5 && refused.standardOutput.contains("cut.yanked"), "\(refused)")
            #expect(refused.standardOutput.contains("a bridge is missing"))
            #expect(try cut("channel/territories/liechtenstein/1.0.0").status == 0)
            let within = try country.run(
                "cut", "build/liechtenstein/1.0.0", "--factory-key", CutTests.keys + "/factory.pub", "--name", "x",
                "--bbox", CutTests.box, "--out", "build/liechtenstein/1.0.0/regions"
            ).result
            #expect(within.status == 2 && within.standardOutput.contains("cut.option"), "\(within)")
        }
    }

    @Test func layersThatStayWholeAreTheCountrysBlobs() throws {
        try inCountry { country in
            let (path, _) = try country.cut("1.0.0", "--bbox", CutTests.box, "--keep-whole", "poi-sidecar")
            func blob(_ release: String) throws -> [FileAttributeKey: Any] {
                let root = country.directory.appending(path: release)
                let files = FileManager.default.enumerator(atPath: root.path)?.compactMap { $0 as? String } ?? []
                let file = try #require(files.first { $0.hasSuffix("poi.sqlite.tar.zst") })
                return try FileManager.default.attributesOfItem(atPath: root.appending(path: file).path)
            }
            let (own, whole) = (try blob(path), try blob("build/liechtenstein/1.0.0"))
            #expect(own[.systemFileNumber] as? UInt64 == whole[.systemFileNumber] as? UInt64)
            try country.succeed("sign", path, "--key", CutTests.keys + "/region.key")
            try country.succeed("verify", path, "--region-key", CutTests.keys + "/region.pub")
        }
    }

    @Test func tantivyIsRefusedAndBuiltFromPlaces() throws {
        try ProjectFiles.inTemporaryDirectory { directory in
            let layers = ProjectFiles.sample.appending(path: "v1").path
            let country = try Country(in: directory, versions: [])
            try country.write(
                """
                {"id": "liechtenstein", "display_name": "Liechtenstein", "attribution": "© OpenStreetMap contributors",
                 "data_timestamp": "2013-08-03T00:00:00Z", "layers": [
                 {"kind": "pmtiles", "source": "\(layers)/pmtiles/liechtenstein.pmtiles"},
                 {"kind": "geocode-index", "source": "\(layers)/geocode-tantivy"},
                 {"kind": "trails", "source": "\(layers)/geocode/places.ndjson", "path": "trails.ndjson"}]}
                """, to: "definition.json")
            try country.succeed("build", "definition.json", "--version", "1.0.0")
            try country.succeed("sign", "build/liechtenstein/1.0.0", "--key", CutTests.keys + "/factory.key")
            let box = ["--bbox", CutTests.box, "--name", "x"]
            let words = [
                "cut", "build/liechtenstein/1.0.0", "--factory-key", CutTests.keys + "/factory.pub", "--out", "r",
            ]
            let refused = try country.run(words + box).result
            #expect(refused.status == 2 && refused.standardOutput.contains("--places FILE.ndjson"), "\(refused)")
            let unknown = try country.run(words + box + ["--places", "\(layers)/geocode/places.ndjson"]).result
            #expect(unknown.status == 2 && unknown.standardOutput.contains("--keep-whole trails"), "\(unknown)")
            let (json, result) = try country.run(
                words + box + ["--places", "\(layers)/geocode/places.ndjson", "--keep-whole", "trails"])
            #expect(result.status == 0, "\(result)")
            let kinds = (json["layers"] as? [[String: Any]])?.compactMap { $0["kind"] as? String }
            #expect(kinds == ["geocode-index", "pmtiles", "trails"])
            let path = try #require(json["release"] as? String)
            try country.succeed("sign", path, "--key", CutTests.keys + "/region.key")
            try country.succeed("verify", path, "--region-key", CutTests.keys + "/region.pub")
        }
    }
}
