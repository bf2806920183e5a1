import Foundation
import SnpackTestSupport
import Testing

/// What an app asks an installed territory for: its style, and its places. Before, after and in spite of updates.
@Suite struct StoreUseTests {
    // MARK: - Styles

    private func style(_ journey: Journey, _ theme: String = "light") throws -> [String: Any] {
        let text = try journey.store("style", Journey.id, "--theme", theme)
        return try #require(JSONSerialization.jsonObject(with: Data(text.output)) as? [String: Any], "\(text)")
    }

    /// The path that a `file:` URL names.
    private func path(_ text: String) throws -> String {
        try #require(text.hasPrefix("file:///"), "\(text)")
        return try #require(String(text.dropFirst("file://".count)).removingPercentEncoding)
    }

    /// Checks that the style draws from files of this store alone, and from layers that its archive has.
    private func checkLocal(_ style: [String: Any], _ journey: Journey) throws {
        let root = journey.place("store").resolvingSymlinksInPath().path + "/"
        func check(_ path: String) {
            #expect(path.hasPrefix(root) && FileManager.default.fileExists(atPath: path), "\(path)")
        }
        let sources = try #require(style["sources"] as? [String: [String: Any]])
        let url = try #require(sources.values.compactMap { $0["url"] as? String }.first)
        try #require(sources.count == 1 && url.hasPrefix("pmtiles://"), "\(sources)")
        let archive = try path(String(url.dropFirst("pmtiles://".count)))
        check(archive)
        let layers = try #require(style["layers"] as? [[String: Any]])
        let drawn = Set(layers.compactMap { $0["source-layer"] as? String })
        let present = try vectorLayers(of: archive, journey)
        #expect(!drawn.isEmpty && drawn.isSubset(of: present), "\(drawn) of \(present)")
        #expect(layers.allSatisfy { $0["source"] == nil || sources[$0["source"] as? String ?? ""] != nil })
        if let sprite = style["sprite"] as? String {
            for ending in [".json", ".png", "@2x.json", "@2x.png"] { check(try path(sprite) + ending) }
        }
        let fonts = layers.compactMap { ($0["layout"] as? [String: Any])?["text-font"] as? [String] }
        #expect((style["glyphs"] == nil) == fonts.isEmpty)
        if let glyphs = style["glyphs"] as? String {
            for stack in Set(fonts.map { $0.joined(separator: ",") }) {
                let file = try path(glyphs).replacing("{fontstack}", with: stack).replacing("{range}", with: "0-255")
                check(file)
            }
        }
        let text = String(decoding: try JSONSerialization.data(withJSONObject: style), as: UTF8.self)
        #expect(!text.contains("http:") && !text.contains("https:"))
    }

