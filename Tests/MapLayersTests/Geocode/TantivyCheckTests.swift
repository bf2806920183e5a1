import Diagnostics
import DurableFiles
import Foundation
import MapLayers
import SnpackTestSupport
import TerritoryModel
import Testing

@Suite struct TantivyCheckTests {
    static let segment = "f2321ac2e25f4a58b050858429f575a5"

    @Test func sampleIndexPassesAndItsLocksAreLeftOut() throws {
        let facts = try GeocodeCheck.facts(of: MemoryLayer(sample: "v1/geocode-tantivy"))
        #expect(facts.faultLines == [] && facts.warnings.isEmpty)
        #expect(facts.leftOut == [".tantivy-meta.lock", ".tantivy-writer.lock"])
        #expect(facts.meta["form"] == "tantivy" && facts.meta["documents"] == 1136)
        #expect(facts.meta["version"] == "0.27.0" && facts.meta["index_format"] == 7)
        #expect(facts.requires.map(\.engine) == ["tantivy"] && facts.requires.map(\.version) == ["0.27.0"])
    }

    @Test(arguments: ["v1", "v2"]) func everyRealIndexPasses(_ version: String) throws {
        var layers = [try MemoryLayer(sample: "\(version)/geocode-tantivy")]
        if let data = ProjectFiles.sharedData {
            layers.append(try MemoryLayer(reading: data.appending(path: "\(version)/geocode-tantivy")))
        }
        for layer in layers { #expect(try GeocodeCheck.facts(of: layer).faultLines == []) }
    }

    @Test("Case 107: meta.json truncated at half is refused")
    func case107_truncatedMetaIsRefused() throws {
        var layer = try MemoryLayer(sample: "v1/geocode-tantivy")
        layer["meta.json"] = Array(layer["meta.json"].prefix(layer["meta.json"].count / 2))
        #expect(try GeocodeCheck.facts(of: layer).faultLines == ["geocode.tantivy-meta-malformed layer/meta.json"])
        layer.contents["meta.json"] = nil
        #expect(try GeocodeCheck.facts(of: layer).faultCodes == ["geocode.tantivy-meta-missing"])
    }

    @Test("Case 107: a listed segment whose files are missing is refused")
    func case107_missingSegmentIsRefused() throws {
        for component in ["fast", "fieldnorm", "idx", "pos", "store", "term"] {
            var layer = try MemoryLayer(sample: "v1/geocode-tantivy")
            layer.contents["\(Self.segment).\(component)"] = nil
            let facts = try GeocodeCheck.facts(of: layer)
            #expect(facts.faultLines == ["geocode.tantivy-file-missing layer/meta.json"])
            #expect(facts.faults.faults.first?.message.contains("\(Self.segment).\(component)") == true)
        }
    }

    @Test("Case 107: an unlisted segment is left out and told")
    func case107_unlistedSegmentIsLeftOut() throws {
        var layer = try MemoryLayer(sample: "v1/geocode-tantivy")
        let stray = String(repeating: "ab", count: 16) + ".store"
        layer[stray] = layer["\(Self.segment).store"]
        layer["notes.txt"] = [0x61]
        let facts = try GeocodeCheck.facts(of: layer)
        #expect(facts.faultLines == [])
        #expect(facts.leftOut == [".tantivy-meta.lock", ".tantivy-writer.lock", stray, "notes.txt"])
        #expect(facts.warningCodes == ["geocode.tantivy-stray"])
    }

    @Test func filesThatAreNotWholeAreRefused() throws {
        let file = "\(Self.segment).term"
        let whole = try MemoryLayer(sample: "v1/geocode-tantivy")
        func codes(_ change: (inout [UInt8]) -> Void) throws -> [String] {
            var layer = whole
            change(&layer[file])
            return try GeocodeCheck.facts(of: layer).faultLines
        }
        for count in [0, 7, 8, 90, 1_000, whole[file].count - 1] {
            #expect(try codes { $0 = Array($0.prefix(count)) } == ["geocode.tantivy-footer layer/\(file)"])
        }
        #expect(try codes { $0[17] ^= 1 } == ["geocode.tantivy-checksum layer/\(file)"])
        #expect(try codes { $0.put(UInt32.max, at: $0.count - 8) } == ["geocode.tantivy-footer layer/\(file)"])
        #expect(try codes { $0.put(UInt32(1_338), at: $0.count - 4) } == ["geocode.tantivy-footer layer/\(file)"])
    }

    @Test func schemaWithoutAFieldOfPlacesIsRefused() throws {
        var layer = try MemoryLayer(sample: "v1/geocode-tantivy")
        layer["meta.json"] = replaced(layer["meta.json"], "\"name\": \"lat\"", "\"name\": \"lbt\"")
        #expect(try GeocodeCheck.facts(of: layer).faultCodes == ["geocode.tantivy-schema"])
    }

    @Test func otherFormatInOneFileIsRefused() throws {
        var layer = try MemoryLayer(sample: "v1/geocode-tantivy")
        let file = "\(Self.segment).pos"
        layer[file] = replaced(layer[file], "\"index_format_version\":7", "\"index_format_version\":6")
        #expect(try GeocodeCheck.facts(of: layer).faultCodes == ["geocode.tantivy-mixed"])
    }

    @Test func damagedListOfFilesIsRefused() throws {
        var layer = try MemoryLayer(sample: "v1/geocode-tantivy")
        layer[".managed.json"].removeLast(3)
        #expect(
            try GeocodeCheck.facts(of: layer).faultLines == ["geocode.tantivy-meta-malformed layer/.managed.json"])
    }

    @Test func flippedBytesGiveAnErrorOrAPass() throws {
        let whole = try MemoryLayer(sample: "v1/geocode-tantivy")
        var random = SeededGenerator()
        print("flips in a Tantivy directory, seed \(random.seed)")
        let names = whole.files.map(\.path).filter { !$0.hasSuffix(".lock") }
        for _ in FuzzRounds(10_000) {
            var layer = whole
            let name = try #require(names.randomElement(using: &random))
            let count = layer[name].count
            let first = name.hasSuffix("json") ? 0 : count - 94
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                layer[name][Int.random(in: first..<count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            _ = try? GeocodeCheck.facts(of: layer)
        }
    }

    private func replaced(_ bytes: [UInt8], _ text: String, _ other: String) -> [UInt8] {
        guard let range = Data(bytes).range(of: Data(text.utf8)) else { return bytes }
        var result = bytes
        result.replaceSubrange(range, with: Array(other.utf8))
        return result
    }
}
