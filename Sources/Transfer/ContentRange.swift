/// `Content-Range: bytes 0-499/1234`: which bytes of the whole a 206 carries.
package struct ContentRange: Hashable, Sendable {
    /// Not empty.
    package let bytes: Range<UInt64>
    /// The size of the whole; nil when the server wrote `*`.
    package let total: UInt64?

    /// Nil unless it reads `bytes a-b/n` or `bytes a-b/*` with a ≤ b < n, all below 2^63.
    package init?(parsing text: String) {
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
        let halves = words[1].split(separator: "/", omittingEmptySubsequences: false)
        let bounds = halves[0].split(separator: "-", omittingEmptySubsequences: false)
        guard halves.count == 2, bounds.count == 2, let first = HTTPNumber.parse(bounds[0]),
            let last = HTTPNumber.parse(bounds[1]), first <= last
        else { return nil }
        if halves[1] == "*" {
            total = nil
        } else {
            guard let total = HTTPNumber.parse(halves[1]), last < total else { return nil }
            self.total = total
        }
        bytes = first..<last + 1
    }

    package var byteCount: UInt64 { bytes.upperBound - bytes.lowerBound }

    /// True if the range is the whole file.
    var isWhole: Bool { bytes.lowerBound == 0 && bytes.upperBound == total }
}

/// A decimal number of a header: digits and nothing else, below 2^63.
enum HTTPNumber {
    static func parse(_ text: some StringProtocol) -> UInt64? {
        guard (1...19).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let number = UInt64(text), number < 1 << 63
        else { return nil }
        return number
    }
}