    private func vectorLayers(of archive: String, _ journey: Journey) throws -> Set<String> {
        let result = try journey.run("inspect", archive, "--json")
        func find(_ value: Any) -> [String]? {
            if let object = value as? [String: Any] {
                if let names = object["vector_layers"] as? [String] { return names }
                return object.values.lazy.compactMap(find).first
            }
            return (value as? [Any])?.lazy.compactMap(find).first
        }
        return Set(try #require(find(JSONSerialization.jsonObject(with: Data(result.output))), "\(result)"))
    }

    @Test func stylesOfBothThemesDrawFromInstalledFilesAlone() throws {
        try PublishedSample.inCopy { journey in
            try journey.store("install", "channel", "\(Journey.id)@1.0.0")
            for version in ["1.0.0", "1.1.0"] {
                for theme in ["light", "dark"] {
                    let style = try style(journey, theme)
                    #expect(style["name"] as? String == "Liechtenstein \(theme)")
                    #expect(style["glyphs"] != nil && style["sprite"] != nil)
                    try checkLocal(style, journey)
                    let text = String(decoding: try JSONSerialization.data(withJSONObject: style), as: UTF8.self)
                    #expect(text.contains(version) && !text.contains(version == "1.0.0" ? "1.1.0" : "1.0.0"))
                }
                try journey.store("sync", "channel", Journey.id)
            }
            // No absolute path is kept: in a store that moved the references are to where it lies now.
            let moved = journey.place("else where")
            try FileManager.default.createDirectory(at: moved, withIntermediateDirectories: true)
            for name in ["store", "keys"] {
                try FileManager.default.moveItem(at: journey.place(name), to: moved.appending(path: name))
            }
            let other = Journey(at: moved)
            try checkLocal(style(other), other)
        }
    }

    @Test func withoutAStyleLayerTheBuiltInOneDrawsWhatTheArchiveHas() throws {
        try PublishedSample.inCopy { journey in
            try journey.store("install", "channel", Journey.id, "--omit", "style")
            let (light, dark) = (try style(journey), try style(journey, "dark"))
            for style in [light, dark] {
                try checkLocal(style, journey)
                #expect(style["glyphs"] == nil && style["sprite"] == nil)
            }
            func ground(_ style: [String: Any]) -> String? {
                let layers = style["layers"] as? [[String: Any]] ?? []
                return (layers.first?["paint"] as? [String: Any])?["background-color"] as? String
            }
            #expect(ground(light) != nil && ground(light) != ground(dark))
        }
    }

    @Test(arguments: [(["style"], "light"), (["dark"], "dark"), (["style", "dark"], "light")])
    func aThemeThatIsMissingFallsBack(_ files: [String], _ original: String) throws {
        try ProjectFiles.inTemporaryDirectory { directory in
            let journey = try Journey(in: directory)
            let sample = ProjectFiles.sample.appending(path: "v1")
            try FileManager.default.copyItem(at: sample.appending(path: "style"), to: journey.place("style"))
            for theme in ["light", "dark"] where theme != original {
                try? FileManager.default.removeItem(at: journey.place("style/\(theme).json"))
            }
            if files.contains("style") {
                try FileManager.default.moveItem(
                    at: journey.place("style/\(original).json"), to: journey.place("style/style.json"))
            }
            if files == ["style", "dark"] {
                try FileManager.default.copyItem(
                    at: sample.appending(path: "style/dark.json"), to: journey.place("style/dark.json"))
            }
            let definition = """
                {id: "liechtenstein", display_name: "Liechtenstein", attribution: "© OpenStreetMap contributors",
                 data_timestamp: "2013-08-03T00:00:00Z", layers: [{kind: "style", source: "style"},
                 {kind: "pmtiles", source: "\(sample.path)/pmtiles/liechtenstein.pmtiles"}]}
                """
            try Data(definition.utf8).write(to: journey.place("map.json"))
            try journey.run("build", "map.json", "--version", "1.0.0", "--allow", "all")
            try journey.run("sign", "build/liechtenstein/1.0.0", "--key", journey.key + ".key")
            try journey.store("install", "build/liechtenstein/1.0.0")
            for theme in ["light", "dark"] {
                let style = try style(journey, theme)
                let expected = theme == "dark" && files.contains("dark") ? "dark" : original
                #expect(style["name"] as? String == "Liechtenstein \(expected)")
                try checkLocal(style, journey)
            }
            try journey.store("style", Journey.id, "--theme", "pink", endsWith: 2)
            try journey.store("search", Journey.id, "Vaduz", endsWith: 4, code: "layer.unknown")
        }
    }

    @Test func withoutTilesThereIsNoStyleAndThatIsItsOwnAnswer() throws {
        try PublishedSample.inCopy { journey in
            try journey.store("install", "channel", Journey.id, "--omit", "pmtiles", "--omit", "geocode-index")
            try journey.store("style", Journey.id, endsWith: 4, code: "layer.not-installed")
            try journey.store("search", Journey.id, "Vaduz", endsWith: 4, code: "layer.not-installed")
            try journey.store("reverse", Journey.id, "47.1,9.6", endsWith: 4, code: "layer.not-installed")
            // What was left out comes later, and nothing else with it.
            let widened = try journey.json("sync", "channel", Journey.id, "--all-layers")
            #expect(widened["layers_fetched"] as? Int == 2 && widened["layers_reused"] as? Int == 3)
            try checkUse(journey, "1.1.0")
        }
    }

    // MARK: - Places

    /// Checks search, reverse and style of the sample's `version`.
    private func checkUse(_ journey: Journey, _ version: String) throws {
        let isOld = version == "1.0.0"
        #expect(try journey.version() == version)
        #expect(try journey.names("Malbun").first == "Malbun")
        for street in ["Kesse", "Schmiedegass", "Im Fetzer", "Eschestrasse"] {
            let found = try journey.names(street)
            #expect(found.first == (isOld ? street : street + " Süd") && found.contains(street) == isOld, "\(found)")
        }
        #expect(try journey.names("Café am Markt").contains("Café am Markt") == !isOld)

        let nearest = try #require(
            journey.json("reverse", Journey.id, "47.102793,9.608395", "--limit", "5")["places"] as? [[String: Any]])
        #expect(nearest.count == 5 && nearest.first?["name"] as? String == "Malbun", "\(nearest)")
        let distances = nearest.compactMap { $0["distance_m"] as? Double }
        #expect(distances.count == 5 && distances == distances.sorted() && distances[0] < 1)

        let near = try journey.json(
            "search", Journey.id, "Landstrasse", "--near", "47.162871,9.508665", "--limit", "1")["places"]
        #expect((near as? [[String: Any]])?.first?["locality"] as? String == "Schaan", "\(near ?? "-")")
        try checkLocal(style(journey), journey)
        try journey.store("verify", Journey.id)
    }

    @Test func searchGoesWithTheVersionForwardsAndBack() throws {
        try PublishedSample.inCopy { journey in
            try journey.store("install", "channel", "\(Journey.id)@1.0.0")
            try checkUse(journey, "1.0.0")
            try journey.store("sync", "channel", Journey.id)
            try checkUse(journey, "1.1.0")
            try journey.store("rollback", Journey.id)
            try checkUse(journey, "1.0.0")
            try journey.store("reverse", Journey.id, "47.1", endsWith: 2)
            try journey.store("reverse", Journey.id, "147.1,9.6", endsWith: 2)
        }
    }

