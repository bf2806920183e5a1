import Diagnostics
import DurableFiles
import TerritoryModel

/// Which look of the map is meant, as in MapMapKit.
public enum StyleTheme: String, Hashable, Sendable, CaseIterable {
    /// A light map: `light.json` in a style layer.
    case light
    /// A dark map: `dark.json` in a style layer.
    case dark
}

/// A style document whose references are made to point at installed files.
struct InstalledStyle {
    private static let byteLimit = 16 << 20
    private static let depthLimit = 128

    /// The absolute path of the style layer's directory.
    let directory: String
    /// The absolute path of the installed map tiles.
    let tiles: String

    /// The document for a theme: `<theme>.json`, else `style.json`, else the other theme.
    func document(_ theme: StyleTheme) throws(SnpackError) -> JSONObject {
        let names = ["\(theme.rawValue).json", "style.json"] + StyleTheme.allCases.map { "\($0.rawValue).json" }
        let folder = try Directory.open(directory)
        for name in names where try folder.contains(name) {
            let bytes = try folder.contents(of: name, limit: Self.byteLimit)
            do throws(SnpackError) {
                guard let style = try StrictJSON.parse(bytes, depthLimit: Self.depthLimit).objectValue else { continue }
                return localized(style)
            } catch { throw error.at(folder.path(of: name)) }
        }
        throw SnpackError(
            .styleMissing, "the style layer has no light.json, dark.json or style.json", path: directory)
    }

    /// The style with absolute references; what is no relative path stays as it is.
    func localized(_ style: JSONObject) -> JSONObject {
        var style = style
        for key in ["glyphs", "sprite"] { style[key] = style[key].map(localized) }
        if let sources = style["sources"]?.objectValue {
            style["sources"] = .object(
                JSONObject(sources.members.map { (key: $0.key, value: source($0.value)) }))
        }
        style["layers"] = style["layers"].map(FontStacks(directory: directory + "/fonts").served(in:))
        return style
    }

    private func source(_ value: JSONValue) -> JSONValue {
        guard var source = value.objectValue else { return value }
        for key in ["url", "tiles", "urls", "data"] {
            // GeoJSON may stand in place of a path.
            if let value = source[key], value.objectValue == nil { source[key] = localized(value) }
        }
        return .object(source)
    }

    private func localized(_ value: JSONValue) -> JSONValue {
        switch value {
        case .string(let text): return .string(localized(text))
        case .array(let elements): return .array(elements.map(localized))
        case .object(var object):
            // A sprite of several: [{"id": …, "url": …}]
            object["url"] = object["url"].map(localized)
            return .object(object)
        case .null, .bool, .number: return value
        }
    }

    private func localized(_ text: String) -> String {
        if text.hasPrefix("pmtiles://") { return "pmtiles://" + FileURL.text(tiles) }
        if text.hasPrefix("/") || text.prefix(while: { $0 != "/" && $0 != "{" }).contains(":") { return text }
        return FileURL.text(text, relativeTo: directory)
    }
}
