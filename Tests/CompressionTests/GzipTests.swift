import Compression
import Diagnostics
import Testing

@Suite struct GzipTests {
    private let gunzip: Gunzip
    private let writer: GzipWriter

    init() throws {
        gunzip = try Gunzip()
        writer = try GzipWriter()
    }

    private func code(_ bytes: [UInt8], limit: Int = 1 << 20) -> ErrorCode? {
        do { _ = try gunzip.decompress(bytes, limit: limit) } catch { return error.code }
        return nil
    }

    @Test(arguments: [0, 1, 17, 1_000, 65_535, 65_536, 300_000])
    func roundTrips(count: Int) throws {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 7) }
        let member = try writer.compress(bytes)
        #expect(try gunzip.decompress(member, limit: count) == bytes)
        #expect(try writer.compress(bytes) == member)
    }

    @Test func writesTheHeaderThatTippecanoeWrites() throws {
        #expect(try Array(writer.compress(Array("tile".utf8)).prefix(10)) == [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3])
    }

    @Test func stopsAtTheLimit() throws {
        let member = try writer.compress([UInt8](repeating: 0, count: 1 << 20))
        #expect(code(member, limit: (1 << 20) - 1) == .gzipTooLarge)
        #expect(code(member, limit: 1 << 20) == nil)
        #expect(code(member, limit: 0) == .gzipTooLarge)
    }

    @Test func believesNoLengthClaim() throws {
        var member = try writer.compress([UInt8](repeating: 7, count: 5_000))
        for index in member.count - 4..<member.count { member[index] = 0xFF }
        #expect(code(member) == .gzipInvalid)
        for index in member.count - 4..<member.count { member[index] = 0 }
        #expect(code(member) == .gzipInvalid)
    }

    @Test func refusesEveryTruncationAndAnythingBehind() throws {
        let member = try writer.compress(Array("Vaduz, Schaan, Balzers, Triesen".utf8))
        for count in 0..<member.count { #expect(code(Array(member.prefix(count))) == .gzipInvalid) }
        #expect(code(member + [0]) == .gzipInvalid)
        #expect(code(member + member) == .gzipInvalid)
        #expect(try gunzip.decompress(member, limit: 100) == Array("Vaduz, Schaan, Balzers, Triesen".utf8))
    }

    @Test func refusesZlibAndPlainBytes() {
        #expect(code([0x78, 0x9C] + [UInt8](repeating: 1, count: 30)) == .gzipInvalid)
        #expect(code(Array("plain text that is no gzip member at all".utf8)) == .gzipInvalid)
    }

    @Test func checksumHasTheKnownAnswer() {
        #expect(CRC32.of(Array("123456789".utf8)) == 0xCBF4_3926)
        #expect(CRC32.of(Array("6789".utf8), continuing: CRC32.of(Array("12345".utf8))) == 0xCBF4_3926)
        #expect(CRC32.of([]) == 0)
    }
}
