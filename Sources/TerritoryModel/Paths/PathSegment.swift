/// The rules for one segment of a path: it must survive every file system that a phone or laptop has.
enum PathSegment {
    /// Why `segment` is refused, or nil if it is fine. Whether it is in NFC is the caller's to check.
    static func fault(in segment: Substring.UTF8View) -> String? {
        if segment.isEmpty { return "an empty segment" }
        if segment.count > Limits.segmentBytes { return "a segment of more than \(Limits.segmentBytes) bytes" }
        if segment.elementsEqual(".".utf8) || segment.elementsEqual("..".utf8) { return "a segment . or .." }
        for scalar in Substring(segment).unicodeScalars {
            switch scalar {
            case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}": return "a control character"
            case "\\", ":", "*", "?", "\"", "<", ">", "|": return "the character \(scalar)"
            default: continue
            }
        }
        if let last = segment.last, last == UInt8(ascii: ".") || last == UInt8(ascii: " ") {
            return "a segment that ends in a dot or a space"
        }
        return isDeviceName(segment.prefix { $0 != UInt8(ascii: ".") }) ? "a name that Windows keeps for a device" : nil
    }

    /// `CON PRN AUX NUL`, `COM0` to `COM9`, `LPT0` to `LPT9`, in any case.
    private static func isDeviceName(_ name: Substring.UTF8View) -> Bool {
        let upper = name.prefix(5).map { (0x61...0x7A).contains($0) ? $0 & 0xDF : $0 }
        switch upper.count {
        case 3: return devices.contains(upper)
        case 4: return isASCIIDigit(upper[3]) && numberedDevices.contains(Array(upper[..<3]))
        default: return false
        }
    }

    private static let devices = ["CON", "PRN", "AUX", "NUL"].map { Array($0.utf8) }
    private static let numberedDevices = ["COM", "LPT"].map { Array($0.utf8) }
}
