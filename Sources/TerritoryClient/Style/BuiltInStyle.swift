import TerritoryModel

/// A plain style for archives that come without one, over whatever vector layers they have. It has no labels, for those
/// need glyphs.
struct BuiltInStyle {
    let theme: StyleTheme
    let name: String
    let attribution: [String]
    /// The `vector_layers` that the archive's metadata lists.
    let vectorLayers: [String]
    /// What the source's `url` is.
    let tiles: String

    private struct Palette {
        let ground, water, green, built, building, road, rail, border, point: String
    }

    private var palette: Palette {
        switch theme {
        case .light:
            Palette(
                ground: "#f4f1ea", water: "#a9cfe3", green: "#dbe7c9", built: "#e9e4dc", building: "#d6cec2",
                road: "#ffffff", rail: "#b3aca3", border: "#9a7fb0", point: "#8a7a66")
        case .dark:
            Palette(
                ground: "#1d2024", water: "#1b3a4b", green: "#23301f", built: "#26282c", building: "#34373c",
                road: "#555b63", rail: "#44474c", border: "#7b6590", point: "#a89c8a")
        }
    }

    var document: JSONObject {
        var source: JSONObject = ["type": "vector", "url": .string(tiles)]
        if !attribution.isEmpty { source["attribution"] = .string(attribution.joined(separator: ", ")) }
        let background: JSONValue = [
            "id": "background", "type": "background", "paint": ["background-color": .string(palette.ground)],
        ]
        // Areas below lines below points, in the order in which the kinds of layers are drawn.
        let drawn = vectorLayers.enumerated().map { (rank: Self.rank(of: $1), place: $0, name: $1) }
            .sorted { ($0.rank, $0.place) < ($1.rank, $1.place) }
        return [
            "version": 8, "name": .string("\(name) \(theme.rawValue)"),
            "sources": .object(["map": .object(source)]),
            "layers": .array([background] + drawn.map { layer($0.name) }),
        ]
    }

    private enum Kind: Int, CaseIterable {
        case built, green, water, building, waterway, road, rail, border, other, point
    }

    private static let words: [(Kind, [String])] = [
        (.waterway, ["waterway", "river", "stream"]), (.water, ["water", "ocean", "lake", "sea"]),
        (.building, ["building"]), (.rail, ["rail"]), (.road, ["road", "street", "transport", "highway", "path"]),
        (.border, ["bound", "admin", "border"]), (.point, ["poi", "place", "label", "housenumber", "peak", "address"]),
        (.green, ["landcover", "park", "forest", "wood", "grass", "natural"]), (.built, ["landuse", "land", "urban"]),
    ]

    private static func kind(of name: String) -> Kind {
        let name = name.lowercased()
        return words.first { $0.1.contains { name.contains($0) } }?.0 ?? .other
    }

    private static func rank(of name: String) -> Int { kind(of: name).rawValue }

    private func layer(_ name: String) -> JSONValue {
        let colors = palette
        switch Self.kind(of: name) {
        case .built: return fill(name, colors.built)
        case .green: return fill(name, colors.green)
        case .water: return fill(name, colors.water)
        case .building: return fill(name, colors.building)
        case .waterway: return line(name, colors.water, [8, 0.4, 14, 2, 18, 8])
        case .road: return line(name, colors.road, [8, 0.4, 14, 3, 18, 14])
        case .rail: return line(name, colors.rail, [8, 0.4, 14, 1.2, 18, 3])
        case .border: return line(name, colors.border, [4, 0.6, 14, 1.6])
        case .other: return line(name, colors.point, [8, 0.4, 16, 1.2])
        case .point:
            return drawn(name, "circle", ["circle-color": .string(colors.point), "circle-radius": 2])
        }
    }

    private func fill(_ name: String, _ color: String) -> JSONValue {
        drawn(name, "fill", ["fill-color": .string(color)])
    }

    private func line(_ name: String, _ color: String, _ widths: [Double]) -> JSONValue {
        let stops = widths.compactMap { JSONNumber($0).map(JSONValue.number) }
        return drawn(
            name, "line",
            [
                "line-color": .string(color),
                "line-width": .array(["interpolate", ["exponential", 1.5], ["zoom"]] + stops),
            ])
    }

    private func drawn(_ name: String, _ type: String, _ paint: JSONObject) -> JSONValue {
        [
            "id": .string(name), "type": .string(type), "source": "map", "source-layer": .string(name),
            "paint": .object(paint),
        ]
    }
}
