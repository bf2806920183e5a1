// What the articles show. Their ```swift blocks are here line for line; ArticleTests compares.

import Diagnostics
import Foundation
import MapLayers
import Signing
import TerritoryClient
import TerritoryModel
import TerritoryPackage

func openStore(in directory: URL, factoryKey: String) throws -> TerritoryStore {
    try TerritoryStore(root: directory, factoryKey: FactoryKey(parsing: factoryKey))
}

func update(_ store: TerritoryStore, channelURL: String) async throws -> String {
    let channel = try HTTPTransport(url: channelURL, version: "1.0")
    let id = try TerritoryID(parsing: "liechtenstein")

    let found = try await store.check(id, from: channel)
    if let plan = found.plan {
        print("\(plan.downloadBytes) bytes to fetch, \(plan.peakBytes) bytes of free disk needed")
    }

    switch try await store.sync(id, from: channel).outcome {
    case .installed(let result), .updated(let result):
        return "\(result.territory.displayName) \(result.territory.version) is here"
    case .upToDate(let territory): return "\(territory.version) is the newest"
    case .held(let territory, let version): return "\(territory.version) stays: you went back from \(version)"
    case .cancelled: return "stopped; what was fetched is kept for the next time"
    }
}

func use(_ store: TerritoryStore, _ id: TerritoryID) async throws -> [String] {
    let style = try await store.style(id, theme: .dark)  // for MapLibre Native
    let tiles = try await store.layerURL(id, .valhallaTiles)  // Valhalla's mjolnir.tile_dir
    assert(style.contains("file://") && tiles.isFileURL)

    let search = try await store.search(id)
    let places = try search.search(query: "malb", near: (lat: 47.1, lon: 9.6), limit: 5)
    let here = try search.reverse(lat: 47.141, lon: 9.521, limit: 1)
    return (places + here).map { place in "\(place.name), \(Int(place.distanceM ?? 0)) m away" }
}

enum Trouble: Equatable {
    case tryLater, freeSomeSpace, updateTheApp, busy, tellTheUser(String)
}

func trouble(_ error: SnpackError) -> Trouble {
    switch (error.code.exitStatus, error.code.name) {
    case (.network, _): .tryLater
    case (_, "disk.full"): .freeSomeSpace
    case (.unsupported, _): .updateTheApp
    case (_, "lock.busy"): .busy
    default: .tellTheUser("\(error.message) [\(error.code)]")
    }
}

func heal(_ store: TerritoryStore, _ id: TerritoryID, from channel: HTTPTransport) async throws -> UInt64 {
    guard try await !store.verify(id).faults.isEmpty else { return 0 }
    return try await store.repair(id, from: .channel(channel)).bytesDownloaded
}

final class ByteListener: ProgressReporter {
    let show: @Sendable (_ moreBytes: UInt64) -> Void
    init(show: @escaping @Sendable (UInt64) -> Void) { self.show = show }

    func begin(_ label: String, byteCount: UInt64?) {}
    func advance(_ byteCount: UInt64) { show(byteCount) }
    func end() {}
    func warn(_ warning: SnpackError) {}
    func note(_ line: String) {}
}

struct UnmeteredTransport: ChannelTransport {
    let inner: any ChannelTransport
    let isUnmetered: @Sendable () -> Bool
    var location: String { inner.location }

    func fetch(
        _ request: ChannelRequest, cancel: CancelToken,
        consume: (UnsafeRawBufferPointer) throws(SnpackError) -> Void
    ) throws(SnpackError) -> ChannelAnswer {
        guard isUnmetered() else { throw SnpackError(.transportFailed, "waiting for a network without a meter") }
        return try inner.fetch(request, cancel: cancel, consume: consume)
    }
}

/// From the article on `TerritoryModel`.
func kinds(verifiedBytes: [UInt8]) throws -> Int {
    let manifest = try Manifest(decoding: verifiedBytes)
    for layer in manifest.layers {
        print(layer.kind, layer.blobPath, layer.blob.byteCount)
    }
    return manifest.layers.count
}
