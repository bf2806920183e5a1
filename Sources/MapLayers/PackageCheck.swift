package import Diagnostics
package import TerritoryModel

/// Checks the layers of a package against each other and against the territory's area.
package enum PackageCheck {
    /// - Parameter box: the territory's `bbox`.
    package static func faults(
        box: BoundingBox, layers: [(kind: LayerKind, facts: LayerFacts)]
    ) -> (faults: FaultList, warnings: [SnpackError]) {
        var found = Findings()
        for (kind, facts) in layers {
            if let coverage = facts.coverage { check(coverage, of: kind, against: box, &found) }
        }
        checkArea(layers, &found)
        checkStyles(layers, &found)
        return (found.faults, found.warnings)
    }

    private struct Findings {
        var faults = FaultList()
        var warnings: [SnpackError] = []
    }

    // MARK: Boxes

    private static func check(
        _ coverage: BoundingBox, of kind: LayerKind, against box: BoundingBox, _ found: inout Findings
    ) {
        let (layer, territory) = (BoxArea(coverage), BoxArea(box))
        let shared = layer.overlap(with: territory)
        func error(_ code: ErrorCode, _ relation: String, hint: String) -> SnpackError {
            SnpackError(
                code, "the layer \(kind) covers \(text(coverage)), \(relation) the territory's \(text(box))",
                hint: hint,
                path: kind.rawValue)
        }
        if shared == 0 {
            found.faults.add(
                error(
                    .packageLayerOutside, "nothing of",
                    hint: "the layer is another territory's, or latitude and longitude of bbox are swapped"))
        } else if layer.area > 2 * territory.grownArea {
            found.warnings.append(
                error(.packageLayerLarge, "much more than", hint: "cut the layer's data to the territory first"))
        } else if shared < territory.area / 4 {
            found.warnings.append(
                error(.packageLayerSmall, "little of", hint: "is the layer's data complete, and bbox right?"))
        }
    }

    private static func text(_ box: BoundingBox) -> String {
        "[" + [box.west, box.south, box.east, box.north].map { "\($0)" }.joined(separator: ", ") + "]"
    }

    /// A style alone shows nothing anywhere; a kind that this version does not know may well.
    private static func checkArea(_ layers: [(kind: LayerKind, facts: LayerFacts)], _ found: inout Findings) {
        guard found.faults.isEmpty, layers.allSatisfy({ $0.kind == .style }) else { return }
        found.faults.add(
            SnpackError(
                .packageNoArea, "no layer answers the territory's area",
                hint: "add its map (pmtiles), its roads (valhalla-tiles) or its places (geocode-index)"))
    }

    // MARK: Style and tiles

    private static func checkStyles(_ layers: [(kind: LayerKind, facts: LayerFacts)], _ found: inout Findings) {
        let drawn = layers.flatMap(\.facts.styleSourceLayers)
        guard !drawn.isEmpty else { return }
        let archives = layers.filter { $0.kind == .pmtiles }
        guard !archives.isEmpty else {
            found.warnings.append(
                SnpackError(
                    .packageStyleWithoutTiles, "the style draws vector tiles, and there is no layer pmtiles",
                    path: LayerKind.style.rawValue))
            return
        }
        // An archive that does not tell its layers leaves nothing to compare.
        let told = archives.compactMap(\.facts.vectorLayers)
        guard told.count == archives.count else { return }
        let known = Set(told.joined().map { Array($0.utf8) })
        for use in drawn where !known.contains(Array(use.name.utf8)) {
            found.faults.add(
                SnpackError(
                    .styleSourceLayer,
                    "the layer \(quoted(use.layer)) draws the source-layer \(quoted(use.name)), which the PMTiles do not have",
                    hint: "they have \(told.joined().sorted().prefix(20).joined(separator: ", "))", path: use.path))
        }
    }
}
