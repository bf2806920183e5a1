import Diagnostics
import Foundation
import Hashing
import Signing
import TerritoryClient
import TerritoryModel

extension AttackRow {
    private static let manifest = "territories/uk/1.1.0/manifest.json"

    /// Publishes 1.1.0 with a map of 3 MiB, whose blob has several frames and a table worth a request.
    private static func publishLarge(_ scene: Scene) throws -> SimulatedRelease {
        let large = try SimulatedLayer(
            "pmtiles", path: "map.pmtiles", isTree: false,
            files: [("map.pmtiles", SimulatedLayer.noise(3 << 20, seed: 99))])
        let layers = try Scene.layers("1.1.0").filter { $0.layer.kind != .pmtiles } + [large]
        let release = try scene.release("1.1.0", layers: layers)
        try scene.publish([release])
        return release
    }

    /// Manifests and blobs: SPEC 4, 9 and 11.
    static let content: [AttackRow] = [
        AttackRow(
            "a manifest that is not the listed one", .refused("manifest.mismatch"), mustNotRequest: ["layers/"],
            requestCounts: [manifest: 2]
        ) {
            try $0.publish([$0.release("1.1.0")])
            $0.channel[manifest]?.append(0x0A)
        },
        AttackRow("a stale manifest in a cache", .updated("1.1.0"), requestCounts: [manifest: 2]) {
            try $0.publish([$0.release("1.1.0")])
            let stale = try $0.release("1.1.0", layers: Scene.layers("stale")).bytes
            $0.channel.lie { request, _ in request.path == manifest && !request.isPastCaches ? .answer(stale) : nil }
        },
        AttackRow("no manifest", .refused("package.file-missing"), mustNotRequest: ["layers/"]) {
            try $0.publish([$0.release("1.1.0")])
            $0.channel[manifest] = nil
        },
        AttackRow("no signature of the manifest", .refused("package.file-missing"), mustNotRequest: ["layers/"]) {
            try $0.publish([$0.release("1.1.0")])
            $0.channel[manifest + ".sig"] = nil
        },
        AttackRow(
            "Case 61: a manifest of brackets without end", .refused("document.too-large"), mustNotRequest: ["layers/"]
        ) {
            try $0.publish([$0.release("1.1.0")])
            $0.channel.lie { request, _ in
                request.path == manifest ? .endless([UInt8](repeating: 0x5B, count: 1 << 16)) : nil
            }
        },
        AttackRow(
            "Case 59: the index says another size than the manifest", .refused("manifest.contradicts-index"),
            mustNotRequest: ["layers/"]
        ) {
            let release = try $0.release("1.1.0")
            try $0.publish([release])
            let text = String(decoding: $0.channel["index.json"] ?? [], as: UTF8.self)
            let lie = text.replacingOccurrences(
                of: "\"total_bytes\": \(release.manifest.totalBytes)", with: "\"total_bytes\": 10")
            try $0.channel.put(index: Array(lie.utf8), signer: $0.secret.factory)
        },
        AttackRow(
            "the manifest of another version, listed", .refused("manifest.contradicts-index"),
            mustNotRequest: ["layers/"]
        ) {
            let (old, new) = (try $0.release("1.0.0"), try $0.release("1.1.0"))
            try $0.publish([new])
            let text = String(decoding: $0.channel["index.json"] ?? [], as: UTF8.self)
            let lie = text.replacingOccurrences(of: Blake3Text.of(new.bytes), with: Blake3Text.of(old.bytes))
            try $0.channel.put(index: Array(lie.utf8), signer: $0.secret.factory)
            $0.channel[manifest] = old.bytes
            $0.channel[manifest + ".sig"] = old.signature
        },

        AttackRow("one bit of a blob", .refused("blob.mismatch")) {
            let release = try $0.release("1.1.0")
            try $0.publish([release])
            $0.channel[release.blobPath("valhalla-tiles")]?[20_000] ^= 1
        },
        AttackRow("a blob that lacks its last byte", .refused("blob.short")) {
            let release = try $0.release("1.1.0")
            try $0.publish([release])
            _ = $0.channel[release.blobPath("valhalla-tiles")]?.popLast()
        },
        AttackRow("Case 61: a blob with one byte more", .refused("blob.longer")) {
            let release = try $0.release("1.1.0")
            try $0.publish([release])
            $0.channel[release.blobPath("valhalla-tiles")]?.append(0)
        },
        AttackRow("Case 61: a blob without end", .refused("blob.longer")) {
            let release = try $0.release("1.1.0")
            try $0.publish([release])
            let path = release.blobPath("valhalla-tiles")
            $0.channel.lie { request, _ in request.path == path ? .endless([UInt8](repeating: 0, count: 1 << 16)) : nil
            }
        },
        AttackRow("a blob that is not there", .refused("package.file-missing")) {
            let release = try $0.release("1.1.0")
            try $0.publish([release])
            $0.channel[release.blobPath("pmtiles")] = nil
        },
        AttackRow("a blob as signed, its content not", .refused("layer.mismatch")) {
            let wrong = try SimulatedLayer(
                "pmtiles", path: "map.pmtiles", isTree: false, files: [("map.pmtiles", [1, 2, 3])],
                claimedBlake3: .of([9]))
            try $0.publish([$0.release("1.1.0", layers: [wrong])])
        },
        AttackRow("Case 35: names that some disks take for one", .refused("file-path.collision")) {
            let twins = try SimulatedLayer("extra", path: "extra", files: [("Tile", [1]), ("tile", [2])])
            try $0.publish([$0.release("1.1.0", layers: [twins])])
        },
        AttackRow("a path that leads out", .refused("file-path.invalid")) {
            let evil = try SimulatedLayer("extra", path: "extra", files: [("../evil", [1])])
            try $0.publish([$0.release("1.1.0", layers: [evil])])
        },
        AttackRow("an absolute path", .refused("file-path.invalid")) {
            let evil = try SimulatedLayer("extra", path: "extra", files: [("/tmp/evil", [1])])
            try $0.publish([$0.release("1.1.0", layers: [evil])])
        },
        AttackRow("a file below a file", .refused("file-path.collision")) {
            let evil = try SimulatedLayer("extra", path: "extra", files: [("a", [1]), ("a/b", [2])])
            try $0.publish([$0.release("1.1.0", layers: [evil])])
        },
        AttackRow("the blob breaks off", .refused("transfer.connection-lost")) {
            let release = try $0.release("1.1.0")
            try $0.publish([release])
            let path = release.blobPath("pmtiles")
            $0.channel.lie { request, _ in request.path == path ? .breakOff(after: 1_000) : nil }
        },
        AttackRow("cancelled in the middle of a blob", .cancelled) {
            let release = try publishLarge($0)
            let path = release.blobPath("pmtiles")
            $0.channel.lie { request, _ in
                request.path == path && request.range?.lowerBound == 0 ? .cancel(after: 1_500_000) : nil
            }
        },
        AttackRow(
            "layers left out are not asked for", .installed("1.0.0"), isUpdate: false,
            mustNotRequest: ["pmtiles", "poi"]
        ) {
            try $0.publish([])
            $0.request.omit = [.pmtiles, .poiSidecar]
        },
        AttackRow("what was left out stays out in an update", .updated("1.1.0"), mustNotRequest: ["map.pmtiles"]) {
            _ = try await $0.store().install($0.territory(), from: $0.channel, InstallRequest(omit: [.pmtiles]))
            try $0.publish([$0.release("1.1.0")])
        },
        AttackRow(
            "what was left out is fetched later, and nothing else", .updated("1.0.0"),
            mustNotRequest: ["valhalla", "poi"]
        ) {
            $0.options.keepsPrevious = false
            _ = try await $0.store().install($0.territory(), from: $0.channel, InstallRequest(omit: [.pmtiles]))
            $0.request.omit = []
        },

        // Blobs of several frames.
        AttackRow("a large blob", .updated("1.1.0")) { _ = try publishLarge($0) },
        AttackRow("a forged chunk table", .refused("blob.table-invalid")) {
            let release = try publishLarge($0)
            let blob = release.blob("pmtiles")
            $0.channel[release.blobPath("pmtiles")]?[blob.count - 50] ^= 1
        },
        AttackRow("a bad frame, twice", .refused("blob.frame-invalid")) {
            let release = try publishLarge($0)
            $0.channel[release.blobPath("pmtiles")]?[2_500_000] ^= 1
        },
        AttackRow("a bad frame in a cache, right past it", .updated("1.1.0")) {
            let release = try publishLarge($0)
            let path = release.blobPath("pmtiles")
            var bad = release.blob("pmtiles")
            bad[1_500_000] ^= 1
            $0.channel.lie { [bad] request, _ in
                request.path == path && !request.isPastCaches && request.range?.lowerBound == 0 ? .answer(bad) : nil
            }
        },
        AttackRow("Case 75: a host without ranges", .updated("1.1.0")) {
            let release = try publishLarge($0)
            let path = release.blobPath("pmtiles")
            $0.channel.lie { request, _ in request.path == path ? .refuseRange : nil }
        },
        AttackRow("Case 51: a whole part of wrong bytes", .updated("1.1.0")) {
            let release = try publishLarge($0)
            let blob = release.blob("pmtiles")
            let cache = $0.root.appending(path: "cache")
            try FileManager.default.createDirectory(at: cache, withIntermediateDirectories: true)
            try $0.overwrite("cache/\(Blake3Text.of(blob)).part", with: [UInt8](repeating: 0x41, count: blob.count))
        },
        AttackRow("a part that is longer than the blob", .updated("1.1.0")) {
            let release = try publishLarge($0)
            let blob = release.blob("pmtiles")
            let cache = $0.root.appending(path: "cache")
            try FileManager.default.createDirectory(at: cache, withIntermediateDirectories: true)
            try $0.overwrite("cache/\(Blake3Text.of(blob)).part", with: blob + [0, 0, 0])
        },
    ]
}
