import Blobs
import Diagnostics
import Hashing
import SnpackTestSupport
import Testing

/// The one tar stream that a reader takes, and the others.
@Suite struct TarReaderTests {
    private static func unit(_ path: String, _ content: [UInt8]) -> [UInt8] {
        let entry = TarEntry(path: path, byteCount: UInt64(content.count))
        return entry.headers + content + [UInt8](repeating: 0, count: entry.paddingByteCount)
    }

    private static let end = [UInt8](repeating: 0, count: 1_024)

    /// Reads `stream` in pieces whose sizes `random` chooses.
    private func read(_ stream: [UInt8], _ random: inout SplitMix) throws(SnpackError) -> MemorySink {
        let sink = MemorySink()
        var reader = CanonicalTarReader(sink: sink)
        var rest = stream[...]
        while !rest.isEmpty {
            let count = min(rest.count, Int.random(in: 1...1_500, using: &random))
            try Array(rest[..<(rest.startIndex + count)]).withBytes { bytes throws(SnpackError) in
                try reader.read(bytes)
            }
            rest = rest.dropFirst(count)
        }
        try reader.finish()
        return sink
    }

    private func refused(
        _ stream: [UInt8], _ reason: String, _ location: SourceLocation = #_sourceLocation
    ) {
        var random = SplitMix(seed: UInt64(stream.count))
        let error = #expect(throws: SnpackError.self, sourceLocation: location) { try read(stream, &random) }
        #expect(error?.code == .tarNotCanonical, "\(error?.message ?? "")", sourceLocation: location)
        #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")", sourceLocation: location)
    }

    /// `header` with its checksum made right again.
    private func summed(_ header: [UInt8]) -> [UInt8] {
        var block = header
        block.replaceSubrange(148..<156, with: [UInt8](repeating: 0x20, count: 8))
        let sum = String(block.reduce(0) { $0 + Int($1) }, radix: 8)
        block.replaceSubrange(148..<154, with: (String(repeating: "0", count: 6 - sum.count) + sum).utf8)
        block[154] = 0
        return block
    }

