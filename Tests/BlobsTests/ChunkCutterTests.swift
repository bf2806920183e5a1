import Blobs
import SnpackTestSupport
import Testing

@Suite struct ChunkCutterTests {
    private static let mebibyte: UInt64 = 1 << 20

    private func cut(_ units: [UInt64]) -> [Int] {
        var cutter = ChunkCutter(entryCount: units.count) { units[$0] }
        var lengths: [Int] = []
        while let next = cutter.next() { lengths.append(next) }
        return lengths
    }

    /// Section 4.2, said once more in another way.
    private func expected(_ units: [UInt64]) -> [Int] {
        var closed: [UInt64] = []
        var open: UInt64 = 0
        for unit in units {
            if open + unit <= Self.mebibyte {
                open += unit
                continue
            }
            if open > 0 { closed.append(open) }
            var rest = unit
            while rest > Self.mebibyte {
                closed.append(Self.mebibyte)
                rest -= Self.mebibyte
            }
            open = rest
        }
        closed.append(open + 1_024)
        return closed.map { Int($0) }
    }

    @Test func unitThatFillsTheChunkExactlyJoinsIt() {
        #expect(cut([1_024, Self.mebibyte - 1_024]) == [1_048_576 + 1_024])
        #expect(cut([1_024, Self.mebibyte - 512]) == [1_024, 1_048_576 - 512 + 1_024])
    }

    @Test func longUnitIsCutIntoMebibytesAndItsLastPieceStaysOpen() {
        #expect(cut([Self.mebibyte * 2]) == [1_048_576, 1_048_576 + 1_024])
        #expect(cut([Self.mebibyte * 2 + 512, 512]) == [1_048_576, 1_048_576, 512 + 512 + 1_024])
        #expect(cut([512, Self.mebibyte + 512]) == [512, 1_048_576, 512 + 1_024])
    }

    @Test func longestChunkIsAMebibyteAndTheEndBlocks() {
        #expect(cut([Self.mebibyte]).max() == 1_049_600)
    }

    @Test func randomLayersAreCutAsTheRuleSays() {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SplitMix(seed: seed)
        for _ in 0..<500 {
            let units = (0..<Int.random(in: 1...40, using: &random)).map { _ in
                512 * UInt64.random(in: 1...(Bool.random(using: &random) ? 64 : 9_000), using: &random)
            }
            let lengths = cut(units)
            #expect(lengths == expected(units), "seed \(seed)")
            #expect(lengths.reduce(0, +) == Int(units.reduce(0, +)) + 1_024, "seed \(seed)")
            #expect(lengths.allSatisfy { (1...1_049_600).contains($0) }, "seed \(seed)")
        }
    }
}
