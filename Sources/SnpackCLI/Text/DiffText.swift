import TerritoryModel
import TerritoryPackage

/// What changes between two versions, for people and for scripts.
struct DiffText {
    private let old: Manifest
    private let new: Manifest
    private let route: UpdateRoute

    init(_ old: Manifest, _ new: Manifest, _ route: UpdateRoute) {
        self.old = old
        self.new = new
        self.route = route
    }

    var result: CommandResult {
        var table = TextTable(["layer", "", "whole", "update", "on disk"])
        var layers: [JSONValue] = []
        for layer in route.layers {
            let (change, way) = describe(layer)
            table.add([
                layer.layer.kind.rawValue, way, byteText(layer.layer.blob.byteCount), byteText(layer.byteCount),
                byteText(layer.layer.byteCount),
            ])
            layers.append(
                .object([
                    "kind": .string(layer.layer.kind.rawValue), "change": .string(change),
                    "blob_bytes": .number(JSONNumber(layer.layer.blob.byteCount)),
                    "download_bytes": .number(JSONNumber(layer.byteCount)),
                    "installed_bytes": .number(JSONNumber(layer.layer.byteCount)),
                    "patches": .number(JSONNumber(Int64(patchCount(layer)))),
                ]))
        }
        for layer in old.layers where new[layer.kind] == nil {
            table.add([layer.kind.rawValue, "removed", "0 B", "0 B", "0 B"])
            layers.append(.object(["kind": .string(layer.kind.rawValue), "change": "removed"]))
        }
        let whole = route.layers.filter { $0.way != .held }.reduce(UInt64(0)) { $0 &+ $1.layer.blob.byteCount }
        return CommandResult(
            [
                "old": .string(old.name.description), "new": .string(new.name.description),
                "layers": .array(layers), "download_bytes": .number(JSONNumber(route.byteCount)),
                "download_bytes_without_patches": .number(JSONNumber(whole)),
                "installed_bytes": .number(JSONNumber(new.totalBytes)),
            ],
            lines: [
                "\(old.name) → \(new.name): \(byteText(route.byteCount)) on the wire (\(byteText(whole)) without patches), "
                    + "\(byteText(new.totalBytes)) on disk"
            ] + table.lines)
    }

    private func patchCount(_ layer: UpdateRoute.LayerWay) -> Int {
        if case .patched(let legs) = layer.way { legs.count } else { 0 }
    }

    private func describe(_ layer: UpdateRoute.LayerWay) -> (change: String, way: String) {
        switch layer.way {
        case .held: ("unchanged", "unchanged")
        case .patched(let legs): ("changed", legs.count == 1 ? "by a patch" : "by \(legs.count) patches")
        case .whole: old[layer.layer.kind] == nil ? ("added", "added") : ("changed", "whole")
        }
    }
}
