extension StringProtocol {
    /// The path's segments, split at the byte `/`, empty ones left out.
    ///
    /// Splitting by characters would miss a slash before a combining mark: `a/` and U+0301 are two segments on disk and
    /// share one character.
    package var pathSegments: [String] {
        utf8.split(separator: UInt8(ascii: "/")).map { String(decoding: $0, as: UTF8.self) }
    }

    /// True for an absolute path.
    var isAbsolutePath: Bool { utf8.first == UInt8(ascii: "/") }
}
