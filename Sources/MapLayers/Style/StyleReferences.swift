import Diagnostics
import TerritoryModel

/// Where the references of a style document lead: each must work without a network.
struct StyleReferences {
    /// The sprites by their id, `default` for the only one.
    private(set) var sprites: [(id: String, path: String)] = []
    /// The template of glyph files, `fonts/{fontstack}/{range}.pbf`.
    private(set) var glyphs: String?
    /// False when the document names a sprite that is not in the layer: a fault of its own.
    private(set) var hasAllSprites = true
    /// True when the document names glyphs, in the layer or not.
    private(set) var namesGlyphs = false
    /// Files within the layer that sources read, with the place in the document.
    private(set) var files: [(path: String, place: String)] = []

    /// - Parameter place: what stands before every place in messages, for a style within a style.
    init(in style: JSONObject, place: String = "", _ findings: inout StyleFindings) {
        if place.isEmpty { Self.findRemote(.object(style), "", &findings) }
        readSprite(style["sprite"], place + "sprite", &findings)
        if let template = style["glyphs"] {
            namesGlyphs = true
            glyphs = file(template, place + "glyphs", allowing: ["fontstack", "range"], &findings)
        }
        for (name, source) in style["sources"]?.objectValue?.members ?? [] {
            guard let source = source.objectValue else { continue }
            readSource(source, "\(place)sources.\(name)", &findings)
        }
        for (index, entry) in (style["imports"]?.arrayValue ?? []).enumerated() {
            let place = "\(place)imports[\(index)]"
            if let url = entry.objectValue?["url"], let path = file(url, "\(place).url", allowing: [], &findings) {
                files.append((path, "\(place).url"))
            }
            guard let inner = entry.objectValue?["data"]?.objectValue else { continue }
            let nested = StyleReferences(in: inner, place: "\(place).data.", &findings)
            sprites += nested.sprites
            hasAllSprites = hasAllSprites && nested.hasAllSprites
            files += nested.files
        }
    }

    private mutating func readSprite(_ sprite: JSONValue?, _ place: String, _ findings: inout StyleFindings) {
        guard let sprite else { return }
        guard let list = sprite.arrayValue else {
            return addSprite("default", sprite, place, &findings)
        }
        for (index, entry) in list.enumerated() {
            guard let id = entry.objectValue?["id"]?.stringValue, let url = entry.objectValue?["url"] else {
                findings.fault(.styleDocument, "\(place)[\(index)] has no id and url")
                continue
            }
            addSprite(id, url, "\(place)[\(index)].url", &findings)
        }
    }

    private mutating func addSprite(
        _ id: String, _ url: JSONValue, _ place: String, _ findings: inout StyleFindings
    ) {
        if let path = file(url, place, allowing: [], &findings) {
            sprites.append((id, path))
        } else {
            hasAllSprites = false
        }
    }

    private mutating func readSource(_ source: JSONObject, _ place: String, _ findings: inout StyleFindings) {
        let tileNames = ["z", "x", "y", "-y", "quadkey", "bbox-epsg-3857", "ratio", "prefix"]
        for key in ["url", "data"] where source[key]?.stringValue != nil {
            guard let url = source[key], let path = file(url, "\(place).\(key)", allowing: [], &findings) else {
                continue
            }
            files.append((path, "\(place).\(key)"))
        }
        for key in ["tiles", "urls"] {
            for (index, url) in (source[key]?.arrayValue ?? []).enumerated() {
                guard let path = file(url, "\(place).\(key)[\(index)]", allowing: tileNames, &findings) else {
                    continue
                }
                if StyleURL.placeholders(in: path).isEmpty { files.append((path, "\(place).\(key)[\(index)]")) }
            }
        }
    }

    /// The path within the layer that a reference leads to; nil when it leads elsewhere, which is a fault if it may not.
    private func file(
        _ value: JSONValue, _ place: String, allowing names: [String], _ findings: inout StyleFindings
    ) -> String? {
        guard let text = value.stringValue else {
            findings.fault(.styleDocument, "\(place) is \(value.kind), not a text")
            return nil
        }
        for name in StyleURL.placeholders(in: text) where !names.contains(name) {
            findings.fault(
                .stylePlaceholder, "\(place) still has {\(name)} in it: \(quoted(text))",
                hint: "nobody fills it in on the device: write what belongs there")
        }
        switch StyleURL(text) {
        // Web addresses are found, with all others, by a walk over the document.
        case .remote, .data, .pmtiles: return nil
        case .pmtilesPlace:
            findings.warn(
                .stylePMTilesPlace, "\(place) is the archive's place on the machine that wrote it: \(quoted(text))",
                hint: "write pmtiles://map.pmtiles; the client puts the installed archive's place there")
            return nil
        case .file(let path): return path
        case .outside:
            findings.fault(
                .stylePathOutside, "\(place) leads out of the layer: \(quoted(text))",
                hint: "put the file into the style's directory and write its path from there")
            return nil
        case .otherScheme(let scheme):
            findings.fault(
                .styleURLScheme, "\(place) has the scheme \(quoted(scheme)): \(quoted(text))",
                hint: "use a relative path, pmtiles:// with a relative path, or a data: URI")
            return nil
        }
    }

    /// Names every web address in the document, wherever it stands.
    private static func findRemote(_ value: JSONValue, _ place: String, _ findings: inout StyleFindings) {
        switch value {
        case .string(let text) where StyleURL.isRemote(text):
            if place.hasPrefix("metadata") {
                findings.warn(.styleRemoteMention, "\(place) mentions a web address: \(quoted(text))")
            } else {
                findings.fault(
                    .styleRemoteURL, "\(place) needs the network: \(quoted(text))",
                    hint: "put the file into the package and write its path, or pmtiles:// for the tiles")
            }
        case .array(let elements):
            for (index, element) in elements.enumerated() { findRemote(element, "\(place)[\(index)]", &findings) }
        case .object(let object):
            for member in object.members {
                // An attribution is shown, with its links; nothing is fetched for it.
                if member.key == "attribution", place.hasPrefix("sources.") || place.contains(".sources.") { continue }
                findRemote(member.value, place.isEmpty ? member.key : "\(place).\(member.key)", &findings)
            }
        default: break
        }
    }
}
