import TerritoryFactory
import TerritoryModel

/// What cutting regions gave or would give, for people and for scripts.
enum CutText {
    static func outcomes(_ outcomes: [RegionCutter.Outcome], isBatch: Bool) -> CommandResult {
        var lines: [String] = []
        for outcome in outcomes {
            if !lines.isEmpty { lines.append("") }
            lines += ManifestText.lines(outcome.manifest)
            lines.append(
                outcome.isUnchanged
                    ? "\(outcome.path) is there already, signed and the same" : "wrote \(outcome.path)")
        }
        let objects = outcomes.map { outcome in
            var object = ManifestText.json(outcome.manifest)
            object["release"] = .string(outcome.path)
            object["unchanged"] = .bool(outcome.isUnchanged)
            object["bbox"] = outcome.manifest.boundingBox.json
            return object
        }
        if !isBatch, let object = objects.first { return CommandResult(object, lines: lines) }
        return CommandResult(["regions": .array(objects.map(JSONValue.object))], lines: lines)
    }

    static func estimates(
        _ estimates: [(id: TerritoryID, layers: [RegionCutter.LayerEstimate])], _ requests: [RegionRequest]
    ) -> CommandResult {
        var lines: [String] = []
        var regions: [JSONValue] = []
        for (estimate, request) in zip(estimates, requests) {
            if !lines.isEmpty { lines.append("") }
            lines.append("\(request.name) (\(estimate.id)) would have")
            var table = TextTable(["layer", "tiles or rows", "files", "on disk"])
            for layer in estimate.layers {
                table.add([
                    layer.kind.rawValue, layer.itemCount.map { "\($0)" } ?? "", "\(layer.fileCount)",
                    byteText(layer.byteCount),
                ])
            }
            lines += table.lines
            regions.append([
                "territory_id": .string(estimate.id.rawValue), "display_name": .string(request.name.rawValue),
                "layers": .array(
                    estimate.layers.map { layer in
                        var object: JSONObject = [
                            "kind": .string(layer.kind.rawValue), "files": .number(JSONNumber(layer.fileCount)),
                            "bytes": .number(JSONNumber(layer.byteCount)),
                        ]
                        object["items"] = layer.itemCount.map { .number(JSONNumber($0)) }
                        return .object(object)
                    }),
                "bytes": .number(JSONNumber(estimate.layers.reduce(0) { $0 &+ $1.byteCount })),
            ])
        }
        return CommandResult(["dry_run": true, "regions": .array(regions)], lines: lines)
    }
}
