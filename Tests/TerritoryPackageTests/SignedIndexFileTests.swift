import Diagnostics
import SnpackTestSupport
import TerritoryPackage
import Testing

@Suite struct SignedIndexFileTests {
    private let line = [UInt8](repeating: UInt8(ascii: "A"), count: 86) + Array("==".utf8)
    private let index = Array("{\n  \"a\": 1\n}\n".utf8)

    @Test func partsSurviveTheFile() throws {
        let file = SignedIndexFile(index: index, signature: line + [0x0A] + line)
        #expect(try SignedIndexFile(decoding: file.encoded) == file)
        #expect(file.encoded == line + [0x0A] + line + [0x0A] + index)
    }

    @Test func theIndexBeginsAtTheFirstLineThatBeginsWithABrace() throws {
        let compact = Array("{\"b\":{\n{}}}".utf8)
        let file = try SignedIndexFile(decoding: line + Array("\r\n \t\n".utf8) + compact)
        #expect(file.index == compact)
        #expect(file.signature == line + Array("\r\n \t".utf8))
        // A brace within a line begins nothing.
        #expect(try SignedIndexFile(decoding: Array("A{\n".utf8) + index).index == index)
    }

    @Test func signatureLinesEndSomewhere() throws {
        let most = [UInt8](repeating: 0x20, count: 1_023) + [0x0A]
        #expect(try SignedIndexFile(decoding: most + index).index == index)
        for bytes in [
            [], index, line, line + [0x0A], line + index, [0x20] + most + index, [0x0A] + most + index,
            [UInt8](repeating: 0x0A, count: 1_025) + index, [UInt8](repeating: 0x41, count: 1 << 20),
        ] {
            let error = #expect(throws: SnpackError.self, "\(bytes.prefix(9))") { try SignedIndexFile(decoding: bytes) }
            #expect(error?.code.name == "index.signed-malformed")
        }
    }

    @Test func randomBytesNeverTrap() {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SplitMix(seed: seed)
        for _ in 0..<2_000 {
            var bytes = SignedIndexFile(index: index, signature: line).encoded
            for _ in 0..<3 {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random))
            if let file = try? SignedIndexFile(decoding: bytes) {
                #expect(file.index.first == UInt8(ascii: "{"), "seed \(seed)")
            }
        }
    }
}
