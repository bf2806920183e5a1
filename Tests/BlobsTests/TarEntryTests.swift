import Blobs
import Diagnostics
import Testing

@Suite struct TarEntryTests {
    private func header(_ bytes: [UInt8], block: Int = 0) -> ArraySlice<UInt8> {
        bytes[block * 512..<block * 512 + 512]
    }

    private func text(_ bytes: [UInt8], at offset: Int, _ count: Int) -> String {
        String(decoding: bytes[offset..<offset + count].prefix { $0 != 0 }, as: UTF8.self)
    }

    @Test func plainFileHasOneHeaderWithFixedFields() {
        let bytes = TarEntry(path: "valhalla/0/003/016.gph", byteCount: 1_234).headers
        #expect(bytes.count == 512)
        #expect(text(bytes, at: 0, 100) == "valhalla/0/003/016.gph")
        #expect(text(bytes, at: 100, 8) == "0000644")
        #expect(text(bytes, at: 108, 8) == "0000000" && text(bytes, at: 116, 8) == "0000000")
        #expect(text(bytes, at: 124, 12) == "00000002322")
        #expect(text(bytes, at: 136, 12) == "00000000000")
        #expect(bytes[156] == UInt8(ascii: "0"))
        #expect(Array(bytes[257..<265]) == Array("ustar\0".utf8) + Array("00".utf8))
        #expect(text(bytes, at: 329, 8) == "0000000" && text(bytes, at: 337, 8) == "0000000")
        #expect(bytes[157..<257].allSatisfy { $0 == 0 } && bytes[265..<329].allSatisfy { $0 == 0 })
        #expect(bytes[345...].allSatisfy { $0 == 0 })
        let blank = bytes[..<148] + [UInt8](repeating: 0x20, count: 8) + bytes[156...]
        let sum = String(blank.reduce(0) { $0 + Int($1) }, radix: 8)
        #expect(
            Array(bytes[148..<156]) == Array((String(repeating: "0", count: 6 - sum.count) + sum).utf8) + [0, 0x20])
    }

    @Test(arguments: [(99, 512), (100, 512), (101, 1_536)])
    func namesOverAHundredBytesNeedPax(count: Int, headers: Int) {
        let path = String(repeating: "n", count: count)
        let bytes = TarEntry(path: path, byteCount: 0).headers
        #expect(bytes.count == headers)
        #expect(text(bytes, at: headers - 512, 100) == String(path.prefix(100)))
        if headers > 512 {
            #expect(bytes[156] == UInt8(ascii: "x") && text(bytes, at: 0, 100) == "pax")
            #expect(text(bytes, at: 512, 512) == "111 path=\(path)\n")
            #expect(text(bytes, at: 124, 12) == "00000000157")
        }
    }

    @Test func anyByteBeyondASCIINeedsPax() {
        let bytes = TarEntry(path: "é", byteCount: 0).headers
        #expect(bytes.count == 1_536)
        #expect(text(bytes, at: 512, 512) == "11 path=é\n")
        #expect(text(bytes, at: 1_024, 100) == "é")
    }

    @Test func nameIsCutBackToAWholeCharacter() {
        // Bytes 99 and 100 are one character's: the 100-byte field must not hold half of it.
        let path = String(repeating: "a", count: 99) + "é" + "tail"
        #expect(text(TarEntry(path: path, byteCount: 0).headers, at: 1_024, 100) == String(repeating: "a", count: 99))
        let wide = String(repeating: "a", count: 97) + "😀" + "tail"
        #expect(text(TarEntry(path: wide, byteCount: 0).headers, at: 1_024, 100) == String(repeating: "a", count: 97))
        let whole = String(repeating: "a", count: 96) + "😀" + "tail"
        #expect(
            text(TarEntry(path: whole, byteCount: 0).headers, at: 1_024, 100) == String(repeating: "a", count: 96) + "😀"
        )
    }

    @Test func recordLengthsAroundTheDigitBoundariesAreTheirOwn() {
        for count in 2...300 {
            let path = "é" + String(repeating: "n", count: count - 2)
            let bytes = TarEntry(path: path, byteCount: 0).headers
            let records = bytes[512..<bytes.count - 512].prefix { $0 != 0 }
            #expect(Int(String(decoding: records.prefix { $0 != 0x20 }, as: UTF8.self)) == records.count, "\(count)")
        }
    }

    @Test func sizesFromEightGibibytesNeedPax() {
        let last = TarEntry(path: "big", byteCount: (1 << 33) - 1)
        #expect(last.headers.count == 512)
        #expect(text(last.headers, at: 124, 12) == "77777777777")
        #expect(last.paddingByteCount == 1 && last.unitByteCount == 512 + (1 << 33))
        let first = TarEntry(path: "big", byteCount: 1 << 33)
        #expect(first.headers.count == 1_536)
        #expect(text(first.headers, at: 512, 512) == "19 size=8589934592\n")
        #expect(text(first.headers, at: 1_024 + 124, 12) == "00000000000")
        #expect(first.unitByteCount == 1_536 + (1 << 33))
    }

    @Test func pathRecordComesBeforeSizeRecord() {
        let bytes = TarEntry(path: "größe", byteCount: 1 << 33).headers
        #expect(text(bytes, at: 512, 512) == "16 path=größe\n19 size=8589934592\n")
    }

    @Test func longestPathTakesTwoBlocksOfRecords() {
        let path = (0..<4).map { "\($0)" + String(repeating: "p", count: 126) }.joined(separator: "/")
        #expect(path.utf8.count == 511)
        #expect(TarEntry(path: path, byteCount: 1).headers.count == 512 + 1_024 + 512)
        // The longest unit that section 5.1 allows for: 3,583 bytes beyond the content.
        #expect(TarEntry(path: path + "e", byteCount: 1).unitByteCount <= 1 + 3_583)
    }

    // MARK: - Layouts

    /// Sizes of files whose stream ends at the limit, and the least that goes beyond it. Files with holes have sizes that
    /// overflow in any sum.
    @Test(arguments: [
        ([TarLayout.byteLimit - 512], true), ([TarLayout.byteLimit - 511], false),
        ([TarLayout.byteLimit / 2 - 512, TarLayout.byteLimit / 2 - 512], true),
        ([TarLayout.byteLimit / 2 - 512, TarLayout.byteLimit / 2 - 511], false),
        ([.max], false), ([1 << 63, 1 << 63], false), ([UInt64](repeating: 1 << 62, count: 5), false),
    ])
    func aStreamEndsAtFourTebibytes(sizes: [UInt64], fits: Bool) {
        // A size of 8 GiB or more takes two blocks for its pax header.
        let entries = sizes.enumerated().map { TarEntry(path: "f\($0)", byteCount: $1 < 1_024 ? $1 : $1 - 1_024) }
        if fits {
            #expect(throws: Never.self) { try TarLayout(entries) }
        } else {
            let error = #expect(throws: SnpackError.self) { try TarLayout(entries) }
            #expect(error?.code == .layerNotPackable)
        }
    }
}
