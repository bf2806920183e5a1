import Diagnostics
import DurableFiles
import MapLayers
import SnpackTestSupport
import Testing

@Suite struct StyleFuzzTests {
    /// A few bytes of `bytes` changed.
    private func flipped(_ bytes: [UInt8], using random: inout SeededGenerator) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            bytes[Int.random(in: 0..<bytes.count, using: &random)] ^= UInt8.random(in: 1...255, using: &random)
        }
        return bytes
    }

    @Test func survivesRandomlyFlippedDocuments() throws {
        var random = SeededGenerator()
        print("seed \(random.seed)")
        var layer = MemoryLayer()
        let document = try MemoryLayer(sample: "v1/style")["light.json"]
        var refused = 0
        for _ in FuzzRounds(10_000) {
            layer["light.json"] = flipped(document, using: &random)
            if try !StyleCheck.facts(of: layer).faults.isEmpty { refused += 1 }
        }
        #expect(refused > 1_000)
    }

    @Test func survivesRandomlyFlippedPictures() throws {
        var random = SeededGenerator()
        print("seed \(random.seed)")
        let picture = Array(try MemoryLayer(sample: "v1/style")["sprite.png"])
        #expect(try PNGHeader(MemoryFile(picture)).width == 128)
        var refused = 0
        for _ in FuzzRounds(10_000) {
            let head = flipped(Array(picture.prefix(45)), using: &random)
            do {
                _ = try PNGHeader(MemoryFile(head + picture.suffix(12)))
            } catch { refused += 1 }
        }
        #expect(refused > 1_000)
    }

    @Test func survivesRandomlyFlippedGlyphs() throws {
        var random = SeededGenerator()
        print("seed \(random.seed)")
        let glyphs = try MemoryLayer(sample: "v1/style")["fonts/Open Sans Regular/8192-8447.pbf"]
        let range = try #require(GlyphRange(fileName: "8192-8447.pbf"))
        try range.check(glyphs)
        var refused = 0
        for _ in FuzzRounds(10_000) {
            do { try range.check(flipped(glyphs, using: &random)) } catch { refused += 1 }
        }
        #expect(refused > 100)
    }
}
