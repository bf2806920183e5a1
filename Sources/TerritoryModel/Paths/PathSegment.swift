/// The rules for one segment of a path: it must survive every file system that a phone or laptop has.
enum PathSegment {
    /// Why a segment of these UTF-8 bytes is refused, or nil if it is fine. NFC is the caller's to check.
    ///
    /// Works on bytes, because a layer may have a million paths.
    static func fault(in segment: ArraySlice<UInt8>) -> String? {
        guard let last = segment.last else { return "an empty segment" }
        if segment.count > Limits.segmentBytes { return "a segment of more than \(Limits.segmentBytes) bytes" }
        if segment.count <= 2, segment.allSatisfy({ $0 == dot }) { return "a segment . or .." }
        var previous: UInt8 = 0
        for byte in segment {
            switch byte {
            case 0..<0x20, 0x7F: return "a control character"
            // U+0080 to U+009F are C2 80 to C2 9F.
            case 0x80...0x9F where previous == 0xC2: return "a control character"
            case UInt8(ascii: "\\"), UInt8(ascii: ":"), UInt8(ascii: "*"), UInt8(ascii: "?"), UInt8(ascii: "\""),
                UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "|"):
                return "the character \(Unicode.Scalar(byte))"
            default: previous = byte
            }
        }
        if last == dot || last == UInt8(ascii: " ") { return "a segment that ends in a dot or a space" }
        return isDeviceName(segment.prefix { $0 != dot }) ? "a name that Windows keeps for a device" : nil
    }

    /// `CON PRN AUX NUL`, `COM0` to `COM9`, `LPT0` to `LPT9`, in any case.
    private static func isDeviceName(_ name: ArraySlice<UInt8>) -> Bool {
        guard name.count == 3 || name.count == 4 && name.last.map(isASCIIDigit) == true else { return false }
        let devices: [StaticString] = name.count == 3 ? ["CON", "PRN", "AUX", "NUL"] : ["COM", "LPT"]
        return devices.contains { device in
            zip(name, UnsafeBufferPointer(start: device.utf8Start, count: 3)).allSatisfy { $0 & 0xDF == $1 }
        }
    }

    private static let dot = UInt8(ascii: ".")
}
