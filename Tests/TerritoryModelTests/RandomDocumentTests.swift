import Diagnostics
import SnpackTestSupport
import TerritoryModel
import Testing

@Suite struct RandomDocumentTests {
    private func seeded(_ name: String) -> SplitMix {
        let seed = UInt64.random(in: 0 ... .max)
        print("seed of \(name): \(seed)")
        return SplitMix(seed: seed)
    }

    @Test func canonicalDocumentsReadBackAsTheValue() throws {
        var random = seeded("canonicalDocumentsReadBackAsTheValue")
        for _ in 0..<300 {
            let value = JSONValue.object(Self.object(depth: 4, &random))
            let bytes = value.canonicalBytes
            let read = try StrictJSON.parse(bytes)
            #expect(read == value)
            #expect(read.canonicalBytes == bytes)
        }
    }

    @Test(arguments: [Documents.manifest, Documents.regionManifest, Documents.index])
    func damagedDocumentsAreReadOrRefused(_ path: String) throws {
        var random = seeded("damagedDocumentsAreReadOrRefused")
        let original = try Documents.bytes(path)
        let alphabet = Array("{}[]\",:\\u0019-.eE \n".utf8) + [0x00, 0x7F, 0xC3, 0xED, 0xFF]
        for _ in FuzzRounds(700) {
            var bytes = original
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let start = Int.random(in: 0..<bytes.count, using: &random)
                let end = min(bytes.count, start + Int.random(in: 0...4, using: &random))
                let inserted = (0..<Int.random(in: 0...4, using: &random)).map { _ in
                    alphabet.randomElement(using: &random) ?? 0
                }
                bytes.replaceSubrange(start..<end, with: inserted)
            }
            // Read or refused: what counts is that it returns, and that only our errors come out.
            _ = accepts { _ = try Manifest(decoding: bytes) }
            _ = accepts { _ = try ChannelIndex(decoding: bytes) }
        }
    }

    @Test(arguments: [Documents.manifest, Documents.regionManifest, Documents.index])
    func documentsWithStrangeValuesAreReadOrRefused(_ path: String) throws {
        var random = seeded("documentsWithStrangeValuesAreReadOrRefused")
        let original = try Documents.value(path)
        let places = Self.places(original, "")
        for _ in FuzzRounds(700) {
            var document = original
            document[path: places.randomElement(using: &random) ?? ""] = Self.value(depth: 1, &random)
            let bytes = document.canonicalBytes
            _ = accepts { _ = try Manifest(decoding: bytes) }
            _ = accepts { _ = try ChannelIndex(decoding: bytes) }
        }
    }

    private static func places(_ value: JSONValue, _ prefix: String) -> [String] {
        switch value {
        case .array(let elements):
            elements.enumerated().flatMap { places($0.element, "\(prefix)[\($0.offset)]") } + [prefix]
        case .object(let object):
            object.members.flatMap { places($0.value, "\(prefix).\($0.key)") } + [prefix]
        default: [prefix]
        }
    }

    private static func object(depth: Int, _ random: inout SplitMix) -> JSONObject {
        var object = JSONObject()
        for _ in 0..<Int.random(in: 0...5, using: &random) {
            object[text(&random)] = value(depth: depth - 1, &random)
        }
        return object
    }

    private static func value(depth: Int, _ random: inout SplitMix) -> JSONValue {
        switch Int.random(in: 0...(depth > 0 ? 9 : 7), using: &random) {
        case 0: return .null
        case 1: return .bool(Bool.random(using: &random))
        case 2: return .number(JSONNumber(Int64(bitPattern: random.next())))
        case 3: return .number(JSONNumber(Double(bitPattern: random.next())) ?? JSONNumber(UInt64.max))
        case 4:
            return [0, -1, 1.5, 9_007_199_254_740_991, 9_007_199_254_740_992].randomElement(using: &random) ?? .null
        case 5...7: return .string(text(&random))
        case 8: return .array((0..<Int.random(in: 0...4, using: &random)).map { _ in value(depth: depth - 1, &random) })
        default: return .object(object(depth: depth, &random))
        }
    }

    private static func text(_ random: inout SplitMix) -> String {
        var text = ""
        for _ in 0..<Int.random(in: 0...6, using: &random) {
            let bound: UInt32 = [0x80, 0x400, 0x3000, 0x110000].randomElement(using: &random) ?? 0x80
            text.unicodeScalars.append(Unicode.Scalar(UInt32.random(in: 0..<bound, using: &random)) ?? "\u{301}")
        }
        return text
    }
}
