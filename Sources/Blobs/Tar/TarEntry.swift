/// One regular file in a canonical tar stream, and the one way its headers are written.
///
/// ustar with fixed owner, mode and time; a pax header before it carries a path that is long or not ASCII, and a size of
/// 8 GiB or more.
package struct TarEntry: Hashable, Sendable {
    package static let blockByteCount = 512
    /// The two zero blocks at the end of a stream.
    package static let endByteCount = 1_024
    /// Sizes from here on do not fit the octal field: 2^33.
    private static let largeByteCount: UInt64 = 1 << 33

    package let path: String
    package let byteCount: UInt64

    package init(path: String, byteCount: UInt64) {
        self.path = path
        self.byteCount = byteCount
    }

    /// Zero bytes between the content and the next block.
    package var paddingByteCount: Int {
        let rest = Int(byteCount % UInt64(Self.blockByteCount))
        return rest == 0 ? 0 : Self.blockByteCount - rest
    }

    /// Headers, content and padding together.
    package var unitByteCount: UInt64 { UInt64(headers.count) + byteCount + UInt64(paddingByteCount) }

    /// The pax header where one is needed, then the ustar header: a multiple of 512 bytes.
    package var headers: [UInt8] {
        let name = Array(path.utf8)
        let needsPath = name.count > 100 || name.contains { $0 >= 0x80 }
        let needsSize = byteCount >= Self.largeByteCount
        var result: [UInt8] = []
        if needsPath || needsSize {
            var records: [UInt8] = []
            if needsPath { records += Self.record("path", name) }
            if needsSize { records += Self.record("size", Array(String(byteCount).utf8)) }
            result += Self.header(name: Array("pax".utf8), byteCount: UInt64(records.count), type: UInt8(ascii: "x"))
            result += records
            result += [UInt8](repeating: 0, count: -records.count & 511)
        }
        result += Self.header(
            name: Self.cut(name), byteCount: needsSize ? 0 : byteCount, type: UInt8(ascii: "0"))
        return result
    }

    /// `<len> key=value\n`, where len counts itself.
    private static func record(_ key: String, _ value: [UInt8]) -> [UInt8] {
        let rest = Array(" \(key)=".utf8) + value + [0x0A]
        var length = rest.count + 1
        while String(length).utf8.count + rest.count != length { length += 1 }
        return Array(String(length).utf8) + rest
    }

    /// The first 100 bytes, cut back to a whole UTF-8 character.
    private static func cut(_ name: [UInt8]) -> [UInt8] {
        guard name.count > 100 else { return name }
        var end = 100
        while end > 0 && name[end] & 0xC0 == 0x80 { end -= 1 }
        return Array(name[..<end])
    }

    private static func header(name: [UInt8], byteCount: UInt64, type: UInt8) -> [UInt8] {
        var block = [UInt8](repeating: 0, count: blockByteCount)
        func put(_ text: String, at offset: Int) {
            block.replaceSubrange(offset..<offset + text.utf8.count, with: text.utf8)
        }
        func octal(_ value: UInt64, _ digits: Int) -> String {
            let text = String(value, radix: 8)
            return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
        }
        block.replaceSubrange(0..<name.count, with: name)
        put("0000644", at: 100)
        put("0000000", at: 108)
        put("0000000", at: 116)
        put(octal(byteCount, 11), at: 124)
        put("00000000000", at: 136)
        put("        ", at: 148)
        block[156] = type
        put("ustar", at: 257)
        put("00", at: 263)
        put("0000000", at: 329)
        put("0000000", at: 337)
        let sum = block.reduce(UInt64(0)) { $0 + UInt64($1) }
        put(octal(sum, 6), at: 148)
        block[154] = 0
        return block
    }
}
