import Diagnostics
import Hashing
import TerritoryModel

/// A manifest for people and for scripts.
enum ManifestText {
    static func lines(_ manifest: Manifest) -> [String] {
        let hasPatches = manifest.layers.contains { !$0.patches.isEmpty }
        let patchColumn = hasPatches ? ["as a patch"] : []
        var table = TextTable(["layer", "address", "files", "on disk", "on the wire"] + patchColumn)
        for layer in manifest.layers {
            let patch = layer.patches.map(\.byteCount).min().map(byteText) ?? ""
            table.add(
                [
                    layer.kind.rawValue, layer.address, "\(layer.fileCount)", byteText(layer.byteCount),
                    byteText(layer.blob.byteCount),
                ] + (hasPatches ? [patch] : []))
        }
        return [
            "\(manifest.displayName) (\(manifest.name)), data of \(manifest.dataTimestamp)",
            "\(byteText(manifest.totalBytes)) on disk, \(byteText(manifest.downloadBytes)) on the wire",
        ] + table.lines
    }

    static func json(_ manifest: Manifest) -> JSONObject {
        [
            "territory_id": .string(manifest.territoryID.rawValue), "version": .string(manifest.version.rawValue),
            "display_name": .string(manifest.displayName.rawValue),
            "data_timestamp": .string(manifest.dataTimestamp.description),
            "total_bytes": .number(JSONNumber(manifest.totalBytes)),
            "download_bytes": .number(JSONNumber(manifest.downloadBytes)),
            "manifest_blake3": .string(Blake3Digest.of(manifest.canonicalBytes).hex),
            "layers": .array(manifest.layers.map { .object(json($0)) }),
        ]
    }

    private static func json(_ layer: Manifest.Layer) -> JSONObject {
        var object: JSONObject = [
            "kind": .string(layer.kind.rawValue), "path": .string(layer.path.rawValue),
            "address": .string(layer.address), "blake3": .string(layer.blake3.hex),
            "files": .number(JSONNumber(layer.fileCount)), "bytes": .number(JSONNumber(layer.byteCount)),
            "blob_bytes": .number(JSONNumber(layer.blob.byteCount)),
        ]
        if !layer.patches.isEmpty {
            object["patches"] = .array(
                layer.patches.map {
                    .object(["from": .string($0.from.hex), "bytes": .number(JSONNumber($0.byteCount))])
                })
        }
        object["meta"] = layer.meta.map(JSONValue.object)
        return object
    }
}
