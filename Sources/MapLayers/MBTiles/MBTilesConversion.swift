import Compression
package import Diagnostics
package import DurableFiles
import Hashing
import Parallel

/// Makes a PMTiles archive of an MBTiles database. The same database gives the same bytes.
package enum MBTilesConversion {
    private static let batchByteCount = 1 << 20

    private struct Batch: Sendable {
        var tiles: [(id: UInt64, bytes: [UInt8])] = []
        var byteCount = 0
    }

    private struct Packed: Sendable {
        var tiles: [(id: UInt64, bytes: [UInt8], digest: Blake3Digest)] = []
        var readByteCount = 0
    }

    /// Converts the database at `path` to `name` in `directory`, by one rename when all is written.
    @discardableResult
    package static func convert(
        from path: String, to name: String, in directory: Directory, replacing: Bool, context: WorkContext
    ) throws(SnpackError) -> PMTilesHeader {
        let target = try StagedFile(in: directory)
        let header = try convert(from: path, into: target, spoolingIn: directory, context: context)
        try target.commit(as: name, replacing: replacing)
        try directory.sync()
        return header
    }

    /// Converts the database at `path` into a file that the caller commits.
    package static func convert(
        from path: String, into target: StagedFile, spoolingIn directory: Directory, context: WorkContext
    ) throws(SnpackError) -> PMTilesHeader {
        let source = try MBTilesFile(path, context: context)
        guard let first = source.keys.first else {
            throw SnpackError(.pmtilesNoTiles, "the MBTiles database has no tiles", path: path)
        }
        let metadata: MBTilesMetadata
        do { metadata = try MBTilesMetadata(source.metadata) } catch { throw error.at(path) }
        let type: PMTilesTileType
        if let told = metadata.tileType { type = told } else { type = .detected(in: try source.tile(first)) }
        let writer = try PMTilesWriter(spoolingIn: directory)
        do { try copyTiles(source, as: type, into: writer, context) } catch { throw error.at(path) }
        return try writer.finish(
            PMTilesDescription(
                tileType: type, tileCompression: type == .mvt ? .gzip : .none,
                bounds: bounds(of: source, metadata, path, context), center: metadata.center,
                metadata: metadata.document), into: target, context: context)
    }

    private static func copyTiles(
        _ source: MBTilesFile, as type: PMTilesTileType, into writer: PMTilesWriter, _ context: WorkContext
    ) throws(SnpackError) {
        var index = 0
        context.report.begin("converting tiles", byteCount: nil)
        defer { context.report.end() }
        try orderedPipeline(
            jobs: context.jobs,
            produce: { () throws(SnpackError) in
                try context.cancel.check()
                var batch = Batch()
                while index < source.keys.count, batch.byteCount < batchByteCount {
                    let key = source.keys[index]
                    let bytes = try source.tile(key)
                    batch.tiles.append((key.id, bytes))
                    batch.byteCount += bytes.count
                    index += 1
                }
                return batch.tiles.isEmpty ? nil : batch
            },
            transform: { batch throws(SnpackError) in
                var packed = Packed()
                packed.readByteCount = batch.byteCount
                let gzip = try GzipWriter()
                for tile in batch.tiles {
                    let bytes = type == .mvt ? try stored(tile.bytes, of: tile.id, gzip) : tile.bytes
                    packed.tiles.append((tile.id, bytes, .of(bytes)))
                }
                return packed
            },
            consume: { packed throws(SnpackError) in
                for tile in packed.tiles { try writer.append(tile.id, tile.bytes, digest: tile.digest) }
                context.report.advance(UInt64(packed.readByteCount))
            })
    }

    /// A vector tile as it goes into the archive: gzip is kept byte for byte, plain protobuf packed.
    private static func stored(_ tile: [UInt8], of id: UInt64, _ gzip: GzipWriter) throws(SnpackError) -> [UInt8] {
        if tile.starts(with: [0x1F, 0x8B]) { return tile }
        // Every plain vector tile begins with a layer: field 3, length-delimited.
        guard tile.first == 0x1A else {
            throw SnpackError(
                .mbtilesFormat, "\(PMTilesArchive.name(id)) is neither gzip nor a plain vector tile",
                hint: "the format row of the metadata may be wrong")
        }
        return try gzip.compress(tile)
    }

    /// The bounds of the metadata where they fit the tiles, else the box of the tiles.
    private static func bounds(
        of source: MBTilesFile, _ metadata: MBTilesMetadata, _ path: String, _ context: WorkContext
    ) -> E7Box {
        let zoom = source.keys.last.flatMap { TileAddress.zoom(ofID: $0.id) } ?? 0
        var coverage = TileCoverage(zoom: zoom)
        for key in source.keys.reversed() where key.id >= TileAddress.firstID(ofZoom: zoom) {
            TileBlock.covering(key.id..<key.id + 1) { coverage.add($0) }
        }
        let tiles = coverage.e7Box ?? .world
        if let given = metadata.bounds, [.fits, .tooLarge].contains(BoundsVerdict(given, tiles: tiles, zoom: zoom)) {
            return given
        }
        let what = metadata.bounds.map { "bounds \($0) that do not fit the tiles" } ?? "no usable bounds"
        context.report.warn(
            SnpackError(
                .mbtilesBounds, "the metadata has \(what); the box of the tiles is written: \(tiles)", path: path))
        return tiles
    }
}
