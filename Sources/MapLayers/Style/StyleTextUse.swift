import Diagnostics
import TerritoryModel

/// The font stacks that the texts of a style are drawn in.
struct StyleTextUse {
    /// What a renderer takes when a text has no `text-font` (the style specification's default).
    static let defaultStack = ["Open Sans Regular", "Arial Unicode MS Regular"]

    /// Each stack once, with the id of the first layer that uses it.
    private(set) var stacks: [(fonts: [String], layer: String)] = []
    private var seen: Set<[[UInt8]]> = []

    init(in layers: [StyleLayers.Layer], _ findings: inout StyleFindings) {
        for layer in layers where layer.type == "symbol" {
            let text = layer.layout["text-field"]
            if let property = layer.layout["text-font"] {
                add(property, of: layer, &findings)
            } else if let text, text != "" {
                note(Self.defaultStack, layer.id)
            }
            // `["format", text, {"text-font": …}, …]` sets fonts for parts of a text.
            text?.forEachExpression(named: "format") { parts in
                for options in parts.compactMap(\.objectValue) {
                    if let property = options["text-font"] { add(property, of: layer, &findings) }
                }
            }
        }
    }

    private mutating func add(_ property: JSONValue, of layer: StyleLayers.Layer, _ findings: inout StyleFindings) {
        let outcomes = StyleOutcomes(of: property)
        if outcomes.isOpen {
            findings.warn(
                .styleFontUnknown, "fonts of the layer \(quoted(layer.id)) come out of the data and cannot be checked")
        }
        for value in outcomes.literals {
            let fonts = value.arrayValue?.map(\.stringValue) ?? [nil]
            guard !fonts.isEmpty, let fonts = fonts as? [String], fonts.allSatisfy({ !$0.isEmpty }) else {
                findings.fault(
                    .styleDocument, "text-font of the layer \(quoted(layer.id)) is \(value.kind), not an array of names"
                )
                continue
            }
            note(fonts, layer.id)
        }
    }

    private mutating func note(_ fonts: [String], _ layer: String) {
        if seen.insert(fonts.map { Array($0.utf8) }).inserted { stacks.append((fonts, layer)) }
    }
}
