public import Diagnostics

/// Where a layer lies below the package root: one segment, such as `map.pmtiles`.
public struct LayerPath: Hashable, Sendable, CustomStringConvertible {
    /// The segment: a file path's rules, and neither hidden nor a name that the package keeps for itself.
    public let rawValue: String

    /// Parses a path that came from a person, a file or a channel.
    ///
    /// - Throws: `layer-path.invalid`.
    public init(parsing text: String) throws(SnpackError) {
        if let fault = Self.fault(in: text) {
            throw SnpackError(
                .layerPathInvalid, "\(quoted(text)) cannot be the place of a layer: \(fault)",
                hint: "use one plain name, as in map.pmtiles")
        }
        rawValue = text
    }

    init(known rawValue: String) { self.rawValue = rawValue }

    /// The name of the layer's blob: the path and `.tar.zst`.
    public var blobFile: String { rawValue + ".tar.zst" }

    /// What file systems may take for the same name. No two layers of a package may share it.
    public var folded: String { rawValue.folded }

    public var description: String { rawValue }

    private static let kept = ["manifest.json", "manifest.json.sig", "layers"]

    private static func fault(in text: String) -> String? {
        if text.utf8.contains(UInt8(ascii: "/")) { return "more than one segment" }
        if text.utf8.first == UInt8(ascii: "-") { return "it begins with a hyphen" }
        if let fault = PathSegment.fault(in: Array(text.utf8)[...]) { return fault }
        if !text.isNFC { return "not in Unicode's composed form (NFC)" }
        let folded = text.folded
        if folded.utf8.first == UInt8(ascii: ".") { return "it begins with a dot" }
        return kept.contains(folded) ? "the package keeps that name for itself" : nil
    }
}
