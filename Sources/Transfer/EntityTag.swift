/// An `ETag`: a name for the exact bytes (strong) or for something like them (`W/`, weak).
package struct EntityTag: Hashable, Sendable {
    /// As in the header, quotes and `W/` included.
    package let text: String
    /// Only a strong tag promises that two halves belong together; only strong tags are sent in `If-Range`.
    package var isStrong: Bool { !text.hasPrefix("W/") }

    /// Nil unless it is `"…"` or `W/"…"` of at most 256 printable ASCII characters.
    package init?(parsing text: String) {
        let bytes = Array(text.utf8)
        let opaque = bytes.starts(with: "W/".utf8) ? bytes.dropFirst(2) : bytes[...]
        guard bytes.count <= 256, opaque.count >= 2, opaque.first == 0x22, opaque.last == 0x22,
            opaque.dropFirst().dropLast().allSatisfy({ $0 == 0x21 || (0x23...0x7E).contains($0) })
        else { return nil }
        self.text = text
    }
}
