import Compression
import Diagnostics
import DurableFiles
import MapLayers

/// PMTiles archives put together by hand, and small changes to them. Nothing here uses the writer under test.
struct HandBuiltArchive {
    var header = PMTilesHeader()
    var root: [UInt8] = []
    var metadata: [UInt8] = Self.metadata
    var leaves: [UInt8] = []
    var tiles: [UInt8] = []
    var internalGzip = true

    static let metadata = Array(
        #"{"attribution":"© OpenStreetMap contributors","name":"PM1","vector_layers":[{"id":"roads","fields":{}}]}"#
            .utf8)

    /// PM1: root directory only, ids 0 to 4, five distinct gzip tiles.
    static func pm1(tileGzip: Bool = true, internalGzip: Bool = true) throws -> HandBuiltArchive {
        var archive = HandBuiltArchive()
        archive.internalGzip = internalGzip
        let entries = try archive.addTiles(gzip: tileGzip)
        archive.root = directory(entries)
        archive.header.internalCompression = internalGzip ? .gzip : .none
        archive.header.tileCompression = tileGzip ? .gzip : .none
        return archive
    }

    /// PML: the same tiles, ids 0 to 2 and 3 to 4 in two leaf directories.
    static func pml() throws -> HandBuiltArchive {
        var archive = HandBuiltArchive()
        let entries = try archive.addTiles(gzip: true)
        let leaves = try [entries[..<3], entries[3...]].map { try GzipWriter().compress(directory(Array($0))) }
        archive.leaves = leaves[0] + leaves[1]
        archive.root = directory([
            [0, 0, UInt64(leaves[0].count), 0], [3, UInt64(leaves[0].count), UInt64(leaves[1].count), 0],
        ])
        return archive
    }

    /// A valid vector tile of one layer `roads` without features, made different by its extent.
    static func tile(_ number: Int) -> [UInt8] {
        let extent: [UInt8] = [0x28, UInt8(0x80 | number), 0x20]
        let layer: [UInt8] = [0x0A, 5] + Array("roads".utf8) + extent + [0x78, 2]
        return [0x1A, UInt8(layer.count)] + layer
    }

    /// Sets up the header for the whole world at zoom 0 and 1.
    private mutating func addTiles(gzip: Bool) throws -> [[UInt64]] {
        header.clustered = 1
        (header.addressedTileCount, header.entryCount, header.contentCount) = (5, 5, 5)
        (header.minZoom, header.maxZoom) = (0, 1)
        header.bounds = E7Box(west: -1_800_000_000, south: -850_511_287, east: 1_800_000_000, north: 850_511_287)
        let writer = try GzipWriter()
        return try (0..<5).map { id in
            let tile = gzip ? try writer.compress(Self.tile(id)) : Self.tile(id)
            defer { tiles += tile }
            return [UInt64(id), UInt64(tiles.count), UInt64(tile.count), 1]
        }
    }

    /// The file: header, root, metadata, leaves, tiles.
    func bytes() throws -> [UInt8] {
        func packed(_ bytes: [UInt8]) throws -> [UInt8] { internalGzip ? try GzipWriter().compress(bytes) : bytes }
        let (root, metadata) = (try packed(root), metadata.isEmpty ? [] : try packed(metadata))
        var header = header
        header.root = .init(127, UInt64(root.count))
        header.metadata = .init(127 + UInt64(root.count), UInt64(metadata.count))
        header.leaves = .init(header.metadata.offset + header.metadata.byteCount, UInt64(leaves.count))
        header.tiles = .init(header.leaves.offset + header.leaves.byteCount, UInt64(tiles.count))
        return header.encoded + root + metadata + leaves + tiles
    }

    /// A directory of `[id, offset, length, run length]`, every offset written out.
    static func directory(_ entries: [[UInt64]]) -> [UInt8] {
        var bytes = varint(UInt64(entries.count))
        var last: UInt64 = 0
        for entry in entries {
            bytes += varint(entry[0] &- last)
            last = entry[0]
        }
        for column in [3, 2] { for entry in entries { bytes += varint(entry[column]) } }
        for entry in entries { bytes += varint(entry[1] &+ 1) }
        return bytes
    }

    static func varint(_ value: UInt64) -> [UInt8] {
        value < 0x80 ? [UInt8(value)] : [UInt8(value & 0x7F) | 0x80] + varint(value >> 7)
    }
}

/// Facts of bytes in memory.
func facts(_ bytes: [UInt8], jobs: Int = 1) throws -> LayerFacts {
    try PMTilesCheck.check(MemoryFile(bytes), path: "map.pmtiles", context: WorkContext(jobs: jobs))
}

/// The codes of all faults, each once, in order.
func faultCodes(_ bytes: [UInt8]) throws -> [String] {
    var codes: [String] = []
    for fault in try facts(bytes).faults.faults where !codes.contains(fault.code.name) { codes.append(fault.code.name) }
    return codes
}

extension [UInt8] {
    /// The same bytes with an integer written little-endian at `offset`.
    func setting<T: FixedWidthInteger>(_ value: T, at offset: Int) -> [UInt8] {
        var copy = self
        Swift.withUnsafeBytes(of: value.littleEndian) { copy.replaceSubrange(offset..<offset + $0.count, with: $0) }
        return copy
    }
}
