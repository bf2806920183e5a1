import Diagnostics
import Signing
import SnpackTestSupport
import Testing

@Suite struct SignatureTextTests {
    let message = Array("the exact bytes\n".utf8)
    let key: SecretKey
    let line: String

    init() throws {
        key = try seeded(KnownAnswerTests.rfc8032[0].seed)
        line = try key.sign(message).base64
    }

    private func verifies(_ text: String) -> Bool {
        guard let signatures = try? SignatureText(decoding: Array(text.utf8)) else { return false }
        return key.publicKey.verifies(signatures, message)
    }

    @Test func writesOneLineWithoutNewline() throws {
        let text = SignatureText(try key.sign(message))
        #expect(text.fileBytes == Array(line.utf8))
        #expect(text.fileBytes.count == 88)
        #expect(try SignatureText(decoding: text.fileBytes) == text)
    }

    @Test func passesOverBlanksAroundLines() {
        #expect(verifies(line))
        #expect(verifies("\n\n \t\(line) \t\r\n\r\n"))
        #expect(verifies("\r\n\(line)\r\n"))
    }

    @Test func refusesAnythingElseAroundOrInLines() {
        for text in [
            "", "\n", "\(line)x", "x\(line)", "\u{FEFF}\(line)", "\(line)\u{0}", "\(line)\u{B}", "\(line)\u{C}",
            "\(line)\u{A0}", "\(line)\u{2028}", "\(line) \(line)", "\(line)\r\(line)", "\(line)\(line)",
            "# comment\n\(line)",
            "-----BEGIN SIGNATURE-----\n\(line)", "\(line.prefix(44))\n\(line.suffix(44))",
            "\(line.prefix(44)) \(line.suffix(44))",
        ] {
            #expect(!verifies(text), "\(text.debugDescription)")
        }
    }

    @Test func oneBrokenLineSpoilsTheFile() {
        #expect(!verifies("\(line)\nrubbish"))
        #expect(!verifies("rubbish\n\(line)"))
    }

    @Test func takesFourLinesAndNotFive() throws {
        let other = try seeded(KnownAnswerTests.rfc8032[1].seed).sign(message).base64
        #expect(verifies([other, other, other, line].joined(separator: "\n")))
        #expect(!verifies([other, other, other, other].joined(separator: "\n")))
        #expect(!verifies([other, other, other, other, line].joined(separator: "\n")))
        let signature = try key.sign(message)
        #expect(try SignatureText([signature, signature, signature, signature]).fileBytes.count == 4 * 88 + 3)
        #expect(code { _ = try SignatureText([]) } == "signature.malformed")
        #expect(code { _ = try SignatureText(Array(repeating: signature, count: 5)) } == "signature.malformed")
    }

    @Test func takes1024BytesAndNot1025() {
        #expect(verifies(line + String(repeating: "\n", count: 1_024 - 88)))
        #expect(!verifies(line + String(repeating: "\n", count: 1_025 - 88)))
    }

    @Test func onlyOneSpellingOfASignatureIsRead() {
        // 64 bytes leave four unused bits in the last digit before "==": 15 of 16 spellings must be refused.
        let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
        let stem = line.dropLast(3)
        let accepted = digits.filter { verifies("\(stem)\($0)==") }
        #expect(accepted == [line.dropLast(2).last])
        for text in [
            line.replacing("=", with: ""), line.dropLast() + "", line + "=", "\(stem)A=A", "\(stem)===",
            String(repeating: "=", count: 88), line.replacing("+", with: "-").replacing("/", with: "_"),
        ] where text != line {
            #expect(!verifies(text), "\(text)")
        }
    }

    @Test func refusesEveryFlippedBit() throws {
        let signature = try key.sign(message)
        for bit in 0..<(64 * 8) {
            var bytes = signature.bytes
            bytes[bit / 8] ^= 1 << UInt8(bit % 8)
            let forged = try #require(Signature(bytes: bytes))
            #expect(!key.publicKey.verifies(forged, message), "bit \(bit)")
        }
        for bit in 0..<(message.count * 8) {
            var other = message
            other[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(!key.publicKey.verifies(signature, other), "bit \(bit)")
        }
    }

    @Test func refusesSPlusTheOrderAsOftenAsItFits() throws {
        let order: [UInt8] = hex("edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010")
        let signature = try key.sign(message)
        var s = Array(signature.bytes[32...])
        var tried = 0
        while true {
            var carry = 0
            for index in s.indices {
                let sum = Int(s[index]) + Int(order[index]) + carry
                (s[index], carry) = (UInt8(sum & 0xFF), sum >> 8)
            }
            if carry > 0 { break }
            let forged = try #require(Signature(bytes: Array(signature.bytes[..<32]) + s))
            #expect(!key.publicKey.verifies(forged, message))
            tried += 1
        }
        #expect(tried >= 14)
    }

    @Test func randomBytesNeverTrap() throws {
        let seed = UInt64.random(in: 0 ... .max)
        print("SignatureTextTests seed \(seed)")
        var generator = SeededGenerator(state: seed)
        let alphabet = Array("ABz09+/=\n\r\t {\u{0}é".utf8)
        for _ in FuzzRounds(2_000) {
            let count = Int.random(in: 0...400, using: &generator)
            let bytes = (0..<count).map { _ in alphabet.randomElement(using: &generator) ?? 0 }
            _ = try? SignatureText(decoding: bytes)
        }
    }

    @Test func signsEmptyAndLargeMessages() throws {
        for count in [0, 1, 1_000_000] {
            let bytes = [UInt8](repeating: 7, count: count)
            #expect(key.publicKey.verifies(try key.sign(bytes), bytes))
        }
    }
}
