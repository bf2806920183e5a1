import CBlake3
public import Diagnostics

/// A BLAKE3 digest: 32 bytes that stand for a message of any length.
///
/// BLAKE3 in hash mode with its default output length; the text form is what `b3sum` prints. Digests are ordered by
/// their bytes, which is also the order of their texts.
public struct Blake3Digest: Hashable, Sendable {
    /// The number of bytes of every digest.
    public static let byteCount = 32

    /// The bytes, eight to a word, first byte highest.
    private let words: SIMD4<UInt64>

    /// Takes the digest that `write` puts into the 32 bytes it is given.
    init(writtenBy write: (UnsafeMutableRawBufferPointer) -> Void) {
        var words = SIMD4<UInt64>()
        withUnsafeMutableBytes(of: &words, write)
        for index in words.indices { words[index] = UInt64(bigEndian: words[index]) }
        self.words = words
    }

    /// A digest from its bytes; nil unless there are exactly 32.
    public init?(bytes: some Collection<UInt8>) {
        guard bytes.count == Self.byteCount else { return nil }
        self.init(writtenBy: { $0.copyBytes(from: bytes) })
    }

    /// Parses the text form: 64 digits of `0`-`9` and `a`-`f`.
    ///
    /// - Throws: `digest.invalid` for anything else, capitals included.
    public init(parsing hex: String) throws(SnpackError) {
        let digits = hex.utf8
        guard digits.count == 2 * Self.byteCount, digits.allSatisfy({ Self.value(ofDigit: $0) != nil }) else {
            throw SnpackError(
                .digestInvalid, "\(quoted(hex)) is not a BLAKE3 digest",
                hint: "a digest is 64 lowercase hexadecimal digits, as b3sum prints it")
        }
        var words = SIMD4<UInt64>()
        for (index, digit) in digits.enumerated() {
            words[index / 16] = words[index / 16] << 4 | UInt64(Self.value(ofDigit: digit) ?? 0)
        }
        self.words = words
    }

    private static func value(ofDigit digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        default: nil
        }
    }

    /// The 32 bytes.
    public var bytes: [UInt8] {
        var words = words
        for index in words.indices { words[index] = words[index].bigEndian }
        return withUnsafeBytes(of: &words) { [UInt8]($0) }
    }

    /// All 64 lowercase hexadecimal digits.
    public var hex: String {
        String(unsafeUninitializedCapacity: 2 * Self.byteCount) { text in
            let digits: StaticString = "0123456789abcdef"
            for index in 0..<2 * Self.byteCount {
                let nibble = words[index / 16] >> UInt64(60 - index % 16 * 4) & 0xF
                text.initializeElement(at: index, to: digits.utf8Start[Int(nibble)])
            }
            return 2 * Self.byteCount
        }
    }

    /// The first 16 digits of ``hex``: a layer's address, a key's id.
    public var shortHex: String { String(hex.prefix(16)) }
}

extension Blake3Digest: Comparable {
    /// Whether `left` comes before `right` by their first different byte.
    public static func < (left: Blake3Digest, right: Blake3Digest) -> Bool {
        for index in left.words.indices where left.words[index] != right.words[index] {
            return left.words[index] < right.words[index]
        }
        return false
    }
}

extension Blake3Digest: CustomStringConvertible {
    /// The same as ``hex``.
    public var description: String { hex }
}

extension Blake3Digest {
    /// The digest of a message in memory.
    public static func of(_ bytes: [UInt8]) -> Blake3Digest {
        bytes.withUnsafeBytes { of($0) }
    }

    /// The digest of a message in memory, worked out by up to `threads` threads, the caller's among them.
    ///
    /// The digest is the same for any number of threads. Blocks until it is there. A short message is left to one
    /// thread, since starting another would take longer.
    public static func of(_ buffer: UnsafeRawBufferPointer, threads: Int = 1) -> Blake3Digest {
        of(buffer, threads: threads, by: .fastest)
    }

    package static func of(
        _ buffer: UnsafeRawBufferPointer, threads: Int, by implementation: Blake3Implementation
    ) -> Blake3Digest {
        Blake3Digest { digest in
            snpack_blake3_hash(
                implementation.name, buffer.baseAddress, buffer.count, max(1, threads), digest.baseAddress)
        }
    }
}
