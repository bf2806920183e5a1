import Diagnostics
import DurableFiles
import Foundation
import MapLayers
import SnpackTestSupport
import TerritoryModel
import Testing

@Suite struct StyleCheckTests {
    private static let glyphs = "fonts/Open Sans Regular/0-255.pbf"

    private func facts(_ change: (inout MemoryLayer) throws -> Void = { _ in }) throws -> LayerFacts {
        var layer = try MemoryLayer(sample: "v1/style")
        try change(&layer)
        return try StyleCheck.facts(of: layer, context: WorkContext(jobs: 2))
    }

    /// The sample's style with `light.json` alone, after `change`.
    private func light(
        files: (inout MemoryLayer) -> Void = { _ in }, _ change: (inout JSONObject) -> Void
    ) throws -> LayerFacts {
        try facts { layer in
            layer.contents["dark.json"] = nil
            var root = try #require(StrictJSON.parse(layer["light.json"]).objectValue)
            change(&root)
            layer["light.json"] = JSONValue.object(root).canonicalBytes
            files(&layer)
        }
    }

    /// The style with its layer `road-labels` changed.
    private func labels(
        files: (inout MemoryLayer) -> Void = { _ in }, _ key: String, _ value: JSONValue?
    ) throws -> LayerFacts {
        try light(files: files) { root in
            var layers = root["layers"]?.arrayValue ?? []
            for index in layers.indices {
                guard var layer = layers[index].objectValue, layer["id"] == "road-labels" else { continue }
                var layout = layer["layout"]?.objectValue ?? [:]
                layout[key] = value
                layer["layout"] = .object(layout)
                layers[index] = .object(layer)
            }
            root["layers"] = .array(layers)
        }
    }

    private func source(_ key: String, _ value: JSONValue) throws -> LayerFacts {
        try light { root in
            var sources = root["sources"]?.objectValue ?? [:]
            var source = sources["liechtenstein"]?.objectValue ?? [:]
            source[key] = value
            sources["liechtenstein"] = .object(source)
            root["sources"] = .object(sources)
        }
    }

