import Diagnostics
import TerritoryModel

/// What an archive's metadata says about its layers, and about the machine that made it.
struct PMTilesMetadataCheck {
    /// The ids under `vector_layers`, in their order; nil when there are none.
    private(set) var vectorLayers: [String]?
    private(set) var faults: [SnpackError] = []
    private(set) var warnings: [SnpackError] = []

    init(_ metadata: JSONObject, tileType: PMTilesTileType) {
        if tileType == .mvt {
            do throws(SnpackError) { vectorLayers = try Self.layerIDs(metadata) } catch { faults.append(error) }
        }
        if case .some = metadata["generator_options"] {
            warnings.append(
                SnpackError(
                    .pmtilesBuildCommand, "the metadata tells the command line that built it (generator_options)",
                    hint: "remove it if it names what others need not know: `pmtiles edit`"))
        }
        for (key, value) in metadata.members {
            guard let path = value.stringValue.flatMap(Self.localPath) else { continue }
            warnings.append(
                SnpackError(
                    .pmtilesBuildPath,
                    "the metadata names a path of the build machine: \(quoted(path)) in \(quoted(key))",
                    hint: "build the archive with relative paths"))
        }
    }

    private static func layerIDs(_ metadata: JSONObject) throws(SnpackError) -> [String] {
        guard let layers = metadata["vector_layers"]?.arrayValue, !layers.isEmpty else {
            throw SnpackError(
                .pmtilesVectorLayers, "the metadata of vector tiles has no vector_layers",
                hint: "styles cannot be checked without; write it again with the layers' names")
        }
        return try layers.map { layer throws(SnpackError) in
            guard let id = layer.objectValue?["id"]?.stringValue, !id.isEmpty else {
                throw SnpackError(.pmtilesVectorLayers, "one of the metadata's vector_layers has no id")
            }
            return id
        }
    }

    /// The first absolute path in a text: `/home/x`, `file:///x`, `C:\x`. URLs and HTML are none.
    static func localPath(in text: String) -> String? {
        if let scheme = text.utf8.firstRange(of: "file://".utf8) {
            return String(text[scheme.lowerBound...].prefix { !$0.isWhitespace })
        }
        let words = text.split { " \t\r\n\"'<>=,;()[]{}".contains($0) }
        for word in words {
            // `layer:/home/x` and `https://x` both have a colon before the slash.
            let start = word.firstIndex(of: "/") ?? word.endIndex
            let path = word[start...]
            let before = word[..<start]
            if !path.hasPrefix("//"), before.isEmpty || before.hasSuffix(":"),
                path.split(separator: "/").count >= 2
            {
                return String(path)
            }
            let letters = word.utf8.prefix(3)
            if letters.count == 3, letters.dropFirst().elementsEqual(":\\".utf8),
                letters.first.map({ UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 & 0xDF }) == true
            {
                return String(word)
            }
        }
        return nil
    }
}
