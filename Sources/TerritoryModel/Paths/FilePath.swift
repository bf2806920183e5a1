public import Diagnostics

/// Where a file lies within its layer: `fonts/Open Sans Regular/0-255.pbf`.
///
/// Every value is relative, in NFC, without `.` and `..`, and safe on every file system of a phone or laptop. Two values
/// can still be one name on some; ``FilePathSet`` finds that.
public struct FilePath: Hashable, Sendable, CustomStringConvertible {
    /// Segments between slashes; at most 512 bytes and 32 segments.
    public let rawValue: String

    /// Parses a path that came from a disk, an archive or a document.
    ///
    /// - Throws: `file-path.invalid`, naming what is wrong with it.
    public init(parsing text: String) throws(SnpackError) {
        if let fault = Self.fault(in: text) {
            throw SnpackError(.filePathInvalid, "\(quoted(text)) cannot be a file of a layer: \(fault)")
        }
        rawValue = text
    }

    /// Decodes the bytes of a name, as an archive or a directory holds them.
    ///
    /// - Throws: `file-path.invalid`, also for bytes that are not UTF-8.
    public init(decoding bytes: some Collection<UInt8>) throws(SnpackError) {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw SnpackError(
                .filePathInvalid,
                "\(quoted(String(decoding: bytes, as: UTF8.self))) cannot be a file of a layer: not UTF-8")
        }
        try self.init(parsing: text)
    }

    /// The path of a one-file layer's file.
    public init(_ layer: LayerPath) { rawValue = layer.rawValue }

    /// The names of the directories it lies in, outermost first, and its own name.
    public var segments: [Substring] { rawValue.utf8.split(separator: UInt8(ascii: "/")).map(Substring.init) }

    /// The path's UTF-8 bytes, by which paths are ordered.
    public var utf8: String.UTF8View { rawValue.utf8 }

    public var description: String { rawValue }

    private static func fault(in text: String) -> String? {
        if text.utf8.count > Limits.pathBytes { return "more than \(Limits.pathBytes) bytes" }
        let bytes = Array(text.utf8)
        if bytes.first == UInt8(ascii: "-") { return "it begins with a hyphen" }
        let segments = bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        if segments.count > Limits.pathSegments { return "more than \(Limits.pathSegments) segments" }
        for segment in segments {
            if let fault = PathSegment.fault(in: segment) { return fault }
        }
        return text.isNFC ? nil : "not in Unicode's composed form (NFC)"
    }
}

extension FilePath: Comparable {
    public static func < (left: FilePath, right: FilePath) -> Bool { left.rawValue.precedesInBytes(right.rawValue) }
}