    @Test(arguments: ["v1", "v2"]) func sampleStylePasses(version: String) throws {
        let facts = try StyleCheck.facts(of: MemoryLayer(sample: "\(version)/style"))
        #expect(facts.faultLines.isEmpty && facts.warnings.isEmpty)
        #expect(facts.meta == ["themes": ["dark", "light"], "font_stacks": ["Open Sans Regular"]])
        #expect(
            Set(facts.styleSourceLayers.map(\.name)).isSuperset(of: ["roads", "water", "places", "pois", "buildings"]))
    }

    @Test(.enabled(if: ProjectFiles.sharedData != nil, "needs the larger territory beside the checkout"))
    func sharedStylePasses() throws {
        let data = try #require(ProjectFiles.sharedData)
        for version in ["v1", "v2"] {
            let facts = try StyleCheck.facts(of: MemoryLayer(reading: data.appending(path: "\(version)/style")))
            #expect(facts.faultLines.isEmpty && facts.warnings.isEmpty)
        }
    }

    // MARK: Documents

    @Test func refusesLayerWithoutDocument() throws {
        let facts = try facts {
            $0.contents["light.json"] = nil
            $0.contents["dark.json"] = nil
        }
        #expect(facts.faultCodes == ["style.no-document"])
        #expect(try self.facts { $0.contents = [:] }.faultLines == ["style.no-document -"])
    }

    @Test func oneStyleDocumentIsEnough() throws {
        let facts = try facts {
            $0["style.json"] = $0["light.json"]
            $0.contents["light.json"] = nil
            $0.contents["dark.json"] = nil
        }
        #expect(facts.faultLines.isEmpty && facts.meta["themes"] == ["style"])
    }

    @Test func refusesWhatIsNoStyle() throws {
        #expect(try facts { $0["dark.json"].removeLast(9) }.faultLines == ["style.document layer/dark.json"])
        #expect(try light { $0["version"] = 7 }.faultLines == ["style.document layer/light.json"])
        #expect(try light { $0["layers"] = "none" }.faultCodes == ["style.document"])
        #expect(try light { $0["sources"] = JSONValue.null }.faultCodes == ["style.document"])
        let deep = JSONValue.array([])
        #expect(
            try light { $0["metadata"] = (0..<200).reduce(deep) { value, _ in .array([value]) } }.faultCodes == [
                "style.document"
            ])
    }

    @Test(
        arguments: [
            (["id": "water", "type": "fill", "source": "liechtenstein", "source-layer": "water"], "style.layer-id"),
            (["type": "background"], "style.layer-id"), (["id": "x"], "style.layer-type"),
            (["id": "x", "type": "hologram"], "style.layer-type"), (["id": "x", "type": "line"], "style.layer-source"),
            (["id": "x", "type": "line", "source": "elsewhere", "source-layer": "water"], "style.layer-source"),
            (["id": "x", "type": "raster", "source": "liechtenstein"], "style.layer-source"),
            (["id": "x", "type": "line", "source": "liechtenstein"], "style.source-layer"), (7, "style.layer-id"),
        ] as [(JSONValue, String)])
    func refusesBadLayer(layer: JSONValue, code: String) throws {
        let facts = try light { $0["layers"] = .array(($0["layers"]?.arrayValue ?? []) + [layer]) }
        #expect(facts.faultLines == ["\(code) layer/light.json"])
    }

    @Test func refusesBadSources() throws {
        #expect(try source("type", "quantum").faultCodes.isSuperset(of: ["style.source"]))
        #expect(try light { $0["sources"] = ["liechtenstein": ["type": "vector"]] }.faultCodes == ["style.source"])
    }

    // MARK: References

    @Test("Case 109: every reference to the internet is listed")
    func case109_remoteReferences() throws {
        #expect(
            try light { $0["sprite"] = "https://example.org/sprite" }.faultLines == [
                "style.remote-url layer/light.json"
            ])
        #expect(try light { $0["glyphs"] = "//host/{fontstack}/{range}.pbf" }.faultCodes == ["style.remote-url"])
        #expect(try light { $0["sprite"] = "mapbox://sprites/x/y" }.faultCodes == ["style.remote-url"])
        #expect(try source("url", "pmtiles://https://example.org/a.pmtiles").faultCodes == ["style.remote-url"])
        #expect(try source("url", "HTTPS://example.org/tiles.json").faultCodes == ["style.remote-url"])
        #expect(try source("url", "tiles.json?key={key}").faultCodes == ["style.placeholder", "style.file-missing"])
        let several = try source(
            "tiles", ["https://a.example/{z}/{x}/{y}.pbf", "http://b.example/{z}/{x}/{y}.pbf?k={key}"])
        let messages = several.faults.faults.map(\.message)
        #expect(several.faultCodes == ["style.remote-url", "style.placeholder"])
        #expect(messages.contains { $0.hasPrefix("sources.liechtenstein.tiles[0] ") })
        #expect(messages.contains { $0.hasPrefix("sources.liechtenstein.tiles[1] ") })
        let nested = try light {
            $0["imports"] = [
                ["id": "a", "url": "https://example.org/style.json"],
                ["id": "b", "data": ["version": 8, "sprite": "../x", "sources": ["s": ["url": "mapbox://x"]]]],
            ]
        }
        #expect(
            nested.faults.faults.map { "\($0.code) \($0.message.prefix { $0 != " " })" } == [
                "style.remote-url imports[0].url", "style.remote-url imports[1].data.sources.s.url",
                "style.path-outside imports[1].data.sprite",
            ])
    }

    @Test("Case 109: what the package itself holds is allowed")
    func case109_allowedReferences() throws {
        for url in ["pmtiles://map.pmtiles", "pmtiles://../map.pmtiles", "pmtiles://./a/b.pmtiles"] {
            #expect(try source("url", .string(url)).faultLines.isEmpty)
        }
        #expect(try source("url", "pmtiles:///srv/map.pmtiles").warningCodes == ["style.pmtiles-place"])
        #expect(try source("url", "data:application/json;base64,e30=").faultLines.isEmpty)
        #expect(
            try source("attribution", "<a href=\"https://www.openstreetmap.org/copyright\">OSM</a>").faultLines.isEmpty)
        let mention = try light { $0["metadata"] = ["home": "https://example.org"] }
        #expect(mention.faultLines.isEmpty && mention.warningCodes == ["style.remote-mention"])
    }

    @Test(arguments: [
        ("../sprite", "style.path-outside"), ("a/../../sprite", "style.path-outside"),
        ("/srv/sprite", "style.path-outside"),
        ("%2e%2e/sprite", "style.path-outside"), ("..\\sprite", "style.path-outside"), ("", "style.path-outside"),
        ("file:///srv/sprite", "style.url-scheme"), ("asset://sprite", "style.url-scheme"),
        ("icons/sprite", "style.file-missing"), ("C:/sprite", "style.url-scheme"),
    ])
    func refusesReferencesOutOfTheLayer(sprite: String, code: String) throws {
        #expect(try light { $0["sprite"] = .string(sprite) }.faultLines == ["\(code) layer/light.json"])
    }

    @Test(arguments: ["pmtiles://../../map.pmtiles", "pmtiles://a/../map.pmtiles", "pmtiles://"])
    func refusesArchivesOutOfThePackage(url: String) throws {
        #expect(try source("url", .string(url)).faultCodes == ["style.path-outside"])
    }

    // MARK: Fonts

    @Test("Case 111: a stack is one directory, or one for each of its fonts")
    func case111_fontStacks() throws {
        let fonts: JSONValue = ["Noto Sans Regular", "Noto Sans Bold"]
        func add(_ stack: String, range: String = "0-255", _ layer: inout MemoryLayer) {
            layer["fonts/\(stack)/\(range).pbf"] =
                layer[range == "0-255" ? Self.glyphs : "fonts/Open Sans Regular/\(range).pbf"]
        }
        #expect(try labels("text-font", fonts).faultLines == ["style.font-missing layer/light.json"])
        let whole = try labels(files: { add("Noto Sans Regular,Noto Sans Bold", &$0) }, "text-font", fonts)
        #expect(whole.faultLines.isEmpty && whole.warnings.isEmpty)
        let single = try labels(
            files: {
                add("Noto Sans Regular", &$0)
                add("Noto Sans Bold", &$0)
            }, "text-font", fonts)
        #expect(single.faultLines.isEmpty && single.warningCodes == ["style.font-fallback"])
        let half = try labels(files: { add("Noto Sans Regular", &$0) }, "text-font", fonts)
        #expect(half.faultCodes == ["style.font-missing"])
        #expect(half.faults.faults.first?.message.contains("no glyphs for \"Noto Sans Bold\"") == true)
        let noLatin = try labels(
            files: {
                add("Noto Sans Regular", &$0)
                add("Noto Sans Bold", range: "256-511", &$0)
            }, "text-font", fonts)
        #expect(noLatin.faultLines == ["style.font-range layer/light.json"])
    }

    @Test(
        "Case 111: fonts within expressions are found",
        arguments: [
            ["case", ["==", ["get", "a"], 1], ["literal", ["A"]], ["literal", ["B"]]],
            ["step", ["zoom"], ["literal", ["A"]], 12, ["literal", ["B"]]],
            ["match", ["get", "a"], ["x", "y"], ["literal", ["A"]], ["literal", ["B"]]],
            ["coalesce", ["literal", ["A"]], ["literal", ["B"]]],
            ["stops": [[0, ["A"]], [12, ["B"]]]],
            ["let", "f", 1, ["case", true, ["literal", ["A"]], ["literal", ["B"]]]],
        ] as [JSONValue])
    func case111_fontExpressions(property: JSONValue) throws {
        let facts = try labels("text-font", property)
        #expect(facts.faultCodes == ["style.font-missing"] && facts.faults.count == 2)
        #expect(facts.faults.faults.map { $0.message.contains("\"A\"") } == [true, false])
    }

    @Test func findsFontsOfFormattedTextAndDefaults() throws {
        let format: JSONValue = ["format", ["get", "name"], ["text-font": ["literal", ["Missing Font"]]], "\n", [:]]
        #expect(try labels("text-field", format).faultCodes == ["style.font-missing"])
        #expect(try labels("text-font", nil).faults.faults.first?.message.contains("Arial Unicode MS Regular") == true)
        let open = try labels("text-font", ["get", "font"])
        #expect(open.faultLines.isEmpty && open.warningCodes == ["style.font-unknown"])
        #expect(try labels("text-font", "Open Sans Regular").faultCodes == ["style.document"])
        #expect(try light { $0["glyphs"] = nil }.faultCodes == ["style.glyphs-template"])
        #expect(try light { $0["glyphs"] = "fonts/{range}.pbf" }.faultCodes == ["style.glyphs-template"])
    }

    @Test func refusesDamagedGlyphFiles() throws {
        let elsewhere = "fonts/Open Sans Regular/1-256.pbf"
        #expect(try facts { $0[elsewhere] = $0[Self.glyphs] }.faultLines == ["style.glyph-name layer/\(elsewhere)"])
        let renamed = "fonts/Open Sans Regular/512-767.pbf"
        #expect(try facts { $0[renamed] = $0[Self.glyphs] }.faultLines == ["style.glyph-range layer/\(renamed)"])
        #expect(
            try facts { $0[Self.glyphs].removeLast(7) }.faultLines == ["style.glyph-malformed layer/\(Self.glyphs)"])
        #expect(try facts { $0[Self.glyphs] = [] }.faultLines == ["style.glyph-malformed layer/\(Self.glyphs)"])
    }

    @Test(arguments: [
        "0-256.pbf", "00-255.pbf", "+0-255.pbf", "0-255.PBF", "0-255", "255-0.pbf", "-1-254.pbf", "1114112-1114367.pbf",
        "4294967040-4294967295.pbf",
    ])
    func refusesRangeName(name: String) { #expect(GlyphRange(fileName: name) == nil) }

    // MARK: Icons

    @Test func refusesIconsThatNoSpriteHas() throws {
        #expect(try labels("icon-image", "unicorn").faultLines == ["style.icon-missing layer/light.json"])
        #expect(
            try labels("icon-image", ["image", ["case", true, "dot", "unicorn"]]).faultCodes == ["style.icon-missing"])
        #expect(
            try labels("text-field", ["format", ["image", "unicorn"], [:]]).faultCodes == ["style.icon-missing"])
        #expect(try labels("icon-image", ["match", ["get", "a"], "x", "dot", "food"]).faultLines.isEmpty)
        for open in ["{kind}-11", ["concat", "a", ["get", "b"]]] as [JSONValue] {
            let facts = try labels("icon-image", open)
            #expect(facts.faultLines.isEmpty && facts.warningCodes == ["style.icon-unknown"])
        }
        #expect(try light { $0["sprite"] = nil }.faultCodes == ["style.icon-missing"])
    }

    @Test func refusesSpriteWhoseFilesDisagree() throws {
        func sprite(_ file: String, _ change: (inout JSONObject) -> Void) throws -> [String] {
            try facts { layer in
                var root = try #require(StrictJSON.parse(layer[file]).objectValue)
                change(&root)
                layer[file] = JSONValue.object(root).canonicalBytes
            }.faultLines
        }
        let image: JSONValue = ["x": 120, "y": 0, "width": 16, "height": 16, "pixelRatio": 1]
        #expect(try sprite("sprite.json") { $0["dot"] = image } == ["style.sprite-mismatch layer/sprite.json"])
        #expect(
            try sprite("sprite@2x.json") { $0["dot"] = nil } == [
                "style.sprite-mismatch layer/sprite@2x.json"
            ])
        let ratio: JSONValue = ["x": 0, "y": 0, "width": 32, "height": 32, "pixelRatio": 1]
        #expect(try sprite("sprite@2x.json") { $0["dot"] = ratio } == ["style.sprite-mismatch layer/sprite@2x.json"])
        #expect(try sprite("sprite.json") { $0["dot"] = ["x": -1] } == ["style.sprite-malformed layer/sprite.json"])
        #expect(try facts { $0["sprite.json"] = [0x5B] }.faultLines == ["style.sprite-malformed layer/sprite.json"])
        #expect(try facts { $0["sprite.png"][18] ^= 1 }.faultLines == ["style.sprite-malformed layer/sprite.json"])
        #expect(try facts { $0["sprite.png"].removeLast() }.faultLines == ["style.sprite-malformed layer/sprite.json"])
        #expect(try facts { $0.contents["sprite.png"] = nil }.faultCodes == ["style.sprite-mismatch"])
        let plain = try facts {
            $0.contents["sprite@2x.png"] = nil
            $0.contents["sprite@2x.json"] = nil
        }
        #expect(plain.faultLines.isEmpty && plain.warningCodes == ["style.sprite-scale"])
    }

    @Test func readsSpritesWithIDs() throws {
        let sprites: JSONValue = [["id": "default", "url": "sprite"], ["id": "more", "url": "./sprite"]]
        #expect(try light { $0["sprite"] = sprites }.faultLines.isEmpty)
        let named = try light { root in
            root["sprite"] = sprites
            root["layers"] = [["id": "b", "type": "background", "paint": ["background-pattern": "more:dot"]]]
        }
        #expect(named.faultLines.isEmpty)
    }
}
