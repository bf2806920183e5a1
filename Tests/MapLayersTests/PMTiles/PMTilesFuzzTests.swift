import Diagnostics
import DurableFiles
import Foundation
import MapLayers
import SnpackTestSupport
import Testing

@Suite struct PMTilesFuzzTests {
    struct SplitMix: RandomNumberGenerator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var z = state
            z = (z ^ z >> 30) &* 0xBF58_476D_1CE4_E5B9
            z = (z ^ z >> 27) &* 0x94D0_49BB_1331_11EB
            return z ^ z >> 31
        }
    }

    /// The low zooms of the real archive: its header and directories, but few tiles, so that 10,000 tries are quick.
    static func smallRealArchive() throws -> [UInt8] {
        let bytes = try Array(Data(contentsOf: PMTilesCheckTests.sample))
        let archive = try PMTilesArchive(MemoryFile(bytes))
        var small = HandBuiltArchive()
        small.header = archive.header
        small.header.maxZoom = 8
        small.header.centerZoom = 8
        var entries: [[UInt64]] = []
        for entry in archive.root where TileAddress.zoom(ofID: entry.tileID) ?? 99 <= 8 {
            entries.append([entry.tileID, UInt64(small.tiles.count), UInt64(entry.byteCount), 1])
            small.tiles += try archive.content(of: entry)
        }
        let count = UInt64(entries.count)
        (small.header.addressedTileCount, small.header.entryCount, small.header.contentCount) = (count, count, count)
        small.root = HandBuiltArchive.directory(entries)
        return try small.bytes()
    }

    @Test func tenThousandFlipsGiveAnErrorOrAPass() throws {
        let seed = UInt64.random(in: 0 ... .max)
        print("tenThousandFlipsGiveAnErrorOrAPass: seed \(seed)")
        var random = SplitMix(state: seed)
        let original = try Self.smallRealArchive()
        #expect(try facts(original).faults.faults.map(\.description) == [])
        let header = try PMTilesHeader(decoding: original)
        var refused = 0
        for attempt in FuzzRounds(10_000) {
            var bytes = original
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                // Half of the flips go where every bit has a meaning.
                let end = attempt % 2 == 0 ? Int(header.tiles.offset) : bytes.count
                bytes[Int.random(in: 0..<end, using: &random)] ^= 1 << UInt8.random(in: 0...7, using: &random)
            }
            if try !facts(bytes).faults.isEmpty { refused += 1 }
        }
        #expect(refused > 5_000)
    }

    /// Behind gzip's checksum hardly a flip gets through, so directories are flipped before they are packed.
    @Test func flippedDirectoriesGiveAnErrorOrAPass() throws {
        let seed = UInt64.random(in: 0 ... .max)
        print("flippedDirectoriesGiveAnErrorOrAPass: seed \(seed)")
        var random = SplitMix(state: seed)
        let original = try HandBuiltArchive.pml()
        var plain = try HandBuiltArchive.pm1(internalGzip: false)
        plain.leaves = original.root
        for attempt in FuzzRounds(5_000) {
            var archive = attempt % 2 == 0 ? plain : original
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let index = Int.random(in: 0..<archive.root.count, using: &random)
                archive.root[index] ^= 1 << UInt8.random(in: 0...7, using: &random)
            }
            _ = try facts(archive.bytes())
        }
    }
}
