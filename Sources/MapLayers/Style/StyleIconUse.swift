import Diagnostics
import TerritoryModel

/// The images of the sprite that a style draws: icons, patterns, and images within texts.
struct StyleIconUse {
    /// Each name once, with the id of the first layer that uses it.
    private(set) var icons: [(name: String, layer: String)] = []
    private var seen: Set<[UInt8]> = []

    private static let patterns = ["fill-pattern", "line-pattern", "background-pattern", "fill-extrusion-pattern"]

    init(in layers: [StyleLayers.Layer], _ findings: inout StyleFindings) {
        for layer in layers {
            if let icon = layer.layout["icon-image"] { add(icon, "icon-image", of: layer, &findings) }
            for key in Self.patterns {
                if let pattern = layer.paint[key] { add(pattern, key, of: layer, &findings) }
            }
            layer.layout["text-field"]?.forEachExpression(named: "image") { parts in
                add(.array(parts), "text-field", of: layer, &findings)
            }
        }
    }

    private mutating func add(
        _ property: JSONValue, _ key: String, of layer: StyleLayers.Layer, _ findings: inout StyleFindings
    ) {
        let outcomes = StyleOutcomes(of: property)
        var isOpen = outcomes.isOpen
        for name in outcomes.literals.compactMap(\.stringValue) where !name.isEmpty {
            if !StyleURL.placeholders(in: name).isEmpty {
                isOpen = true
            } else if seen.insert(Array(name.utf8)).inserted {
                icons.append((name, layer.id))
            }
        }
        if isOpen {
            findings.warn(
                .styleIconUnknown,
                "\(key) of the layer \(quoted(layer.id)) takes names out of the data, which cannot be checked")
        }
    }
}
