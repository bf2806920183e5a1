import Diagnostics
import DurableFiles

/// The sprites of a style layer: for each its two scales, checked, and the names of all images.
struct StyleSprites {
    /// As bytes; images of a sprite with an id of its own are `<id>:<name>`.
    private var names: Set<[UInt8]> = []
    /// False when a sprite could not be read, so that no icon can be called missing.
    private(set) var areKnown = true

    func contains(_ name: String) -> Bool { names.contains(Array(name.utf8)) }

    /// - Parameter sprites: what documents refer to, each once.
    init(
        _ sprites: [(id: String, path: String)], files: [String: LayerSourceFile], of source: any LayerSource,
        referredToIn document: String, _ facts: inout LayerFacts
    ) throws(SnpackError) {
        for sprite in sprites {
            guard let plain = try Self.sheet(sprite.path, 1, files, source, document, &facts) else {
                areKnown = false
                continue
            }
            let prefix = sprite.id == "default" ? [] : Array("\(sprite.id):".utf8)
            names.formUnion(plain.names.map { prefix + $0 })
            guard files[sprite.path + "@2x.json"] != nil || files[sprite.path + "@2x.png"] != nil else {
                facts.warnings.append(
                    SnpackError(
                        .styleSpriteScale,
                        "there is no \(quoted(sprite.path + "@2x.json")): icons look coarse on phones",
                        path: document))
                continue
            }
            guard let dense = try Self.sheet(sprite.path + "@2x", 2, files, source, document, &facts) else { continue }
            let different = plain.names.symmetricDifference(dense.names)
                .sorted { $0.lexicographicallyPrecedes($1) }.prefix(5)
            if !different.isEmpty {
                facts.faults.add(
                    SnpackError(
                        .styleSpriteMismatch,
                        "it and the sprite of scale 1 differ in the images "
                            + different.map { quoted(String(decoding: $0, as: UTF8.self)) }.joined(separator: ", "),
                        hint: "the two scales are of two builds: make the sprite again",
                        path: files[sprite.path + "@2x.json"].map(source.shownPath(of:))))
            }
        }
    }

    private static func sheet(
        _ path: String, _ scale: Int, _ files: [String: LayerSourceFile], _ source: any LayerSource,
        _ document: String, _ facts: inout LayerFacts
    ) throws(SnpackError) -> SpriteSheet? {
        guard let json = files[path + ".json"], let png = files[path + ".png"] else {
            let missing = [".json", ".png"].filter { files[path + $0] == nil }.map { quoted(path + $0) }
            facts.faults.add(
                SnpackError(
                    missing.count == 1 ? .styleSpriteMismatch : .styleFileMissing,
                    "the sprite's \(missing.joined(separator: " and ")) is not in the layer",
                    hint: "a sprite is sprite.json, sprite.png, sprite@2x.json and sprite@2x.png", path: document))
            return nil
        }
        var findings = StyleFindings(source.shownPath(of: json))
        let sheet = try SpriteSheet(
            json: source.open(json), png: source.open(png), pngPath: source.shownPath(of: png), scale: scale, &findings)
        findings.add(to: &facts)
        return sheet
    }
}
