/// The names in a Tantivy directory.
enum TantivyFiles {
    static let meta = "meta.json"
    static let managed = ".managed.json"
    /// One file of each per segment.
    static let components = ["fast", "fieldnorm", "idx", "pos", "store", "term"]

    static func isLock(_ path: String) -> Bool { path.hasPrefix(".tantivy-") && path.hasSuffix(".lock") }

    /// True for a name that only Tantivy gives: `meta.json`, `.managed.json`, a lock, a segment's file.
    static func isOfAnIndex(_ path: String) -> Bool {
        path == meta || path == managed || isLock(path) || isSegmentFile(path)
    }

    /// 32 hex digits, a dot, and what the file holds.
    static func isSegmentFile(_ path: String) -> Bool {
        let parts = path.utf8.split(separator: UInt8(ascii: "."), maxSplits: 1)
        return parts.count == 2 && parts[0].count == 32 && parts[0].allSatisfy(isHexDigit)
            && !parts[1].contains(UInt8(ascii: "/"))
    }

    /// The segment's part of its files' names; nil when it is no segment id: a UUID in its text form.
    static func stem(ofSegment id: String) -> String? {
        let digits = id.utf8.filter { $0 != UInt8(ascii: "-") }
        guard digits.count == 32, id.utf8.count == 36, digits.allSatisfy(isHexDigit) else { return nil }
        return String(decoding: digits, as: UTF8.self)
    }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte)
    }
}
