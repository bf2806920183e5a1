import Diagnostics
import Signing
import Testing

@Suite struct PublicKeyTests {
    static let good = "cafa4c8f1e7752e1e22db018631c3273687d51d27a28ef1b336ff550c99af440"

    /// Every encoding that decodes to a point of small order, canonical or not, with either sign bit.
    static let smallOrder: [String] = [
        "0000000000000000000000000000000000000000000000000000000000000000",
        "0000000000000000000000000000000000000000000000000000000000000080",
        "0100000000000000000000000000000000000000000000000000000000000000",
        "0100000000000000000000000000000000000000000000000000000000000080",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
    ]

    /// 2^255 − 19 and all above it, with either sign bit.
    static let notCanonical: [String] = (0xED...0xFF).flatMap { low in
        [0x7F, 0xFF].map { top in
            String(low, radix: 16) + String(repeating: "f", count: 60) + String(top, radix: 16)
        }
    }

    @Test("Case 63: a degenerate public key is refused when it is loaded", arguments: smallOrder)
    func case063_refusesSmallOrder(_ text: String) throws {
        let error = try #require(fault { _ = try PublicKey(parsing: text) })
        #expect(error.code == .keyInvalid)
        #expect(error.message.contains("small order"))
    }

    @Test("Case 63: non-canonical encodings are refused, all 0xFF among them")
    func case063_refusesEncodingsThatAreNotCanonical() throws {
        #expect(Self.notCanonical.count == 38)
        for text in Self.notCanonical {
            let error = try #require(fault { _ = try PublicKey(parsing: text) })
            #expect(error.message.contains("not canonical"), "\(text)")
        }
        // One below the field's prime is −1, of order 2; two below is a coordinate like any other.
        let below = "ebffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f"
        let error = fault { _ = try PublicKey(parsing: below) }
        #expect(error?.message.contains("canonical") != true)
    }

    @Test("Case 63: keys of another length", arguments: [0, 1, 31, 33, 64])
    func case063_refusesOtherLengths(_ count: Int) throws {
        let bytes = (hex(Self.good) + hex(Self.good)).prefix(count)
        let error = try #require(fault { _ = try PublicKey(bytes: bytes) })
        #expect(error.message.contains("\(count) bytes instead of 32"))
    }

    @Test func refusesWhatIsNoPointOfTheCurve() throws {
        // For about half of all y there is no x; y = 2 is one of them.
        let error = try #require(fault { _ = try PublicKey(bytes: [2] + [UInt8](repeating: 0, count: 31)) })
        #expect(error.message.contains("not a point of the curve"))
    }

    @Test func takesEitherCaseAndWritesLowercase() throws {
        let key = try PublicKey(parsing: Self.good.uppercased())
        #expect(key.hex == Self.good)
        #expect(try key == PublicKey(parsing: Self.good))
        #expect(key.fileBytes == Array((Self.good + "\n").utf8))
    }

    @Test(arguments: ["", "\n", " \t\r\n"]) func readsPubFilesWithBlanksAround(_ blanks: String) throws {
        #expect(try PublicKey(decoding: Array((blanks + Self.good + blanks).utf8)).hex == Self.good)
    }

    static let otherTexts: [String] = [
        "\(good.dropLast())", "\(good)0", "\(good)\n\(good)", "0x\(good.dropFirst(2))", "\(good.dropLast())g",
        "\(good.prefix(32)) \(good.suffix(31))", "", " ", "\u{FEFF}\(good)", "\(good.dropLast())\u{0}",
        String(repeating: "é", count: 32), String(repeating: "a", count: 4_096),
    ]

    @Test(arguments: otherTexts) func refusesOtherText(_ text: String) {
        #expect(code { _ = try PublicKey(decoding: Array(text.utf8)) } == "key.invalid")
    }

    @Test func namesWhatWasGivenByMistakeAndQuotesNothingOfIt() throws {
        let key = try seeded(KnownAnswerTests.rfc8032[0].seed)
        let file = try KeyFile(key).encoded()
        let asFile = try #require(fault { _ = try PublicKey(decoding: file.copy) })
        #expect(asFile.message.contains("secret key"))
        let pem = try key.pem()
        let asPEM = try #require(fault { _ = try PublicKey(decoding: pem.copy) })
        #expect(asPEM.message.contains("PEM"))
        let asText = try #require(fault { _ = try PublicKey(parsing: file.text) })
        for error in [asFile, asPEM, asText] {
            #expect(!"\(error) \(error.hint ?? "")".contains(file.text.suffix(20).prefix(16)))
        }
    }

    @Test("Case 65: the two roles are two types, and a pinned key knows its role")
    func case065_pinnedKeysKnowTheirRole() throws {
        let factory = try FactoryKey(parsing: Self.good)
        let region = try RegionKey(parsing: Self.good)
        #expect(FactoryKey.role == .factory && RegionKey.role == .region)
        #expect(factory.publicKey == region.publicKey)
        #expect("\(factory)" == "factory key \(factory.keyID)")
        #expect(code { _ = try FactoryKey(parsing: PublicKeyTests.smallOrder[2]) } == "key.invalid")
    }
}