    @Test func piecesOfAnySizeGiveTheSameFiles() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SplitMix(seed: seed)
        let long = (0..<4).map { "\($0)" + String(repeating: "p", count: 126) }.joined(separator: "/")
        let files = [("a", random.bytes(1)), (long, random.bytes(513)), ("é", []), ("名", random.bytes(512))]
            .sorted { $0.0.utf8.lexicographicallyPrecedes($1.0.utf8) }
        let stream = files.flatMap { Self.unit($0.0, $0.1) } + Self.end
        for _ in 0..<50 {
            let sink = try read(stream, &random)
            #expect(
                sink.files.map(\.path) == files.map(\.0) && sink.files.map(\.bytes) == files.map(\.1), "seed \(seed)")
        }
    }

    @Test func orderIsStrictByBytes() {
        refused(Self.unit("b", []) + Self.unit("a", []) + Self.end, "ascending")
        refused(Self.unit("a", []) + Self.unit("a", []) + Self.end, "ascending")
        refused(Self.unit("é", []) + Self.unit("z", []) + Self.end, "ascending")
    }

    @Test func theEndIsTwoZeroBlocksAndNothingMore() {
        let file = Self.unit("a", [1])
        refused(file, "ends early")
        refused(file + Self.end[..<512], "ends early")
        refused(file + Self.end[..<1_023], "ends early")
        refused(file + Self.end + [0], "bytes follow")
        refused(file + Self.end + Self.end, "bytes follow")
        refused(file + Self.end[..<512] + Self.unit("b", []) + Self.end, "one zero block")
        refused([], "ends early")
    }

    @Test func paddingIsZero() {
        var stream = Self.unit("a", [1]) + Self.end
        stream[1_000] = 1
        refused(stream, "padding")
    }

    @Test func everyBitOfAHeaderIsLookedAt() {
        let good = Self.unit("tile", [UInt8](repeating: 1, count: 512)) + Self.end
        for offset in 0..<512 {
            for bit in [UInt8(1), 0x80] {
                var stream = good
                stream[offset] ^= bit
                stream.replaceSubrange(0..<512, with: summed(Array(stream[..<512])))
                var random = SplitMix(seed: 1)
                // A changed name is another name, and the content's BLAKE3 tells; all else is not canonical.
                if offset < 5 && bit == 1 { continue }
                // The checksum itself was made right again.
                if (148..<156).contains(offset) { continue }
                #expect(throws: SnpackError.self, "byte \(offset), bit \(bit)") { try read(stream, &random) }
            }
        }
    }

    @Test(
        "Case 39: sparse entries are refused on the way in",
        arguments: ["S", "1", "2", "3", "4", "5", "6", "7", "L", "g"])
    func case039_otherTypes(type: String) throws {
        var header = Self.unit("tile", [])
        header[156] = try #require(type.utf8.first)
        refused(summed(header) + Self.end, type == "x" ? "pax" : "not canonical")
    }

    @Test("Case 39: GNU.sparse records and other pax records are refused")
    func case039_records() {
        func pax(_ records: String, _ path: String = "é") -> [UInt8] {
            let plain = TarEntry(path: path, byteCount: 0).headers
            let records = Array(records.utf8)
            var header = Array(plain[..<512])
            let size = String(records.count, radix: 8)
            header.replaceSubrange(124..<135, with: (String(repeating: "0", count: 11 - size.count) + size).utf8)
            return summed(header) + records + [UInt8](repeating: 0, count: -records.count & 511) + plain.suffix(512)
        }
        #expect(pax("11 path=é\n") == TarEntry(path: "é", byteCount: 0).headers)
        refused(pax("11 path=é\n22 GNU.sparse.major=1\n") + Self.end, "unexpected pax record")
        refused(pax("20 mtime=1234567890\n11 path=é\n") + Self.end, "unexpected pax record")
        refused(pax("11 path=é\n11 path=é\n") + Self.end, "not canonical")
        refused(pax("12 path=é\n\n") + Self.end, "not canonical")
        refused(pax("011 path=é\n") + Self.end, "not canonical")
        refused(pax("11 path=é\n17 linkpath=evil\n") + Self.end, "unexpected pax record")
        refused(pax("11 path=é\n10 size=1\n") + Self.end, "not canonical")
        refused(pax("11 path=é\n11 size=+1\n") + Self.end, "not canonical")
        refused(pax("11 path=é\n11 size=no\n") + Self.end, "no number")
        // Where none is needed, one is no more canonical than another order or an empty one.
        refused(pax("10 path=a\n", "é") + Self.end, "not canonical")
    }

    @Test func aPaxHeaderOfAnAbsurdSizeIsRefusedBeforeItIsRead() {
        var header = TarEntry(path: "é", byteCount: 0).headers
        for digits in ["77777777777", "00000000000", "00000002001", "9999999999 ", "           "] {
            header.replaceSubrange(124..<135, with: digits.utf8)
            refused(summed(Array(header[..<512])) + header[512...] + Self.end, "unexpected size")
        }
    }

    @Test func namesThatAreNoUTF8AreRefused() {
        var header = TarEntry(path: "name", byteCount: 0).headers
        header[0] = 0xFF
        refused(summed(header) + Self.end, "UTF-8")
    }

    @Test func randomBytesNeverTrap() {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SplitMix(seed: seed)
        let good =
            Self.unit("é/" + String(repeating: "x", count: 120), random.bytes(700)) + Self.unit("ö", [1]) + Self.end
        for _ in 0..<5_000 {
            var stream = good
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                stream[Int.random(in: 0..<stream.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            for block in [0, 1_024] where Bool.random(using: &random) {
                stream.replaceSubrange(block..<block + 512, with: summed(Array(stream[block..<block + 512])))
            }
            _ = try? read(stream, &random)
        }
    }

    // MARK: - Signed, and yet refused

    private func sign(_ files: [(String, [UInt8])], count: UInt64? = nil, bytes: UInt64? = nil) throws -> SnpackError? {
        var digester = LayerDigester(isTree: true)
        for (path, content) in files {
            digester.beginFile(path: path)
            content.withUnsafeBytes { digester.add($0) }
            digester.endFile()
        }
        let content = digester.content()
        let stream = files.flatMap { Self.unit($0.0, $0.1) } + Self.end
        let packed = try PackedLayer(
            signing: [stream], as: (count ?? content.fileCount, bytes ?? content.byteCount, content.blake3))
        do throws(SnpackError) {
            try packed.read()
            return nil
        } catch { return error }
    }

    @Test func pathsThatDoNotTravelAreRefusedThoughSigned() throws {
        #expect(try sign([("a", [1]), ("b", [2])]) == nil)
        for path in ["../evil", "/etc/passwd", "a/../b", "./a", "con", "a\\b", "a:b", "e\u{301}", "a/", "-rf"] {
            #expect(try sign([(path, [1])])?.code.name == "file-path.invalid", "\(path)")
        }
    }

    @Test("Case 35: names that one disk or another takes for the same are refused")
    func case035_collisions() throws {
        for files in [["Tile", "tile"], ["CAFÉ/a", "café/b"], ["a", "a/b"], ["straße", "strasse"]] {
            let sorted = files.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
            #expect(try sign(sorted.map { ($0, [1]) })?.code.name == "file-path.collision", "\(files)")
        }
    }

    @Test func neverMoreFilesOrBytesThanSigned() throws {
        // One file fewer, or one byte fewer, than the stream holds: stopped at the one too many.
        #expect(try sign([("a", [1]), ("b", [2])], count: 1, bytes: 514)?.code == .layerMismatch)
        let error = try sign([("a", [UInt8](repeating: 1, count: 100))], bytes: 99)
        #expect(error?.message.contains("more than the 99 bytes") == true, "\(String(describing: error))")
        let fewer = try sign([("a", [1])], bytes: 2)
        #expect(fewer?.message.contains("1 bytes, not the 2 signed") == true, "\(String(describing: fewer))")
    }
}
