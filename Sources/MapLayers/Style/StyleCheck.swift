package import Diagnostics
import DurableFiles
import TerritoryModel

/// Checks a style layer: documents that draw a map without a network, with the fonts and icons they name.
package enum StyleCheck {
    /// The documents that a layer may hold: one for each theme, or a single one.
    package static let documentNames = ["dark.json", "light.json", "style.json"]

    package static func facts(
        of source: any LayerSource, context: WorkContext = WorkContext()
    ) throws(SnpackError) -> LayerFacts {
        var facts = LayerFacts()
        let names = source.files.filter { documentNames.contains($0.path) }
        guard source.isTree, !names.isEmpty else {
            facts.faults.add(
                SnpackError(
                    .styleNoDocument, "there is no style document in it",
                    hint: "a style layer is a directory with light.json and dark.json, or style.json",
                    path: source.files.first.map(source.shownPath(of:))))
            return facts
        }
        // Paths of a layer differ after folding, so those that refer to each other may be compared as text.
        let files = Dictionary(source.files.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
        facts.faults.add(contentsOf: try StyleGlyphs.faults(in: source.files, of: source, context))
        var themes: [JSONValue] = []
        var stacks: Set<String> = []
        var rows: [[String]] = []
        for file in names {
            try context.cancel.check()
            var findings = StyleFindings(source.shownPath(of: file))
            let document = try read(file, of: source, &findings)
            if let document {
                check(document, source.files, &findings)
                check(document.references.files, files, &findings)
            }
            findings.add(to: &facts)
            guard let document else { continue }
            try check(document, file, files, of: source, &facts)
            let theme = String(file.path.dropLast(".json".count))
            themes.append(.string(theme))
            stacks.formUnion(document.text.stacks.map { $0.fonts.joined(separator: ",") })
            rows.append([
                theme, "\(document.layerCount)", "\(document.sourceCount)", "\(document.text.stacks.count)",
                "\(document.icons.icons.count)",
            ])
            facts.styleSourceLayers += document.sourceLayers.map {
                StyleSourceLayer(name: $0.name, layer: $0.layer, path: source.shownPath(of: file))
            }
        }
        facts.meta["themes"] = .array(themes)
        // Bounded, as meta is; a style that names more stacks has other faults.
        let sorted = stacks.filter { $0.utf8.count <= 200 }.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        facts.meta["font_stacks"] = .array(sorted.prefix(100).map(JSONValue.string))
        facts.tables.append(
            FactTable("Style documents", columns: ["theme", "layers", "sources", "font stacks", "icons"], rows: rows))
        return facts
    }

    /// What a single document tells, without the files that it names.
    static func facts(ofDocument file: any RandomAccess, path: String) throws(SnpackError) -> LayerFacts {
        var facts = LayerFacts()
        var findings = StyleFindings(path)
        let bytes = try file.allBytes(limit: StyleDocument.byteLimit)
        if let document = StyleDocument(bytes, &findings) {
            let stacks = document.text.stacks.map { $0.fonts.joined(separator: ",") }
            facts.meta["font_stacks"] = .array(stacks.prefix(100).map(JSONValue.string))
            facts.tables.append(
                FactTable(
                    "Style layers", columns: ["layer", "source-layer"],
                    rows: document.sourceLayers.map { [$0.layer, $0.name] }))
        }
        findings.add(to: &facts)
        return facts
    }

    private static func read(
        _ file: LayerSourceFile, of source: any LayerSource, _ findings: inout StyleFindings
    ) throws(SnpackError) -> StyleDocument? {
        guard file.byteCount <= UInt64(StyleDocument.byteLimit) else {
            findings.fault(.styleDocument, "\(file.byteCount) bytes are too many for a style")
            return nil
        }
        return StyleDocument(try source.open(file).allBytes(limit: StyleDocument.byteLimit), &findings)
    }

    private static func check(
        _ document: StyleDocument, _ files: [LayerSourceFile], _ findings: inout StyleFindings
    ) {
        guard !document.text.stacks.isEmpty else { return }
        guard let glyphs = document.references.glyphs.flatMap({ StyleGlyphs(files, template: $0) }) else {
            // Glyphs that lead elsewhere are a fault already told.
            if document.references.glyphs == nil, document.references.namesGlyphs { return }
            return findings.fault(
                .styleGlyphsTemplate, "it has texts, but glyphs does not lead to font files within the layer",
                hint: "write \"glyphs\": \"\(StyleGlyphs.defaultTemplate)\"")
        }
        for (fonts, layer) in document.text.stacks {
            let stack = quoted(fonts.joined(separator: ","))
            switch glyphs.service(of: fonts) {
            case .whole: break
            case .fontByFont:
                findings.warn(
                    .styleFontFallback, "the stack \(stack) has no directory of its own, only its fonts have",
                    hint: "the client draws with the stack's first font alone")
            case .withoutLatin(let names):
                findings.fault(
                    .styleFontRange,
                    "the layer \(quoted(layer)) draws in \(stack); \(names.map(quoted).joined(separator: ", ")) has no 0-255.pbf",
                    hint: "every font needs the range 0-255 at least")
            case .missing(let names):
                findings.fault(
                    .styleFontMissing,
                    "the layer \(quoted(layer)) draws in \(stack); there are no glyphs for "
                        + names.map(quoted).joined(separator: ", "),
                    hint: "put the glyphs into fonts/<stack>/, the fonts of a stack joined by commas")
            }
        }
    }

    private static func check(
        _ referred: [(path: String, place: String)], _ files: [String: LayerSourceFile],
        _ findings: inout StyleFindings
    ) {
        for (path, place) in referred where files[path] == nil {
            findings.fault(.styleFileMissing, "\(place) leads to \(quoted(path)), which is not in the layer")
        }
    }

    private static func check(
        _ document: StyleDocument, _ file: LayerSourceFile, _ files: [String: LayerSourceFile],
        of source: any LayerSource, _ facts: inout LayerFacts
    ) throws(SnpackError) {
        let path = source.shownPath(of: file)
        var found = LayerFacts()
        let sprites = try StyleSprites(
            document.references.sprites, files: files, of: source, referredToIn: path, &found)
        // Both themes use the same sprite: its faults are told once.
        for fault in found.faults.faults where !facts.faults.faults.contains(fault) { facts.faults.add(fault) }
        for warning in found.warnings where !facts.warnings.contains(warning) { facts.warnings.append(warning) }
        guard sprites.areKnown, document.references.hasAllSprites else { return }
        for (name, layer) in document.icons.icons where !sprites.contains(name) {
            facts.faults.add(
                SnpackError(
                    .styleIconMissing,
                    "the layer \(quoted(layer)) draws the image \(quoted(name)), which no sprite has",
                    hint: "add it to the sprite, or take it out of the style", path: path))
        }
    }
}