    // MARK: - Refused updates

    /// A way to damage a channel's 1.1.0.
    struct Damage: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var status: Int32 = 3
        let inflict: @Sendable (_ channel: URL) throws -> Void

        init(_ name: String, status: Int32 = 3, _ inflict: @escaping @Sendable (URL) throws -> Void) {
            testDescription = name
            self.status = status
            self.inflict = inflict
        }

        static func edit(_ file: URL, _ change: (inout Data) -> Void) throws {
            var data = try Data(contentsOf: file)
            change(&data)
            try? FileManager.default.removeItem(at: file)
            try data.write(to: file)
        }

        /// The blob of a layer that 1.1.0 has anew.
        static func blob(_ name: String, of version: String = "1.1.0", in channel: URL) throws -> URL {
            let layers = channel.appending(path: "territories/liechtenstein/\(version)/layers")
            let paths = try FileManager.default.subpathsOfDirectory(atPath: layers.path)
            return layers.appending(path: try #require(paths.first { $0.contains("/\(name)") }, "\(paths)"))
        }

        static let all: [Damage] =
            ["valhalla", "map.pmtiles", "geocode"].flatMap { name in
                [
                    Damage("a bit of \(name)") {
                        try edit(blob(name, in: $0)) { $0[$0.startIndex + $0.count / 2] ^= 4 }
                    },
                    Damage("\(name) lacks its end") { try edit(blob(name, in: $0)) { $0.removeLast(100) } },
                    Damage("\(name) goes on") { try edit(blob(name, in: $0)) { $0.append(contentsOf: [0, 1]) } },
                    Damage("\(name) is empty") { try edit(blob(name, in: $0)) { $0 = Data() } },
                    Damage("\(name) is that of 1.0.0") { channel in
                        let old = try Data(contentsOf: blob(name, of: "1.0.0", in: channel))
                        try edit(blob(name, in: channel)) { $0 = old }
                    },
                    Damage("\(name) is missing") { try FileManager.default.removeItem(at: blob(name, in: $0)) },
                ]
            } + documents

        private static let documents = [
            Damage("a byte of the manifest") {
                try edit($0.appending(path: "territories/liechtenstein/1.1.0/manifest.json")) { $0[40] ^= 1 }
            },
            Damage("the manifest's signature is missing") {
                try FileManager.default.removeItem(
                    at: $0.appending(path: "territories/liechtenstein/1.1.0/manifest.json.sig"))
            },
            Damage("the manifest of 1.0.0") { channel in
                let folder = channel.appending(path: "territories/liechtenstein")
                for name in ["manifest.json", "manifest.json.sig"] {
                    let old = try Data(contentsOf: folder.appending(path: "1.0.0/\(name)"))
                    try edit(folder.appending(path: "1.1.0/\(name)")) { $0 = old }
                }
            },
            Damage("a page in place of the index") { channel in
                for name in ["index.signed", "index.json", "index.json.sig"] {
                    try edit(channel.appending(path: name)) { $0 = Data("<html>Please log in</html>".utf8) }
                }
            },
            Damage("a byte of the index, everywhere") { channel in
                for name in ["index.signed", "index.json"] {
                    try edit(channel.appending(path: name)) { $0[$0.startIndex + $0.count / 2] ^= 1 }
                }
            },
            Damage("no index", status: 4) { channel in
                for name in ["index.signed", "index.json", "index.json.sig"] {
                    try FileManager.default.removeItem(at: channel.appending(path: name))
                }
            },
        ]
    }

    @Test func everyRefusedUpdateLeavesSearchAndStyleAsTheyWere() throws {
        try PublishedSample.inCopy { journey in
            try journey.store("install", "channel", "\(Journey.id)@1.0.0")
            try checkUse(journey, "1.0.0")
            let before = journey.storeFiles()
            let (answer, style) = (try journey.names("Kesse"), try journey.store("style", Journey.id).output)
            for damage in Damage.all {
                let channel = journey.place("damaged")
                try? FileManager.default.removeItem(at: channel)
                try FileManager.default.copyItem(at: journey.place("channel"), to: channel)
                try damage.inflict(channel)
                let result = try SnpackProcess.run(
                    journey.storeWords(["sync", "damaged", Journey.id]), in: journey.directory)
                #expect(result.status == damage.status, "\(damage.testDescription): \(result)")
                #expect(journey.storeFiles() == before, "\(damage.testDescription)")
                #expect(try journey.names("Kesse") == answer, "\(damage.testDescription)")
                #expect(try journey.store("style", Journey.id).output == style, "\(damage.testDescription)")
            }
            try checkUse(journey, "1.0.0")
            try journey.store("sync", "channel", Journey.id)
            try checkUse(journey, "1.1.0")
        }
    }
}
