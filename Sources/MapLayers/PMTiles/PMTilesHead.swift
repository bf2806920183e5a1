import Compression
package import Diagnostics
package import TerritoryModel

/// What an archive is told about its tiles; the rest of the header follows from its directory.
package struct PMTilesDescription: Sendable {
    package var tileType: PMTilesTileType
    package var tileCompression: PMTilesCompression
    package var bounds: E7Box
    /// Degrees · 10^7 and zoom where a map opens; moved into the bounds and the zooms that there are.
    package var center: (longitude: Int32, latitude: Int32, zoom: UInt8)?
    package var metadata: JSONObject

    package init(
        tileType: PMTilesTileType, tileCompression: PMTilesCompression, bounds: E7Box,
        center: (longitude: Int32, latitude: Int32, zoom: UInt8)? = nil, metadata: JSONObject
    ) {
        self.tileType = tileType
        self.tileCompression = tileCompression
        self.bounds = bounds
        self.center = center
        self.metadata = metadata
    }
}

/// Everything that stands before an archive's tile data: header, root directory, metadata, leaf directories.
///
/// The same entries and description give the same bytes (with one version of zlib).
package struct PMTilesHead: Sendable {
    package let header: PMTilesHeader
    package let bytes: [UInt8]

    /// The most bytes that the root directory may have behind the header.
    static let rootByteLimit = Int(PMTilesHeader.rootLimit) - PMTilesHeader.byteCount
    private static let smallestLeaf = 4_096

    /// - Parameter list: at least one tile.
    package init(
        _ list: PMTilesEntryList<some Hashable>, _ description: PMTilesDescription
    ) throws(SnpackError) {
        let entries = list.entries
        guard let first = entries.first.flatMap({ TileAddress.zoom(ofID: $0.tileID) }),
            let last = entries.last.flatMap({ TileAddress.zoom(ofID: $0.endID - 1) })
        else { throw SnpackError(.pmtilesNoTiles, "there is no tile to write an archive of") }

        let gzip = try GzipWriter()
        let (root, leaves) = try Self.directories(entries, gzip)
        let metadata = try gzip.compress(JSONValue.object(description.metadata).canonicalBytes)

        var header = PMTilesHeader()
        header.root = .init(UInt64(PMTilesHeader.byteCount), UInt64(root.count))
        header.metadata = .init(header.root.offset + header.root.byteCount, UInt64(metadata.count))
        // Also where there are none: some tools cannot do with 0.
        header.leaves = .init(header.metadata.offset + header.metadata.byteCount, UInt64(leaves.count))
        header.tiles = .init(header.leaves.offset + header.leaves.byteCount, list.tileByteCount)
        header.addressedTileCount = list.addressedTileCount
        header.entryCount = UInt64(entries.count)
        header.contentCount = UInt64(list.contentCount)
        header.clustered = 1
        header.internalCompression = .gzip
        header.tileCompression = description.tileCompression
        header.tileType = description.tileType
        (header.minZoom, header.maxZoom) = (UInt8(first), UInt8(last))
        let box = description.bounds
        header.bounds = box
        let center = description.center
        header.centerZoom = min(max(center?.zoom ?? header.minZoom, header.minZoom), header.maxZoom)
        header.centerLongitude = Self.middle(box.west, box.east, center?.longitude)
        header.centerLatitude = Self.middle(box.south, box.north, center?.latitude)
        self.header = header
        bytes = header.encoded + root + metadata + leaves
    }

    private static func middle(_ low: Int32, _ high: Int32, _ wanted: Int32?) -> Int32 {
        if let wanted, low <= wanted, wanted <= high { return wanted }
        return Int32((Int64(low) + Int64(high)) / 2)
    }

    /// The root, and the leaves one behind the other, as large as they must be for the root to fit.
    private static func directories(
        _ entries: [PMTilesEntry], _ gzip: GzipWriter
    ) throws(SnpackError) -> (root: [UInt8], leaves: [UInt8]) {
        if entries.count <= rootByteLimit {
            let root = try gzip.compress(PMTilesDirectory.encode(entries))
            if root.count <= rootByteLimit { return (root, []) }
        }
        var leafCount = max(smallestLeaf, entries.count / 3_500)
        while true {
            var pointers: [PMTilesEntry] = []
            var leaves: [UInt8] = []
            for start in stride(from: 0, to: entries.count, by: leafCount) {
                let part = entries[start..<min(start + leafCount, entries.count)]
                let leaf = try gzip.compress(PMTilesDirectory.encode(part))
                pointers.append(
                    PMTilesEntry(
                        tileID: entries[start].tileID, offset: UInt64(leaves.count), byteCount: UInt32(leaf.count),
                        runLength: 0))
                leaves += leaf
            }
            let root = try gzip.compress(PMTilesDirectory.encode(pointers))
            if root.count <= rootByteLimit { return (root, leaves) }
            leafCount += leafCount / 4
        }
    }
}
