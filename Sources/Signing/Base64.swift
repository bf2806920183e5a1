import CSodium

/// Standard base64 with padding (RFC 4648 section 4), strict: no white space, unused bits zero.
///
/// libsodium's, because it takes the same time whatever the bytes are: seeds pass through here.
enum Base64 {
    /// The length of `count` bytes as text.
    static func textCount(_ count: Int) -> Int { (count + 2) / 3 * 4 }

    /// The length of the bytes that `text` stands for if it is well-formed; never below 0.
    static func byteCount(_ text: UnsafeBufferPointer<UInt8>) -> Int {
        max(0, text.count / 4 * 3 - text.suffix(2).count { $0 == UInt8(ascii: "=") })
    }

    /// Writes the text of `bytes`, and one zero byte after it: `target` has room for `textCount` + 1.
    static func encode(_ bytes: UnsafeBufferPointer<UInt8>, into target: UnsafeMutableBufferPointer<UInt8>) {
        target.withMemoryRebound(to: CChar.self) {
            guard let start = $0.baseAddress else { return }
            _ = sodium_bin2base64(
                start, $0.count, bytes.baseAddress, bytes.count, sodium_base64_VARIANT_ORIGINAL)
        }
    }

    static func encode(_ bytes: [UInt8]) -> String {
        let count = textCount(bytes.count)
        let text = [UInt8](unsafeUninitializedCapacity: count + 1) { target, filled in
            bytes.withUnsafeBufferPointer { encode($0, into: target) }
            filled = count
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Fills `target` from `text`; false unless the text is strict and stands for exactly that many bytes.
    static func decode(_ text: UnsafeBufferPointer<UInt8>, into target: UnsafeMutableBufferPointer<UInt8>) -> Bool {
        guard let start = target.baseAddress else { return text.isEmpty }
        var decoded = 0
        let status = text.withMemoryRebound(to: CChar.self) {
            sodium_base642bin(
                start, target.count, $0.baseAddress, $0.count, nil, &decoded, nil,
                sodium_base64_VARIANT_ORIGINAL)
        }
        return status == 0 && decoded == target.count
    }

    /// The `count` bytes that `text` stands for, or nil.
    static func decode(_ text: UnsafeBufferPointer<UInt8>, count: Int) -> [UInt8]? {
        guard text.count == textCount(count) else { return nil }
        var isStrict = false
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { target, filled in
            target.initialize(repeating: 0)
            isStrict = decode(text, into: UnsafeMutableBufferPointer(rebasing: target[..<count]))
            filled = count
        }
        return isStrict ? bytes : nil
    }
}
