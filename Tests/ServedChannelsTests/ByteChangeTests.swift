import Diagnostics
import Foundation
import ServedChannels
import Testing

@Suite struct ByteChangeTests {
    /// As snpack writes it, with a letter beyond ASCII.
    private let original = Array("{\n  \"attribution\": \"© a\",\n  \"type\": \"x\"\n}\n".utf8)

    private func code(_ bytes: [UInt8]) -> String? {
        ByteChange.explaining(bytes) { $0 == original }?.code.name
    }

    private var text: String { String(decoding: original, as: UTF8.self) }

    @Test func namesEachChange() throws {
        #expect(code(Array(text.replacing("\n", with: "\r\n").utf8)) == "served.line-ends")
        #expect(code([0xEF, 0xBB, 0xBF] + original) == "served.byte-order-mark")
        #expect(code(Array(original.dropLast())) == "served.end-changed")
        #expect(code(original + [0x0A]) == "served.end-changed")
        #expect(code([0xFF, 0xFE] + text.utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }) == "served.transcoded")
        #expect(code([0xFE, 0xFF] + text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }) == "served.transcoded")
        #expect(code(text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }) == "served.transcoded")
        #expect(code(original.flatMap { Array(String(Unicode.Scalar($0)).utf8) }) == "served.transcoded")
        #expect(code(Array("{\"type\":\"x\",\"attribution\":\"\\u00a9 a\"}".utf8)) == "served.reformatted")
    }

    @Test func namesTwoChangesByTheOuter() {
        #expect(code([0xEF, 0xBB, 0xBF] + text.replacing("\n", with: "\r\n").utf8) == "served.byte-order-mark")
    }

    @Test func anotherDocumentIsNoChange() {
        #expect(code(Array("{\n  \"type\": \"y\"\n}\n".utf8)) == nil)
        #expect(code([]) == nil)
        #expect(code([0x1F, 0x8B, 8, 0]) == nil)
        #expect(code([0xFF, 0xFE, 0]) == nil)
    }
}
