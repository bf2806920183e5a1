import Diagnostics
import Hashing
import Testing

@Suite struct Blake3DigestTests {
    let abc = "6437b3ac38465133ffb63b75273a8db548c558465d79db03fd359c6cd5bd9d85"

    @Test func textAndBytesTellTheSame() throws {
        let digest = Blake3Digest.of([UInt8]("abc".utf8))
        #expect(digest.hex == abc)
        #expect("\(digest)" == abc)
        #expect(digest.shortHex == "6437b3ac38465133")
        #expect(digest.bytes.count == Blake3Digest.byteCount)
        #expect(digest.bytes.prefix(4) == [0x64, 0x37, 0xB3, 0xAC])
        #expect(digest.bytes.last == 0x85)
        #expect(try Blake3Digest(parsing: abc) == digest)
        #expect(Blake3Digest(bytes: digest.bytes) == digest)
        #expect(try Set([digest, Blake3Digest(parsing: abc)]).count == 1)
    }

    @Test func everyDigitSurvivesAtEveryPlace() throws {
        for place in 0..<64 {
            for digit in "123456789abcdef" {
                var text = [Character](repeating: "0", count: 64)
                text[place] = digit
                #expect(try Blake3Digest(parsing: String(text)).hex == String(text))
            }
        }
    }

    @Test func refusesAnyOtherNumberOfBytes() {
        #expect(Blake3Digest(bytes: []) == nil)
        #expect(Blake3Digest(bytes: [UInt8](repeating: 0, count: 31)) == nil)
        #expect(Blake3Digest(bytes: [UInt8](repeating: 0, count: 33)) == nil)
        #expect(Blake3Digest(bytes: repeatElement(7, count: 32))?.hex == String(repeating: "07", count: 32))
    }

    static let noDigests: [String] = {
        let digits = String(repeating: "0a", count: 32)
        let rest = String(digits.dropFirst())
        return [
            "", String(digits.dropLast()), digits + "0", digits.uppercased(), "A" + rest, "g" + rest, " " + rest,
            "/" + rest, ":" + rest, "`" + rest, "0x" + digits.dropLast(2), digits + "\n", rest + "\n", rest + "\0",
            // Digits and letters that only look right: Arabic-Indic, full-width, and "a" with an accent of its own.
            "٣" + rest, "３" + rest, "ａ" + rest, String(digits.dropLast(2)) + "٣", "a\u{301}" + digits.dropFirst(3),
        ]
    }()

    @Test(arguments: noDigests) func refusesTextThatIsNoDigest(_ text: String) {
        #expect { try Blake3Digest(parsing: text) } throws: { error in
            (error as? SnpackError)?.code.name == "digest.invalid"
        }
    }

    @Test func ordersByBytes() throws {
        let ascending = try ["00", "01", "7f", "80", "ff"].flatMap { edge in
            try [
                Blake3Digest(parsing: edge + String(repeating: "0", count: 62)),
                Blake3Digest(parsing: edge + String(repeating: "0", count: 60) + "01"),
                Blake3Digest(
                    parsing: edge + String(repeating: "0", count: 13) + "1" + String(repeating: "0", count: 48)),
                Blake3Digest(parsing: edge + String(repeating: "f", count: 62)),
            ]
        }
        for (left, a) in ascending.enumerated() {
            for (right, b) in ascending.enumerated() {
                #expect((a < b) == (left < right))
                #expect((a < b) == (a.hex < b.hex))
                #expect((a == b) == (left == right))
            }
        }
    }
}
